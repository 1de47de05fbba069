/*
 * tools/analysis/gpu/gpu_idle.h - what did the host do while the GPU had nothing to do?
 *
 * Job: the gaps between a device's works, charged to the call path of the thread that ended them, tick by tick.  In: a
 * study.  A gap is ended by a work; up to the begin of the call that asked for it the thread was doing something else:
 * that is `host`, charged to the path it was in itself, and to the API call if it was in one.  From then on the time is
 * `launch`.  A work that had been asked for before the gap began was held up on the GPU: `queued`.
 */
#ifndef PROF_ANALYSIS_GPU_IDLE_H
#define PROF_ANALYSIS_GPU_IDLE_H

#include "analysis/gpu/gpu_study.h"

enum prof_gpu_idle_why {
  PROF_GPU_IDLE_HOST = 0,
  PROF_GPU_IDLE_LAUNCH,
  PROF_GPU_IDLE_QUEUED,
  PROF_GPU_IDLE_UNKNOWN, /* nobody knows which call asked for the work */
};

struct prof_gpu_idle_row {
  enum prof_gpu_idle_why why;
  struct prof_gpu_sum sum; /* count: gaps that have a part here; share: of all idle time shown */
};

struct prof_gpu_idle_rows {
  struct prof_gpu_idle_row *rows; /* the longest first */
  size_t count;
  uint64_t gaps, total_ns;
};

prof_status prof_gpu_idle(struct prof_gpu_study *, struct prof_gpu_idle_rows *out) PROF_MUST_CHECK;
void prof_gpu_idle_free(struct prof_gpu_idle_rows *);

#endif
