/*
 * tools/analysis/gpu/gpu_gaps.c - see gpu_gaps.h.
 */
#include "analysis/gpu/gpu_gaps.h"

#include <stdlib.h>
#include <string.h>

#include "base/order.h"

bool prof_gpu_gaps_walk(const struct prof_gpu_study *study, uint32_t device, prof_gpu_take_gap *take, void *context) {
  const struct prof_gpu_device_info *info = &study->timeline.devices.items[device];
  const struct prof_gpu_span *spans = study->timeline.spans.items + info->first;
  uint64_t busy_until = info->count > 0 ? spans[0].end : 0;
  for (size_t i = 1; i < info->count; i++) {
    if (spans[i].start > busy_until && !take(context, busy_until, spans[i].start, &spans[i]))
      return false;
    busy_until = spans[i].end > busy_until ? spans[i].end : busy_until;
  }
  return true;
}

struct longest {
  const struct prof_gpu_study *study;
  struct prof_gpu_gap *items; /* the longest first */
  size_t count, most;
  uint32_t device;
};

/* As gpu_idle.h divides a gap: up to the launching call, and from then on. */
static enum prof_gpu_idle_why why_of(const struct prof_gpu_api_call *call, uint64_t begin, uint64_t end) {
  if (call == NULL)
    return PROF_GPU_IDLE_UNKNOWN;
  if (call->start + call->duration <= begin)
    return PROF_GPU_IDLE_QUEUED;
  uint64_t asked = call->start < begin ? begin : call->start > end ? end : call->start;
  return asked - begin >= end - asked ? PROF_GPU_IDLE_HOST : PROF_GPU_IDLE_LAUNCH;
}

static bool keep(void *context, uint64_t begin, uint64_t end, const struct prof_gpu_span *ended_by) {
  struct longest *longest = context;
  const struct prof_gpu_api_call *call = prof_gpu_study_call(longest->study, ended_by->call);
  if (!prof_gpu_study_clip(longest->study, &begin, &end))
    return true;
  const struct prof_gpu_gap gap = {begin, end, longest->device, call ? call->thread : PROF_NONE,
                                   why_of(call, begin, end)};
  const struct prof_gpu_gap *items = longest->items;
  size_t at = prof_search(0, longest->count, middle, items[middle].end - items[middle].begin >= gap.end - gap.begin);
  if (at == longest->most)
    return true;
  longest->count += longest->count < longest->most;
  memmove(longest->items + at + 1, longest->items + at, (longest->count - at - 1) * sizeof gap);
  longest->items[at] = gap;
  return true;
}

prof_status prof_gpu_gaps_longest(const struct prof_gpu_study *study, size_t most, struct prof_gpu_gap **out,
                                  size_t *count) {
  struct longest longest = {.study = study, .most = most, .items = calloc(most, sizeof *longest.items)};
  if (!longest.items)
    return PROF_NO_MEMORY;
  for (uint32_t i = 0; i < study->timeline.devices.count; i++) {
    longest.device = i;
    (void)prof_gpu_gaps_walk(study, i, keep, &longest);
  }
  *out = longest.items;
  *count = longest.count;
  return PROF_OK;
}
