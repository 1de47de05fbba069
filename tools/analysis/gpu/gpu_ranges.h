/*
 * tools/analysis/gpu/gpu_ranges.h - ranges that the program marked with NVTX, and what was asked of the GPU in them.
 *
 * Job: a row per name, or one per instance with its kernels.  In: a study.  A work belongs to a range if the call that
 * asked for it began in it: in the same thread, or in the same process for ranges that are started and ended by number.
 * Ranges nest: a work may belong to several.  Of the filter only the range of time counts: that of the begin.
 */
#ifndef PROF_ANALYSIS_GPU_RANGES_H
#define PROF_ANALYSIS_GPU_RANGES_H

#include "analysis/gpu/gpu_study.h"

struct prof_gpu_range_row {  /* all instances of one name */
  const char *name, *domain; /* domain: "" the default one */
  uint64_t instances, open;  /* open: still at the end of the recording; their time is up to there */
  uint64_t total_ns, avg_ns, min_ns, max_ns;
  uint64_t kernels, copies; /* asked for; copies: with sets */
  uint64_t gpu_ns, api_ns;  /* time of those on the GPU; time in API calls */
};

struct prof_gpu_range_kernel {
  const char *what, *short_what; /* kernel or kind of copy */
  uint64_t count, total_ns, min_ns, max_ns;
};

struct prof_gpu_instance {
  const char *name, *domain;
  uint64_t number; /* among those of its name, from 1 */
  uint32_t tid;
  const char *thread_name;        /* what the program calls it; "" nothing */
  bool open;                      /* as above */
  uint64_t start_ns, duration_ns; /* since the start of the recording */
  uint64_t kernels, copies, gpu_ns, api_ns;
  struct prof_gpu_range_kernel *rows; /* the longest first */
  size_t row_count;
};

struct prof_gpu_range_rows {
  struct prof_gpu_range_row *rows; /* the longest total first */
  size_t count;
  struct prof_gpu_instance *instances; /* in the order of time */
  size_t instance_count;
};

/* pattern: a glob; instances of ranges whose name matches are given out with their kernels.  NULL: none. */
prof_status prof_gpu_ranges(struct prof_gpu_study *, const char *pattern,
                            struct prof_gpu_range_rows *out) PROF_MUST_CHECK;
void prof_gpu_ranges_free(struct prof_gpu_range_rows *);

#endif
