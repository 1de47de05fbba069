/*
 * tools/analysis/call_graph.h - which function called which, how often, and how long did that take?
 *
 * Job: the call tree summed up by function and by pair of caller and callee, for formats that have no paths.  In: a
 * profile.  Out: arrays in ticks that the caller frees; memory grows with functions and pairs.
 *
 * A callee's time counts only in calls that are not within another call of it: the times of all pairs with this callee
 * add up to its total in `prof report`.  Outermost calls have a root as their caller: a group of threads, or a thread.
 */
#ifndef PROF_ANALYSIS_CALL_GRAPH_H
#define PROF_ANALYSIS_CALL_GRAPH_H

#include "analysis/lines/line_leaves.h"
#include "base/vec.h"
#include "estimate/profile.h"
#include "names/process_groups.h"

struct prof_call_pair {
  uint32_t caller; /* number of a function or loop (loop_frames.h), or first_root + index of a root */
  uint32_t callee; /* number of a function or loop */
  uint64_t calls;
  uint64_t total_ticks; /* elapsed */
  struct prof_off_ticks off;
};

struct prof_call_self { /* self time of a function, or of one of its lines */
  uint32_t function;    /* as `callee` */
  uint32_t leaf;        /* its number (line_leaves.h); PROF_NONE: the part that has no line */
  uint64_t ticks;       /* with leaves: of their kind of time; else elapsed */
  struct prof_off_ticks off;
};

struct prof_call_graph {
  uint32_t first_root, root_count;
  PROF_VEC(struct prof_call_pair) pairs; /* by caller, then callee */
  PROF_VEC(struct prof_call_self) selfs; /* by function, then leaf; the part without a line comes last */
};

/* leaves: splits self times, which are then of that kind; NULL: no lines.  groups: the roots; NULL or empty: a root for
 * each thread (index).  PROF_NO_MEMORY with a diagnostic. */
prof_status prof_call_graph_make(const struct prof_profile *, const struct prof_line_leaves *leaves,
                                 enum prof_time_kind, const struct prof_process_groups *groups, struct prof_diag *,
                                 struct prof_call_graph *out) PROF_MUST_CHECK;
void prof_call_graph_free(struct prof_call_graph *);

#endif
