/*
 * tools/analysis/gpu/gpu_moments.h - the GPU's time under call paths with places.
 *
 * Job: a profile with places (estimate/profile.h), and for each of its nodes the time of the kernels, copies, sets and
 * graphs launched in it.  In: a study.  API calls are moments for the fold (fold/marks.h), which finds their nodes.
 */
#ifndef PROF_ANALYSIS_GPU_MOMENTS_H
#define PROF_ANALYSIS_GPU_MOMENTS_H

#include "analysis/gpu/gpu_study.h"
#include "estimate/profile_build.h"

struct prof_gpu_moments {
  struct prof_profile *profile; /* NULL: no calls */
  uint64_t *ticks;              /* by node: launched in its frame itself */
};

prof_status prof_gpu_moments_fold(const struct prof_gpu_study *, struct prof_diag *,
                                  struct prof_gpu_moments *out) PROF_MUST_CHECK;
void prof_gpu_moments_free(struct prof_gpu_moments *); /* all zero: nothing to do */

#endif
