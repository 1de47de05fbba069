/* counts_move.h - counters of lines in the shared region. */
#ifndef PROF_RUNTIME_COUNTS_MOVE_H
#define PROF_RUNTIME_COUNTS_MOVE_H

#include "control.h"
#include "rows.h"

/* Reserves a COUNTS record with `bytes` behind it in the log; all but its kind is set.  NULL: no room. */
struct prof_log_counts *prof_counts_record_new(const struct prof_attached_module *, uint64_t bytes);
/* Publishes it to the recorder. */
void prof_counts_record_publish(struct prof_log_counts *);
/* Moves the module's counters of lines, if any, into the shared region.  Call it after the MODULE record. */
void prof_counts_attach(const struct prof_attached_module *);

/* Back into the module's data, where they go on from their old values. */
void prof_counts_detach(const struct prof_attached_module *);

#endif
