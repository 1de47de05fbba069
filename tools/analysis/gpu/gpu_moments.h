/*
 * tools/analysis/gpu/gpu_moments.h - the GPU's time under call paths that are told apart by the lines of their calls.
 *
 * Job: a profile with places (estimate/profile.h), and for each of its nodes the time of the kernels, copies, sets and
 * graphs that were asked for in it.  In: a study.  API calls are moments for the fold (fold/marks.h), which says
 * in which node they lay.
 */
#ifndef PROF_ANALYSIS_GPU_MOMENTS_H
#define PROF_ANALYSIS_GPU_MOMENTS_H

#include "analysis/gpu/gpu_study.h"
#include "estimate/profile_build.h"

struct prof_gpu_moments {
  struct prof_profile *profile; /* NULL: no calls were left */
  uint64_t *ticks;              /* by node: asked for in its frame itself */
};

prof_status prof_gpu_moments_fold(const struct prof_gpu_study *, struct prof_diag *,
                                  struct prof_gpu_moments *out) PROF_MUST_CHECK;
void prof_gpu_moments_free(struct prof_gpu_moments *); /* a zeroed one is fine */

#endif
