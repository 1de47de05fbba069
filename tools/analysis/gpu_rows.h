/*
 * tools/analysis/gpu_rows.h - groups of GPU activities into rows with names, paths and shares.
 *
 * Between gpu.c and what it gives out.
 */
#ifndef PROF_ANALYSIS_GPU_ROWS_H
#define PROF_ANALYSIS_GPU_ROWS_H

#include "analysis/gpu.h"
#include "analysis/gpu_groups.h"

#define PROF_GPU_SET_KEY 1000u /* among the copies */

struct prof_gpu_work {
  const prof_trace *trace;
  const struct prof_filter *filter;
  struct prof_names *names;
  enum prof_demangle demangle;
  struct prof_gpu_join *join;
  struct prof_gpu_groups kernels, copies;
  PROF_VEC(const char *) kernel_names; /* by key of `kernels` */
  PROF_VEC(uint64_t) seen;             /* source << 32 | text, of ... */
  PROF_VEC(uint32_t) seen_keys;        /* ... these keys */
};

/* The key of a kernel's name, the same for all sources; PROF_NONE: no memory. */
uint32_t prof_gpu_work_name(struct prof_gpu_work *, uint32_t source, uint32_t text);

/* The key of a sort of copy: its kind, and the host's memory. */
uint32_t prof_gpu_copy_key(uint64_t kind, uint64_t from, uint64_t to);

prof_status prof_gpu_work_rows(struct prof_gpu_work *, enum prof_gpu_by, struct prof_gpu_rows *out);
void prof_gpu_work_fini(struct prof_gpu_work *);

#endif
