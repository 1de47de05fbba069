/*
 * tools/analysis/gpu/gpu_waits.c - see gpu_waits.h.
 *
 * Spans of a device are in the order of their begins.  `reach` is the latest end up to each, so that bisection finds
 * the first span that may overlap a wait.
 */
#include "analysis/gpu/gpu_waits.h"
#include "base/order.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/gpu/gpu_groups.h"

#define NOTHING UINT32_MAX
#define KIND_SHIFT 28 /* a key: record << 28 | name */
#define ALL_STREAMS UINT32_MAX

struct pass {
  struct prof_gpu_study *study;
  struct prof_gpu_groups groups; /* key: what; path: index of `places` */
  PROF_VEC(struct prof_gpu_pause) waits;
  PROF_VEC(uint64_t) places;  /* path << 32 | text of the call; */
  PROF_VEC(uint32_t) sources; /* ... and the source of the text */
  uint64_t *reach;
  uint64_t total, count;
};

/* ---- waits ---- */

static int compare_waits(const void *left, const void *right) {
  const struct prof_gpu_pause *a = left, *b = right;
  return prof_order(a->start, b->start);
}

/* Takes the timeline's waits, and copies that are not asynchronous. */
static bool gather(struct pass *pass) {
  const struct prof_gpu_timeline *timeline = &pass->study->timeline;
  for (size_t i = 0; i < timeline->pauses.count; i++)
    if (!prof_vec_push(&pass->waits, timeline->pauses.items[i]))
      return false;
  for (size_t i = 0; i < timeline->spans.count; i++) {
    const struct prof_gpu_span *span = &timeline->spans.items[i];
    const struct prof_gpu_lane *lane = &timeline->lanes.items[span->lane];
    const struct prof_gpu_api_call *call = prof_gpu_study_call(pass->study, span->call);
    if (!span->is_synchronous || call == NULL)
      continue;
    uint64_t returned = call->start + call->duration;
    struct prof_gpu_pause wait = {.start = call->start,
                                  .end = span->end < returned ? span->end : returned,
                                  .call = span->call,
                                  .source = lane->source,
                                  .context = lane->context,
                                  .stream = lane->stream};
    if (wait.end > wait.start && !prof_vec_push(&pass->waits, wait))
      return false;
  }
  prof_vec_sort(&pass->waits, compare_waits);
  return true;
}

/* ---- charging ---- */

static uint32_t place_of(struct pass *pass, const struct prof_gpu_api_call *call) {
  uint64_t wanted = call != NULL ? (uint64_t)call->path << 32 | call->name : 0;
  uint32_t source = call != NULL ? call->source : 0;
  for (size_t i = pass->places.count; i > 0; i--)
    if (pass->places.items[i - 1] == wanted && pass->sources.items[i - 1] == source)
      return (uint32_t)i - 1;
  if (!prof_vec_push(&pass->places, wanted) || !prof_vec_push(&pass->sources, source))
    return NOTHING;
  return (uint32_t)pass->places.count - 1;
}

static bool charge(struct pass *pass, uint32_t key, uint32_t place, uint64_t ticks) {
  if (ticks == 0)
    return true;
  struct prof_gpu_group *group = prof_gpu_groups_at(&pass->groups, key, place, 0);
  if (group == NULL)
    return false;
  prof_gpu_groups_add(&pass->groups, group, ticks, true);
  return true;
}

static bool is_awaited(const struct pass *pass, const struct prof_gpu_span *span, const struct prof_gpu_pause *wait) {
  const struct prof_gpu_lane *lane = &pass->study->timeline.lanes.items[span->lane];
  return lane->source == wait->source && lane->context == wait->context &&
         (wait->stream == ALL_STREAMS || lane->stream == wait->stream);
}

static const struct prof_gpu_device_info *device_of(const struct pass *pass, const struct prof_gpu_pause *wait) {
  const struct prof_gpu_timeline *timeline = &pass->study->timeline;
  for (size_t i = 0; i < timeline->lanes.count; i++)
    if (timeline->lanes.items[i].source == wait->source && timeline->lanes.items[i].context == wait->context)
      return &timeline->devices.items[timeline->lanes.items[i].device];
  return NULL;
}

/* The first span of a device that ends after `time`, or an earlier one. */
static size_t first_after(const struct pass *pass, const struct prof_gpu_device_info *device, uint64_t time) {
  return prof_search(device->first, device->first + device->count, middle, pass->reach[middle] <= time);
}

