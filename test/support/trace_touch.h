/*
 * test/support/trace_touch.h - reads all data of a trace, for tests with damaged traces.
 */
#ifndef PROF_TEST_TRACE_TOUCH_H
#define PROF_TEST_TRACE_TOUCH_H

#include "proftrace.h"

struct trace_touched {
  uint64_t events; /* read by a cursor */
  uint64_t chunks, chunks_refused;
  uint64_t holes; /* chunks that begin a run, beyond each thread's first */
  uint64_t gpu_records, gpu_chunks_refused;
  uint64_t gpu_sum; /* of all values of GPU records, so that all were read */
  struct prof_damage damage;
};

/* Returns the result of prof_trace_open.  Aborts if two ways of reading disagree or an index is out of range. */
prof_status trace_touch(const char *path, struct prof_diag *, struct trace_touched *);

#endif
