/*
 * tools/analysis/gpu/gpu_idle.c - see gpu_idle.h.
 *
 *    spans of a device ──> gaps ──> stretches of threads ──> paths (gpu_join) ──> cut at API calls ──> groups
 */
#include "analysis/gpu/gpu_idle.h"
#include "base/order.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/gpu/gpu_groups.h"

struct pass {
  struct prof_gpu_study *study;
  struct prof_gpu_groups groups; /* key: why and index of `calls`; path */
  PROF_VEC(uint64_t) calls;      /* source << 32 | text; 0: none */
  PROF_VEC(struct prof_gpu_stretch) stretches;
  PROF_VEC(uint32_t) gap_of; /* by stretch */
  uint32_t *by_thread;       /* outermost calls, by thread and start */
  size_t by_thread_count, cursor;
  uint64_t gaps, total;
  uint32_t gap;
  bool failed;
};

/* ---- groups ---- */

static uint32_t call_key(struct pass *pass, const struct prof_gpu_api_call *call) {
  uint64_t wanted = call != NULL ? (uint64_t)call->source << 32 | call->name : 0;
  for (size_t i = 0; i < pass->calls.count; i++)
    if (pass->calls.items[i] == wanted)
      return (uint32_t)i;
  if (!prof_vec_push(&pass->calls, wanted)) {
    pass->failed = true;
    return 0;
  }
  return (uint32_t)pass->calls.count - 1;
}

/* `call`: the API call in which the time passed; thread: of the path. */
static void charge(struct pass *pass, enum prof_gpu_idle_why why, uint32_t path, uint32_t thread,
                   const struct prof_gpu_api_call *call, uint64_t ticks) {
  if (ticks == 0 || !prof_gpu_study_shows(pass->study, path, thread))
    return;
  struct prof_gpu_group *group = prof_gpu_groups_at(&pass->groups, call_key(pass, call) << 2 | why, path, 0);
  if (group == NULL) {
    pass->failed = true;
    return;
  }
  /* Parts of one gap count once. */
  if (group->count == 0 || group->call != pass->gap) {
    group->count++;
    group->call = pass->gap;
    group->bytes = 0;
  }
  group->bytes += ticks; /* of this gap */
  group->max = group->bytes > group->max ? group->bytes : group->max;
  group->total += ticks;
  pass->total += ticks;
}

/* ---- the host's part ---- */

static int compare_calls(const void *left, const void *right, void *context) {
  const struct prof_gpu_api_call *calls = context, *a = &calls[*(const uint32_t *)left],
                                 *b = &calls[*(const uint32_t *)right];
  return prof_order(a->thread, b->thread) ?: prof_order(a->start, b->start);
}

static bool sort_calls(struct pass *pass) {
  const struct prof_gpu_study *study = pass->study;
  pass->by_thread = malloc((study->call_count + 1) * sizeof *pass->by_thread);
  if (pass->by_thread == NULL)
    return false;
  for (size_t i = 0; i < study->call_count; i++)
    if (!study->calls[i].nested && study->calls[i].thread != PROF_NONE)
      pass->by_thread[pass->by_thread_count++] = (uint32_t)i;
  qsort_r(pass->by_thread, pass->by_thread_count, sizeof *pass->by_thread, compare_calls, (void *)study->calls);
  return true;
}

/* The thread's next call that ends after `time`; stretches are sorted by thread and time, so the cursor only moves
 * forward. */
static const struct prof_gpu_api_call *next_call(struct pass *pass, uint32_t thread, uint64_t time) {
  for (; pass->cursor < pass->by_thread_count; pass->cursor++) {
    const struct prof_gpu_api_call *call = &pass->study->calls[pass->by_thread[pass->cursor]];
    if (call->thread > thread || (call->thread == thread && call->start + call->duration > time))
      return call->thread == thread ? call : NULL;
  }
  return NULL;
}

static void take_path(void *context, size_t index, uint32_t path, uint64_t begin, uint64_t end) {
  struct pass *pass = context;
  uint32_t thread = pass->stretches.items[index].thread;
  pass->gap = pass->gap_of.items[index];
  while (begin < end) {
    const struct prof_gpu_api_call *call = next_call(pass, thread, begin);
    if (call == NULL || call->start >= end) {
      charge(pass, PROF_GPU_IDLE_HOST, path, thread, NULL, end - begin);
      return;
    }
    if (call->start > begin) {
      charge(pass, PROF_GPU_IDLE_HOST, path, thread, NULL, call->start - begin);
      begin = call->start;
    }
    uint64_t until = call->start + call->duration < end ? call->start + call->duration : end;
    charge(pass, PROF_GPU_IDLE_HOST, path, thread, call, until - begin);
    begin = until;
  }
}

/* ---- gaps ---- */

