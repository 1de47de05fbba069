/*
 * tools/analysis/slow_calls.h - the longest calls that a filter shows, and what ran in each.
 *
 * In: a trace and a filter; the calls meant are the outermost ones shown (with -F those of its functions).  Out: calls
 * by duration, each with the tree of its calls.  Durations are elapsed, without waits for the recorder.  Two walks
 * through the trace; memory: a call's tree, of at most PROF_SLOW_NODES paths.
 */
#ifndef PROF_ANALYSIS_SLOW_CALLS_H
#define PROF_ANALYSIS_SLOW_CALLS_H

#include "analysis/slow_tree.h"
#include "fold/filter.h"
#include "prof_status.h"
#include "proftrace.h"

struct prof_slow_calls {
  struct prof_slow_tree *items; /* the longest first; of equal ones by thread and time */
  size_t count;
  uint64_t all; /* calls that were compared */
};

/* The `most` (at least 1) longest ones.  Free *out with prof_slow_calls_free.  PROF_EMPTY: no call is shown; after a
 * failure there is nothing to free. */
prof_status prof_slow_calls_find(const prof_trace *, const struct prof_filter *, size_t most, struct prof_diag *,
                                 struct prof_slow_calls *out) PROF_MUST_CHECK;
void prof_slow_calls_free(struct prof_slow_calls *);

#endif