static bool take(struct pass *pass, const struct prof_gpu_pause *wait) {
  const struct prof_gpu_api_call *call = prof_gpu_study_call(pass->study, wait->call);
  const struct prof_gpu_device_info *device = device_of(pass, wait);
  uint64_t at = wait->start, end = wait->end;
  if (!prof_gpu_study_shows(pass->study, call != NULL ? call->path : 0, call != NULL ? call->thread : PROF_NONE) ||
      !prof_gpu_study_clip(pass->study, &at, &end))
    return true;
  uint32_t place = place_of(pass, call);
  bool good = place != NOTHING;
  pass->count++;
  pass->total += end - at;
  size_t i = device != NULL ? first_after(pass, device, at) : 0;
  for (; good && device != NULL && i < device->first + device->count && at < end; i++) {
    const struct prof_gpu_span *span = &pass->study->timeline.spans.items[i];
    if (span->start >= end)
      break;
    if (span->end <= at || !is_awaited(pass, span, wait))
      continue;
    if (span->start > at) {
      good = charge(pass, NOTHING, place, span->start - at);
      at = span->start;
    }
    uint64_t until = span->end < end ? span->end : end;
    good = good && charge(pass, (uint32_t)span->record << KIND_SHIFT | span->name, place, until - at);
    at = until;
  }
  return good && charge(pass, NOTHING, place, at < end ? end - at : 0);
}

/* ---- rows ---- */

static int compare_rows(const void *left, const void *right) {
  const struct prof_gpu_wait_row *a = left, *b = right;
  int order = strcmp(a->what, b->what);
  return a->sum.total_ns != b->sum.total_ns || order == 0 ? prof_gpu_sum_compare(&a->sum, &b->sum) : order;
}

static bool give_rows(struct pass *pass, struct prof_gpu_wait_rows *out) {
  struct prof_gpu_study *study = pass->study;
  out->rows = calloc(pass->groups.items.count + 1, sizeof *out->rows);
  for (size_t i = 0; out->rows != NULL && i < pass->groups.items.count; i++) {
    const struct prof_gpu_group *group = &pass->groups.items.items[i];
    uint64_t place = pass->places.items[group->path];
    struct prof_gpu_wait_row *row = &out->rows[out->count++];
    struct prof_gpu_span span = {.record = (uint8_t)(group->key >> KIND_SHIFT),
                                 .name = group->key & ((1u << KIND_SHIFT) - 1)};
    *row = (struct prof_gpu_wait_row){
        .what = group->key == NOTHING ? "" : prof_gpu_study_what(study, &span, false),
        .short_what = group->key == NOTHING ? "" : prof_gpu_study_what(study, &span, true),
        .sum = prof_gpu_study_sum(study, group, (uint32_t)(place >> 32), pass->sources.items[group->path],
                                  (uint32_t)place, pass->total),
    };
  }
  if (out->rows == NULL)
    return false;
  qsort(out->rows, out->count, sizeof *out->rows, compare_rows);
  out->waits = pass->count;
  out->total_ns = prof_trace_ns(study->trace, pass->total);
  return true;
}

static void measure_reach(struct pass *pass) {
  const struct prof_gpu_timeline *timeline = &pass->study->timeline;
  for (size_t d = 0; d < timeline->devices.count; d++) {
    const struct prof_gpu_device_info *device = &timeline->devices.items[d];
    uint64_t reach = 0;
    for (size_t i = device->first; i < device->first + device->count; i++) {
      reach = timeline->spans.items[i].end > reach ? timeline->spans.items[i].end : reach;
      pass->reach[i] = reach;
    }
  }
}

prof_status prof_gpu_waits(struct prof_gpu_study *study, struct prof_gpu_wait_rows *out) {
  struct pass pass = {.study = study, .reach = calloc(study->timeline.spans.count + 1, sizeof *pass.reach)};
  *out = (struct prof_gpu_wait_rows){0};
  bool good = pass.reach != NULL && gather(&pass);
  if (good)
    measure_reach(&pass);
  for (size_t i = 0; good && i < pass.waits.count; i++)
    good = take(&pass, &pass.waits.items[i]);
  good = good && give_rows(&pass, out);
  prof_gpu_groups_fini(&pass.groups);
  prof_vec_fini(&pass.waits);
  prof_vec_fini(&pass.places);
  prof_vec_fini(&pass.sources);
  free(pass.reach);
  if (!good)
    prof_gpu_waits_free(out);
  return good ? PROF_OK : PROF_NO_MEMORY;
}

void prof_gpu_waits_free(struct prof_gpu_wait_rows *rows) {
  free(rows->rows);
  *rows = (struct prof_gpu_wait_rows){0};
}