static bool take_gap(void *context, uint64_t begin, uint64_t end, const struct prof_gpu_span *ended_by) {
  struct pass *pass = context;
  const struct prof_gpu_api_call *call = prof_gpu_study_call(pass->study, ended_by->call);
  if (!prof_gpu_study_clip(pass->study, &begin, &end))
    return true;
  pass->gap = (uint32_t)++pass->gaps;
  if (call == NULL) {
    charge(pass, PROF_GPU_IDLE_UNKNOWN, 0, PROF_NONE, NULL, end - begin);
    return true;
  }
  if (call->start + call->duration <= begin) {
    charge(pass, PROF_GPU_IDLE_QUEUED, call->path, call->thread, call, end - begin);
    return true;
  }
  uint64_t asked = call->start < begin ? begin : call->start > end ? end : call->start;
  charge(pass, PROF_GPU_IDLE_LAUNCH, call->path, call->thread, call, end - asked);
  if (call->thread == PROF_NONE) { /* no events: only the path of the launch is known */
    charge(pass, PROF_GPU_IDLE_HOST, call->path, call->thread, NULL, asked - begin);
    return true;
  }
  struct prof_gpu_stretch stretch = {begin, asked, call->thread};
  return asked == begin || (prof_vec_push(&pass->stretches, stretch) && prof_vec_push(&pass->gap_of, pass->gap));
}

/* Sorts by thread, stable: a thread's stretches stay in time order. */
static bool sort_stretches(struct pass *pass) {
  size_t count = pass->stretches.count;
  struct prof_gpu_stretch *sorted = malloc((count + 1) * sizeof *sorted);
  uint32_t *gaps = malloc((count + 1) * sizeof *gaps);
  bool good = sorted != NULL && gaps != NULL;
  uint32_t most = 0;
  size_t *begins = NULL;
  for (size_t i = 0; i < count; i++)
    most = pass->stretches.items[i].thread > most ? pass->stretches.items[i].thread : most;
  if (good)
    begins = calloc((size_t)most + 2, sizeof *begins);
  good = good && begins != NULL;
  if (good) {
    for (size_t i = 0; i < count; i++)
      begins[pass->stretches.items[i].thread + 1]++;
    for (size_t i = 1; i < (size_t)most + 2; i++)
      begins[i] += begins[i - 1];
    for (size_t i = 0; i < count; i++) {
      size_t to = begins[pass->stretches.items[i].thread]++;
      sorted[to] = pass->stretches.items[i];
      gaps[to] = pass->gap_of.items[i];
    }
    if (count > 0) {
      memcpy(pass->stretches.items, sorted, count * sizeof *sorted);
      memcpy(pass->gap_of.items, gaps, count * sizeof *gaps);
    }
  }
  free(begins);
  free(sorted);
  free(gaps);
  return good;
}

static bool take_device(struct pass *pass, uint32_t device) {
  pass->stretches.count = pass->gap_of.count = 0;
  bool good = prof_gpu_gaps_walk(pass->study, device, take_gap, pass);
  pass->cursor = 0;
  return good && sort_stretches(pass) &&
         prof_gpu_join_charge(pass->study->join, pass->stretches.items, pass->stretches.count, take_path, pass) ==
             PROF_OK &&
         !pass->failed;
}

/* ---- rows ---- */

static int compare_rows(const void *left, const void *right) {
  const struct prof_gpu_idle_row *a = left, *b = right;
  int order = prof_order(b->sum.total_ns, a->sum.total_ns) ?: prof_order(a->why, b->why);
  return order ?: prof_gpu_sum_compare(&a->sum, &b->sum);
}

static bool give_rows(struct pass *pass, struct prof_gpu_idle_rows *out) {
  struct prof_gpu_study *study = pass->study;
  out->rows = calloc(pass->groups.items.count + 1, sizeof *out->rows);
  for (size_t i = 0; out->rows != NULL && i < pass->groups.items.count; i++) {
    const struct prof_gpu_group *group = &pass->groups.items.items[i];
    uint64_t call = pass->calls.items[group->key >> 2];
    out->rows[out->count++] = (struct prof_gpu_idle_row){
        .why = (enum prof_gpu_idle_why)(group->key & 3),
        .sum = prof_gpu_study_sum(study, group, group->path, (uint32_t)(call >> 32), (uint32_t)call, pass->total),
    };
  }
  if (out->rows == NULL)
    return false;
  qsort(out->rows, out->count, sizeof *out->rows, compare_rows);
  out->gaps = pass->gaps;
  out->total_ns = prof_trace_ns(study->trace, pass->total);
  return true;
}

prof_status prof_gpu_idle(struct prof_gpu_study *study, struct prof_gpu_idle_rows *out) {
  struct pass pass = {.study = study};
  *out = (struct prof_gpu_idle_rows){0};
  bool good = sort_calls(&pass);
  for (uint32_t i = 0; good && i < study->timeline.devices.count; i++)
    good = take_device(&pass, i);
  good = good && give_rows(&pass, out);
  prof_gpu_groups_fini(&pass.groups);
  prof_vec_fini(&pass.calls);
  prof_vec_fini(&pass.stretches);
  prof_vec_fini(&pass.gap_of);
  free(pass.by_thread);
  if (!good)
    prof_gpu_idle_free(out);
  return good ? PROF_OK : PROF_NO_MEMORY;
}

void prof_gpu_idle_free(struct prof_gpu_idle_rows *rows) {
  free(rows->rows);
  *rows = (struct prof_gpu_idle_rows){0};
}
