/*
 * tools/analysis/gpu/gpu_waits.h - what did the host wait for?
 *
 * Job: the time that host threads spent in synchronisation, charged to the work on the GPU that ran meanwhile: in the
 * stream waited for, or in all of the context.  Each tick of a wait is charged once, of several that ran to the one
 * that began first.  A copy that is not asynchronous is a wait from its call's begin to its own end.  In: a study.
 */
#ifndef PROF_ANALYSIS_GPU_WAITS_H
#define PROF_ANALYSIS_GPU_WAITS_H

#include "analysis/gpu/gpu_study.h"

struct prof_gpu_wait_row {
  const char *what, *short_what; /* awaited: a kernel, a kind of copy; "": nothing ran */
  struct prof_gpu_sum sum; /* who waited, in which call; count: waits that had a part in it; share: of all waiting */
};

struct prof_gpu_wait_rows {
  struct prof_gpu_wait_row *rows; /* the longest first */
  size_t count;
  uint64_t waits, total_ns;
};

prof_status prof_gpu_waits(struct prof_gpu_study *, struct prof_gpu_wait_rows *out) PROF_MUST_CHECK;
void prof_gpu_waits_free(struct prof_gpu_wait_rows *);

#endif
