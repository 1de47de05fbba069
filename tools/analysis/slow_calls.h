/*
 * tools/analysis/slow_calls.h - the longest calls that a filter shows, and what ran in each.
 *
 * In: a trace and a filter; the calls meant are the outermost ones shown (with -F those of its functions).  Out: calls
 * by duration, each with the tree of its calls.  Durations are elapsed, without waits for the recorder.  Two walks
 * through the trace; memory: a call's tree, of at most PROF_SLOW_NODES paths.
 */
#ifndef PROF_ANALYSIS_SLOW_CALLS_H
#define PROF_ANALYSIS_SLOW_CALLS_H

#include "base/index_map.h"
#include "base/vec.h"
#include "fold/filter.h"
#include "prof_status.h"
#include "proftrace.h"

#define PROF_SLOW_NODES 100000u

struct prof_slow_node {
  uint32_t function, depth; /* of node 0, the call itself: its function, 0 */
  uint32_t parent;          /* while it is made */
  uint64_t calls, total_ns;
};

struct prof_slow_tree {
  uint32_t thread, function; /* function: its index, of a loop its number (loop_frames.h); PROF_NONE: unknown */
  uint64_t begin_ns;         /* since the start of the recording */
  uint64_t duration_ns;
  bool cut;                              /* its real begin or end is not known */
  uint64_t omitted;                      /* calls in it whose paths are beyond PROF_SLOW_NODES: part of no node */
  PROF_VEC(struct prof_slow_node) nodes; /* depth first, siblings by total, then in the order of time */
  struct prof_index_map known;           /* while it is made */
};

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
