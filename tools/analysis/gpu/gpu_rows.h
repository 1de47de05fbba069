/*
 * tools/analysis/gpu/gpu_rows.h - makes rows with names, paths and shares from groups of GPU activities, for gpu.h.
 */
#ifndef PROF_ANALYSIS_GPU_ROWS_H
#define PROF_ANALYSIS_GPU_ROWS_H

#include "analysis/gpu/gpu_groups.h"
#include "analysis/gpu/gpu_study.h"
#include "prof_study.h"

struct prof_gpu_cover {                         /* what the figures cover, and what is missing */
  uint64_t kernels, copies, sets, waits, calls; /* shown ones */
  uint64_t kernel_ns, copy_ns, set_ns, wait_ns;
  uint64_t sources, devices;
  uint64_t pageable, pageable_bytes, pageable_ns; /* copies of pageable host memory */
  uint64_t unmatched;                             /* kernels, copies and sets without a call */
  uint64_t untimed;                               /* of these, without a time: they count, but in no time */
  uint64_t pathless;                              /* their call was outside of all instrumented functions */
  uint64_t dropped, unknown, lost, hung;
  uint64_t early;          /* began before their call */
  uint64_t early_worst_ns; /* the largest such difference */
  uint64_t clock_error_ns; /* largest uncertainty of a reading of the library's clock */
  uint64_t damaged_chunks;
  bool converted; /* times come from the library's own clock */
};

enum prof_gpu_by { PROF_GPU_BY_KERNEL = 0, PROF_GPU_BY_PATH }; /* a row per kernel, or per kernel and host path */

struct prof_gpu_rows {
  struct prof_gpu_kernel_row *kernels;
  size_t kernel_count;
  struct prof_gpu_copy_row *copies;
  size_t copy_count;
  struct prof_gpu_cover cover;
};

struct prof_gpu_work {
  struct prof_gpu_study *study;
  struct prof_gpu_groups kernels, copies; /* keys: of kernel_names; prof_gpu_copy_sort */
};

prof_status prof_gpu_work_rows(struct prof_gpu_work *, enum prof_gpu_by, struct prof_gpu_rows *out);
void prof_gpu_work_fini(struct prof_gpu_work *);
void prof_gpu_rows_free(struct prof_gpu_rows *);

#endif
