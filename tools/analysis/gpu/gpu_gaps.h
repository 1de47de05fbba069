/*
 * tools/analysis/gpu/gpu_gaps.h - the gaps between a device's works.
 *
 * In: a study.  Out: each gap with the work that ended it, in order; or the longest ones with what they waited for.
 */
#ifndef PROF_ANALYSIS_GPU_GAPS_H
#define PROF_ANALYSIS_GPU_GAPS_H

#include "analysis/gpu/gpu_study.h"

/* What the device waited for: gpu_idle.h says what each means. */
enum prof_gpu_idle_why {
  PROF_GPU_IDLE_HOST = 0,
  PROF_GPU_IDLE_LAUNCH,
  PROF_GPU_IDLE_QUEUED,
  PROF_GPU_IDLE_UNKNOWN, /* the launching call is not known */
};

/* A gap of a device, in ticks; false ends the walk. */
typedef bool prof_gpu_take_gap(void *context, uint64_t begin, uint64_t end, const struct prof_gpu_span *ended_by);

/* false: `take` has ended it. */
bool prof_gpu_gaps_walk(const struct prof_gpu_study *, uint32_t device, prof_gpu_take_gap *, void *context);

struct prof_gpu_gap {
  uint64_t begin, end;        /* ticks, within the filter's range */
  uint32_t device;            /* index into the devices of the timeline */
  uint32_t thread;            /* that launched what ended it; PROF_NONE: no events, or not known */
  enum prof_gpu_idle_why why; /* of its longest part */
};

/* The longest ones, the longest first, at most `most` (not 0).  The caller frees *out.  PROF_NO_MEMORY: nothing to
 * free. */
prof_status prof_gpu_gaps_longest(const struct prof_gpu_study *, size_t most, struct prof_gpu_gap **out,
                                  size_t *count) PROF_MUST_CHECK;

#endif
