/* counts_move.h - counters of lines in the shared region. */
#ifndef PROF_RUNTIME_COUNTS_MOVE_H
#define PROF_RUNTIME_COUNTS_MOVE_H

#include "control.h"
#include "rows.h"

/* Room in the log for a COUNTS record with so many bytes behind it, filled in but for its kind; NULL: there is none. */
struct prof_log_counts *prof_counts_record_new(const struct prof_attached_module *, uint64_t bytes);
/* Makes it known to the recorder. */
void prof_counts_record_publish(struct prof_log_counts *);
/* Moves the module's counters of lines into the shared region, if it has any.  After its MODULE record. */
void prof_counts_attach(const struct prof_attached_module *);

#endif
