/*
 * tools/analysis/gpu/gpu_rows.h - groups of GPU activities into rows with names, paths and shares.
 *
 * Between gpu.c and what it gives out.
 */
#ifndef PROF_ANALYSIS_GPU_ROWS_H
#define PROF_ANALYSIS_GPU_ROWS_H

#include "analysis/gpu/gpu.h"
#include "analysis/gpu/gpu_groups.h"

struct prof_gpu_work {
  struct prof_gpu_study *study;
  struct prof_gpu_groups kernels, copies; /* keys: of kernel_names; prof_gpu_copy_sort */
};

prof_status prof_gpu_work_rows(struct prof_gpu_work *, enum prof_gpu_by, struct prof_gpu_rows *out);
void prof_gpu_work_fini(struct prof_gpu_work *);

#endif
