/*
 * tools/analysis/gpu/gpu_waits.h - what did the host wait for?
 *
 * Job: charges the time that host threads spent in synchronisation to the work on the GPU that ran meanwhile: in the
 * awaited stream, or in the whole context.  Each tick of a wait is charged once: to the work that began first.  A copy
 * that is not asynchronous is a wait from its call's begin to its own end.  In: a study.
 */
#ifndef PROF_ANALYSIS_GPU_WAITS_H
#define PROF_ANALYSIS_GPU_WAITS_H

#include "analysis/gpu/gpu_study.h"

struct prof_gpu_wait_row {
  const char *what, *short_what; /* awaited: a kernel, a kind of copy; "": nothing ran */
  struct prof_gpu_sum sum;       /* count: waits with a part here; share: of all waiting */
};

struct prof_gpu_wait_rows {
  struct prof_gpu_wait_row *rows; /* the longest first */
  size_t count;
  uint64_t waits, total_ns;
};

prof_status prof_gpu_waits(struct prof_gpu_study *, struct prof_gpu_wait_rows *out) PROF_MUST_CHECK;
void prof_gpu_waits_free(struct prof_gpu_wait_rows *);

#endif
