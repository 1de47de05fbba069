/*
 * tools/analysis/gpu/gpu.h - what did the GPU do, and which host path launched it?
 *
 * Job: rows for `prof gpu`, kernels and copies, sorted by their time; what the figures cover.  In: a study.  Out:
 * arrays that the caller frees; their texts live as long as the study.
 *
 * The filter's functions, depth and threads apply to the launching host path; a minimal time to the duration of the
 * kernel or copy; the range to its start.
 */
#ifndef PROF_ANALYSIS_GPU_H
#define PROF_ANALYSIS_GPU_H

#include "analysis/gpu/gpu_rows.h"

/* PROF_EMPTY: the filter left nothing. */
prof_status prof_gpu_rank(struct prof_gpu_study *, enum prof_gpu_by, struct prof_diag *,
                          struct prof_gpu_rows *out) PROF_MUST_CHECK;

#endif
