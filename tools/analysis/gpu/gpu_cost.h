/*
 * tools/analysis/gpu/gpu_cost.h - the GPU's time under the host's functions and call paths.
 *
 * Job: sums kernels, copies, sets and whole graphs by the path that launched them.  Self: launched by the function
 * itself; total: also by its callees, once under recursion.  In: a study.  The filter's frames are the shown ones; its
 * range applies to the begin of the work.  Works that overlap all count.
 */
#ifndef PROF_ANALYSIS_GPU_COST_H
#define PROF_ANALYSIS_GPU_COST_H

#include "analysis/functions.h"
#include "analysis/gpu/gpu_study.h"
#include "analysis/tree.h"

/* Fills gpu_total_ns and gpu_self_ns of rows. */
prof_status prof_gpu_cost_rows(const struct prof_gpu_study *, struct prof_function_rows *,
                               enum prof_group) PROF_MUST_CHECK;

/* Fills gpu_total_ns and gpu_self_ns of a tree of calls (prof_tree_select). */
prof_status prof_gpu_cost_tree(const struct prof_gpu_study *, struct prof_tree *) PROF_MUST_CHECK;

/* A tree of GPU time: host paths, and under each the work that it launched.  These leaves have function numbers from
 * `first`, the number of the trace's functions, and names in `names`, which lives as long as the study. */
struct prof_gpu_flame {
  struct prof_tree tree; /* for prof_tree_free */
  uint32_t first;
  const char **names;
  size_t name_count;
};
prof_status prof_gpu_cost_flame(struct prof_gpu_study *, const struct prof_tree_limits *, struct prof_diag *,
                                struct prof_gpu_flame *out) PROF_MUST_CHECK;

#endif
