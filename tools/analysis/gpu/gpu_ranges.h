/*
 * tools/analysis/gpu/gpu_ranges.h - the program's NVTX ranges, and the GPU work launched in them.
 *
 * Job: a row per name, or one per instance with its kernels.  In: a study.  A work belongs to a range if its launching
 * call began in it: in the same thread, or in the same process for ranges that are started and ended by number.  Ranges
 * nest: a work may belong to several.  Only the filter's range of time applies, to the begin.
 */
#ifndef PROF_ANALYSIS_GPU_RANGES_H
#define PROF_ANALYSIS_GPU_RANGES_H

#include "analysis/gpu/gpu_study.h"

struct prof_gpu_range_row {  /* all instances of one name */
  const char *name, *domain; /* domain: "": the default one */
  uint64_t instances, open;  /* open: not ended when the recording ended; their time is up to there */
  uint64_t total_ns, avg_ns, min_ns, max_ns;
  uint64_t kernels, copies; /* launched in it; copies: with sets */
  uint64_t gpu_ns, api_ns;  /* time of these on the GPU; time in API calls */
};

struct prof_gpu_range_kernel {
  const char *what, *short_what; /* kernel or kind of copy */
  uint64_t count, total_ns, min_ns, max_ns;
};

struct prof_gpu_instance {
  const char *name, *domain;
  uint64_t number; /* among those of its name, from 1 */
  uint32_t tid;
  const char *thread_name;        /* the program's name; "": none */
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

/* pattern: a glob; returns instances of ranges whose name matches, with their kernels.  NULL: none. */
prof_status prof_gpu_ranges(struct prof_gpu_study *, const char *pattern,
                            struct prof_gpu_range_rows *out) PROF_MUST_CHECK;
void prof_gpu_ranges_free(struct prof_gpu_range_rows *);

#endif
