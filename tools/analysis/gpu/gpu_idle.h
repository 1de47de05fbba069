/*
 * tools/analysis/gpu/gpu_idle.h - what did the host do while the GPU was idle?
 *
 * Job: charges each gap between a device's works to the call path of the thread that ended it.  In: a study.  A work
 * ends a gap.  Up to the begin of its launching call the thread did something else: `host`, charged to the thread's
 * path at each time, and to the API call if it was in one.  From then on the time is `launch`.  If the work was
 * launched before the gap began, the GPU delayed it: `queued`.
 */
#ifndef PROF_ANALYSIS_GPU_IDLE_H
#define PROF_ANALYSIS_GPU_IDLE_H

#include "analysis/gpu/gpu_gaps.h"

struct prof_gpu_idle_row {
  enum prof_gpu_idle_why why;
  struct prof_gpu_sum sum; /* count: gaps with a part here; share: of all idle time shown */
};

struct prof_gpu_idle_rows {
  struct prof_gpu_idle_row *rows; /* the longest first */
  size_t count;
  uint64_t gaps, total_ns;
};

prof_status prof_gpu_idle(struct prof_gpu_study *, struct prof_gpu_idle_rows *out) PROF_MUST_CHECK;
void prof_gpu_idle_free(struct prof_gpu_idle_rows *);

#endif
