/*
 * tools/analysis/gpu/gpu_events.c - see gpu_events.h.
 */
#include "analysis/gpu/gpu_events.h"
#include "base/order.h"

#include <stdlib.h>

static bool is_shown(const struct prof_gpu_study *study, const struct prof_gpu_span *span,
                     const struct prof_gpu_api_call *call) {
  uint64_t begin = span->start, end = span->start + 1;
  return prof_gpu_study_shows(study, call != NULL ? call->path : 0, call != NULL ? call->thread : PROF_NONE) &&
         prof_gpu_study_clip(study, &begin, &end) &&
         (!study->filter->active || span->end - span->start >= study->filter->min_ticks);
}

static uint64_t since_start(const struct prof_gpu_study *study, uint64_t ticks) {
  uint64_t start = prof_trace_info(study->trace)->start_ticks;
  return ticks > start ? prof_trace_ns(study->trace, ticks - start) : 0;
}

static int compare(const void *left, const void *right) {
  const struct prof_gpu_event *a = left, *b = right;
  return prof_order(a->time_ns, b->time_ns) ?: prof_order(a->device, b->device) ?: prof_order(a->stream, b->stream);
}

prof_status prof_gpu_events_list(struct prof_gpu_study *study, struct prof_gpu_events *out) {
  const struct prof_gpu_timeline *timeline = &study->timeline;
  *out = (struct prof_gpu_events){.items = calloc(timeline->spans.count + 1, sizeof *out->items)};
  if (out->items == NULL)
    return PROF_NO_MEMORY;
  for (size_t i = 0; i < timeline->spans.count; i++) {
    const struct prof_gpu_span *span = &timeline->spans.items[i];
    const struct prof_gpu_lane *lane = &timeline->lanes.items[span->lane];
    const struct prof_gpu_api_call *call = prof_gpu_study_call(study, span->call);
    if (!is_shown(study, span, call))
      continue;
    out->items[out->count++] = (struct prof_gpu_event){
        .time_ns = since_start(study, span->start),
        .duration_ns = prof_trace_ns(study->trace, span->end - span->start),
        .launch_ns = call != NULL ? since_start(study, call->start) : 0,
        .name = prof_gpu_study_what(study, span, true),
        .device = timeline->devices.items[lane->device].device,
        .stream = lane->stream,
        .device_called = prof_gpu_study_name(study, PROF_GPU_NAMED_DEVICE, lane->source,
                                             timeline->devices.items[lane->device].device),
        .stream_called = prof_gpu_study_name(study, PROF_GPU_NAMED_STREAM, lane->source, lane->stream),
        .thread_called = call != NULL ? prof_gpu_study_name(study, PROF_GPU_NAMED_THREAD, call->source, call->tid) : "",
        .tid = call != NULL ? call->tid : 0,
        .has_call = call != NULL,
    };
  }
  qsort(out->items, out->count, sizeof *out->items, compare);
  return PROF_OK;
}

void prof_gpu_events_free(struct prof_gpu_events *events) {
  free(events->items);
  *events = (struct prof_gpu_events){0};
}
