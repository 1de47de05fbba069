/*
 * tools/model/profile_build.h - from what a fold counted to a profile.  For fold.c and correct_sampled.c only.
 */
#ifndef PROF_MODEL_PROFILE_BUILD_H
#define PROF_MODEL_PROFILE_BUILD_H

#include "model/fold_piece.h"
#include "model/profile.h"

/* Takes histograms and figures out of the worker, which is only good for fini after. */
prof_status prof_profile_build(const prof_trace *, const struct prof_filter *, const struct prof_fold_plan *,
                               const uint8_t *damaged, struct prof_fold_worker *, const struct prof_fold_options *,
                               struct prof_diag *, struct prof_profile **out) PROF_MUST_CHECK;

/* For what corrects a profile after it was built: its nodes, and all figures that follow from them.  false: no memory.
 */
struct prof_node *prof_profile_nodes_of(struct prof_profile *);
bool prof_profile_figures_anew(struct prof_profile *) PROF_MUST_CHECK;

#endif
