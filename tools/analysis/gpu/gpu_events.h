/*
 * tools/analysis/gpu/gpu_events.h - GPU work as events in time order, for replay.
 *
 * In: a study.  Out: an array that the caller frees; names live as long as the study.  The filter's functions and
 * threads apply to the launching call, its range to the begin, its minimal time to the time on the GPU.
 */
#ifndef PROF_ANALYSIS_GPU_EVENTS_H
#define PROF_ANALYSIS_GPU_EVENTS_H

#include "analysis/gpu/gpu_study.h"

struct prof_gpu_event {
  uint64_t time_ns, duration_ns; /* since the start of the recording */
  uint64_t launch_ns;            /* begin of the launching call */
  const char *name;              /* short */
  uint32_t device, stream;
  const char *device_called, *stream_called, *thread_called; /* the program's names; "": none */
  uint32_t tid;                                              /* of the launching thread */
  bool has_call;
};

struct prof_gpu_events {
  struct prof_gpu_event *items;
  size_t count;
};

prof_status prof_gpu_events_list(struct prof_gpu_study *, struct prof_gpu_events *out) PROF_MUST_CHECK;
void prof_gpu_events_free(struct prof_gpu_events *);

#endif
