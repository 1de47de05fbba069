/*
 * tools/estimate/profile_build.h - makes a profile of a trace; samples_fold.h does so with samples.
 */
#ifndef PROF_ESTIMATE_PROFILE_BUILD_H
#define PROF_ESTIMATE_PROFILE_BUILD_H

#include "estimate/profile.h"

/*
 * Folds the event chunks of a trace that the filter lets pass, in memory that grows with the call tree, not with
 * events.  Damaged chunks are counted, not fatal.  filter may be NULL: everything.  PROF_EMPTY: nothing was left.
 */
prof_status prof_profile_fold(const prof_trace *, const struct prof_filter *, const struct prof_fold_options *,
                              struct prof_diag *, struct prof_profile **out) PROF_MUST_CHECK;
void prof_profile_free(struct prof_profile *);
/* Frees its nodes and places, most of its memory: figures of functions and loops, histograms and coverage stay. */
void prof_profile_drop_paths(struct prof_profile *);

/* By thread: what is removed from single durations for each event (prof_fold_task).  The caller frees it; NULL: no
 * memory. */
uint64_t *prof_profile_costs(const prof_trace *, const struct prof_fold_options *);

/* For correct_sampled.c, which changes a profile that was built: its nodes, and all figures that follow from them.
 * false: no memory. */
struct prof_node *prof_profile_nodes_of(struct prof_profile *);
bool prof_profile_figures_anew(struct prof_profile *) PROF_MUST_CHECK;
/* For burst/tree.c and burst/bursts.c: other nodes, and what is estimated of nodes and functions.  The profile frees
 * all. */
void prof_profile_take_nodes(struct prof_profile *, struct prof_node *, uint32_t count, struct prof_estimated *);
void prof_profile_take_estimates(struct prof_profile *, struct prof_estimated *functions);
/* Places grow at their end.  false: no memory; then the arrays are still the caller's. */
bool prof_profile_take_places(struct prof_profile *, struct prof_call_place *, uint32_t count,
                              struct prof_estimated_place *, size_t estimated_count) PROF_MUST_CHECK;
void prof_profile_take_loops(struct prof_profile *, struct prof_estimated_loop *);
struct prof_estimated_loop *prof_profile_loops_of(struct prof_profile *); /* for burst/loop_times.c; NULL: none */
/* For burst/filter.c, when no node is a loop's any more: figures of loops go, with the self times of their cold paths
 * to their functions. */
void prof_profile_drop_loops(struct prof_profile *);
/* Likewise when no node has a place any more. */
void prof_profile_drop_places(struct prof_profile *);

#endif
