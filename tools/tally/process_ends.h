/*
 * tools/tally/process_ends.h - when processes ended, and with them what they had in memory.
 *
 * In: the threads of a trace.  Out: processes by the time of their end.  An exec ends one process and begins another
 * with the same pid.  A process ends with the last event of its threads, or when the kernel reported its end while
 * calls were open.  Where its end isn't known it is the start of the next process with its pid.
 * The process that ends last isn't in the list: the recording ends with it.  Nor are those that went on.
 */
#ifndef PROF_TALLY_PROCESS_ENDS_H
#define PROF_TALLY_PROCESS_ENDS_H

#include "base/vec.h"
#include "proftrace.h"

struct prof_process_end {
  uint64_t ticks;
  uint32_t process; /* index */
  uint32_t heir;    /* of its forked children that go on the one that ends last; PROF_NONE: none */
};

struct prof_process_ends {                /* all zero: none */
  PROF_VEC(struct prof_process_end) list; /* by time */
};

/* False: no memory.  Free it with prof_process_ends_fini, after a failure too. */
bool prof_process_ends_find(struct prof_process_ends *, const prof_trace *);
void prof_process_ends_fini(struct prof_process_ends *);

#endif
