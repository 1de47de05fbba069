/*
 * tools/command/record_hints.h - reads from a recording which functions were dense in it, for `prof record --hints` and
 * `prof hints`.
 */
#ifndef PROF_COMMAND_RECORD_HINTS_H
#define PROF_COMMAND_RECORD_HINTS_H

#include "prof_status.h"
#include "proftrace.h"
#include "record/governor/hints.h"

struct prof_record_hints {
  struct prof_hints hints;
  prof_trace *trace; /* has the names */
};

/*
 * 1 for each function of the trace that was dense.  Of a recording with a budget: those that ended in state burst.  Of
 * a full one: those that don't fit into `budget` (of the CPU time).  NULL: no memory.  The caller frees it.
 */
uint8_t *prof_record_hints_dense(const prof_trace *, double budget);

/* The same for the governor.  PROF_NOT_FOUND and the like: it can't be read. */
prof_status prof_record_hints_read(struct prof_record_hints *, const char *folder, double budget,
                                   struct prof_diag *) PROF_MUST_CHECK;
void prof_record_hints_free(struct prof_record_hints *);

#endif
