/*
 * test/support/trace_touch.h - reads everything that a trace holds, as a curious tool would; for tests with damaged
 * ones.
 */
#ifndef PROF_TEST_TRACE_TOUCH_H
#define PROF_TEST_TRACE_TOUCH_H

#include "proftrace.h"

struct trace_touched {
  uint64_t events; /* that a cursor gave */
  uint64_t chunks, chunks_refused;
  uint64_t holes; /* chunks that begin a run, beyond each thread's first */
  uint64_t gpu_records, gpu_chunks_refused;
  uint64_t gpu_sum; /* of all their values, so that all were read */
  struct prof_damage damage;
};

/* What prof_trace_open returned.  Aborts when two ways of reading disagree or an index leads nowhere. */
prof_status trace_touch(const char *path, struct prof_diag *, struct trace_touched *);

#endif
