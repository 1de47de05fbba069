/*
 * tools/analysis/gpu/gpu_launches.h - how long did kernels take to begin, and why?
 *
 * Job: a row per kernel: the time from the launching call's begin to the kernel's, in three parts.  In: a study.
 *
 *    call begins      call returns        the stream's work before it ends      kernel begins
 *    |----- API ------|------- queue ------------------------------|---- start ----|
 *
 * A kernel that begins before its call returns has API time only.  Of a graph's nodes only the first counts.  Kernels
 * without a call or a time, or with a begin before their call's, don't count.
 */
#ifndef PROF_ANALYSIS_GPU_LAUNCHES_H
#define PROF_ANALYSIS_GPU_LAUNCHES_H

#include "analysis/gpu/gpu_study.h"

struct prof_gpu_launch_row {
  const char *name, *short_name; /* "": all kernels together */
  uint64_t launches;
  uint64_t total_ns, avg_ns, p95_ns, max_ns; /* from the call's begin to the kernel's */
  uint64_t api_ns, queue_ns, start_ns;       /* of total_ns */
};

struct prof_gpu_launch_rows {
  struct prof_gpu_launch_row *rows; /* the longest total first */
  size_t count;
  struct prof_gpu_launch_row all;
};

prof_status prof_gpu_launches(struct prof_gpu_study *, struct prof_gpu_launch_rows *out) PROF_MUST_CHECK;
void prof_gpu_launches_free(struct prof_gpu_launch_rows *);

#endif
