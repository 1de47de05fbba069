/*
 * tools/estimate/counted.h - samples of hardware counters, each with the call path that was open then.
 *
 * In: a trace that was recorded with --counters, a filter.  Out: the counters, and their samples in the order of
 * threads and time; nodes are of a profile that was folded with loops.  A sample stands for `weight` events.  It lies
 * in its node's own part: in the node's function or loop, or in uninstrumented code that it called.
 */
#ifndef PROF_ESTIMATE_COUNTED_H
#define PROF_ESTIMATE_COUNTED_H

#include "estimate/samples.h"
#include "proftrace_pmu.h"

struct prof_counted_sample {
  uint64_t time, address; /* ticks; link-time, of `module`; run-time where that is PROF_NONE */
  double weight;          /* events; scaled where counters took turns */
  uint32_t counter;       /* index into the trace's counters */
  uint32_t module;        /* index; PROF_NONE: not known */
  uint32_t thread;        /* index; PROF_NONE: a thread without events */
  uint32_t node;          /* of the profile; 0 or a thread's node: in no shown frame; PROF_NONE likewise */
  uint32_t function; /* of the innermost frame, or whose code it is in a recording with a budget; PROF_NONE: none */
  uint8_t where;     /* enum prof_where */
};

struct prof_counted {
  const struct prof_pmu *counters; /* the trace's */
  uint32_t counter_count;
  struct prof_counted_sample *items; /* without the profiler's own */
  size_t count;
  double *own;   /* by counter: events in the profiler's code in the program */
  double *times; /* by counter: what weights were multiplied by */
  uint64_t chunks_damaged;
};

/*
 * The samples of a stretch for a summary: their nodes aren't known, weights are as counted, and the profiler's own are
 * among them.  Free *out in any case.
 */
prof_status prof_counted_load(const prof_trace *, const struct prof_filter *, struct prof_diag *,
                              struct prof_counted *out) PROF_MUST_CHECK;

/* Of a summary, too.  PROF_EMPTY: no calls were left, or the recording has no counters.  Free both, in any case. */
prof_status prof_counted_fold(const prof_trace *, const struct prof_filter *, struct prof_diag *,
                              struct prof_profile **, struct prof_counted *) PROF_MUST_CHECK;
void prof_counted_free(struct prof_counted *);

#endif
