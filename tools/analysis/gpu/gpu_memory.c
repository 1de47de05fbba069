/*
 * tools/analysis/gpu/gpu_memory.c - see gpu_memory.h.
 *
 *    events in time order -> groups and pools (gpu_memory_tally.h), and what lived at each moment -> rows
 */
#include "analysis/gpu/gpu_memory.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/gpu/gpu_memory_tally.h"
#include "base/order.h"

struct ranking {
  struct prof_gpu_study *study;
  const struct prof_memory_options *options;
  struct prof_gpu_memory_tally tally;
  PROF_VEC(struct prof_memory_moment) before, after; /* per group that there was then */
  uint64_t *ends;                                    /* per source: when its process ended */
  size_t past;                                       /* so many moments are over */
  PROF_VEC(struct prof_gpu_memory_row) rows;
  PROF_VEC(struct prof_gpu_memory_pool) pools;
  struct prof_index_map known;
  struct prof_gpu_memory *out;
};

/* ---- moments ---- */

/* False: no memory. */
static bool find_ends(struct ranking *ranking) {
  struct prof_process_ends ends;
  size_t count;
  const struct prof_gpu_source *sources = prof_trace_gpu_sources(ranking->study->trace, &count);
  ranking->ends = malloc((count + 1) * sizeof *ranking->ends);
  bool good = prof_process_ends_find(&ends, ranking->study->trace) && ranking->ends != NULL;
  for (size_t i = 0; good && i < count; i++) {
    ranking->ends[i] = UINT64_MAX;
    for (size_t k = 0; k < ends.list.count; k++)
      if (ends.list.items[k].process == sources[i].process)
        ranking->ends[i] = ends.list.items[k].ticks;
  }
  prof_process_ends_fini(&ends);
  return good;
}

/* The next moment has come: what lived just before it.  False: no memory. */
static bool note_moment(struct ranking *ranking) {
  const struct prof_memory_options *options = ranking->options;
  const struct prof_gpu_memory_tally *tally = &ranking->tally;
  const size_t at = ranking->past++;
  for (size_t i = 0; i < tally->groups.count; i++) {
    const struct prof_gpu_memory_group *group = &tally->groups.items[i];
    const struct prof_gpu_memory_total *pool = &tally->pools.items[group->pool];
    struct prof_memory_moment now = {group->sum.live_bytes, group->sum.live_calls, 0};
    if (ranking->ends[pool->source] < options->moments[at])
      now = (struct prof_memory_moment){0, 0, 0};
    if (strcmp(pool->sort, "host") != 0)
      ranking->out->at[at] += now.bytes;
    if ((at == 0 && !prof_vec_push(&ranking->before, now)) ||
        (at > 0 && at + 1 == options->moment_count && !prof_vec_push(&ranking->after, now)))
      return false;
  }
  return true;
}

/* ---- pools ---- */

static struct prof_gpu_memory_pool pool_of(const struct ranking *ranking, const struct prof_gpu_memory_total *total) {
  const struct prof_gpu_study *study = ranking->study;
  const uint32_t device = prof_gpu_timeline_device(&study->timeline, total->source, total->device);
  const uint64_t start = prof_trace_info(study->trace)->start_ticks;
  return (struct prof_gpu_memory_pool){
      .device = total->device,
      .has_device = total->device != UINT32_MAX,
      .name = device != PROF_NONE ? study->timeline.devices.items[device].name : "",
      .sort = total->sort,
      .source = total->source,
      .pid = prof_trace_gpu_sources(study->trace, NULL)[total->source].pid,
      .sum = {.peak_bytes = total->peak_bytes},
      .peak_ns = total->peak_ticks > start ? prof_trace_ns(study->trace, total->peak_ticks - start) : 0,
      .frees = total->frees,
      .unknown_frees = total->unknown_frees,
  };
}

static int compare_pools(const void *left, const void *right) {
  const struct prof_gpu_memory_pool *a = left, *b = right;
  return prof_order(a->device, b->device) ?: prof_order(a->source, b->source) ?: strcmp(a->sort, b->sort);
}

/* ---- rows ---- */

static void add(struct prof_memory_figures *to, const struct prof_memory_figures *figures, bool with_peak) {
  to->calls += figures->calls;
  to->bytes += figures->bytes;
  to->live_calls += figures->live_calls;
  to->live_bytes += figures->live_bytes;
  to->peak_bytes += with_peak ? figures->peak_bytes : 0;
  to->temporary += figures->temporary;
}

static void add_moment(struct prof_memory_moment *to, const struct prof_memory_moment *all, size_t count, size_t at) {
  to->bytes += at < count ? all[at].bytes : 0;
  to->calls += at < count ? all[at].calls : 0;
}

/* The row that a group is part of; UINT32_MAX: no memory. */
static uint32_t row_of(struct ranking *ranking, const struct prof_gpu_memory_group *group) {
  struct prof_gpu_study *study = ranking->study;
  const struct prof_gpu_memory_total *pool = &ranking->tally.pools.items[group->pool];
  const bool by_path = ranking->options->by_path;
  const struct prof_gpu_memory_row fresh = {
      .function = prof_gpu_study_function(study, group->path),
      .file = prof_gpu_study_file(study, group->path),
      .path = prof_gpu_study_path(study, group->path),
      .call = group->call ? prof_trace_gpu_text(study->trace, pool->source, group->call) : "",
      .kind = prof_gpu_memory_word(group->kind),
      .device = pool->device,
      .has_device = pool->device != UINT32_MAX,
  };
  const struct prof_gpu_memory_row *rows = ranking->rows.items;
  const uint64_t place = prof_measured_text_hash(by_path ? fresh.path : fresh.function);
  const uint32_t hash = prof_index_hash(place, prof_measured_text_hash(fresh.kind) + fresh.device);
  return prof_index_meet(&ranking->known, &ranking->rows, hash, i,
                         rows[i].device == fresh.device && strcmp(rows[i].kind, fresh.kind) == 0 &&
                             strcmp(rows[i].call, fresh.call) == 0 && strcmp(rows[i].function, fresh.function) == 0 &&
                             strcmp(rows[i].file, fresh.file) == 0 &&
                             (!by_path || strcmp(rows[i].path, fresh.path) == 0),
                         fresh);
}

/* False: no memory. */
static bool gather(struct ranking *ranking) {
  prof_gpu_memory_tally_settle(&ranking->tally);
  for (size_t i = 0; i < ranking->tally.pools.count; i++)
    if (!prof_vec_push(&ranking->pools, pool_of(ranking, &ranking->tally.pools.items[i])))
      return false;
  for (size_t i = 0; i < ranking->tally.groups.count; i++) {
    const struct prof_gpu_memory_group *group = &ranking->tally.groups.items[i];
    const uint32_t at = group->shown ? row_of(ranking, group) : 0;
    if (at == UINT32_MAX)
      return false;
    if (!group->shown)
      continue;
    struct prof_gpu_memory_row *row = &ranking->rows.items[at];
    add(&row->sum, &group->sum, true);
    add(&ranking->pools.items[group->pool].sum, &group->sum, false);
    add_moment(&row->before, ranking->before.items, ranking->before.count, i);
    add_moment(&row->after, ranking->after.items, ranking->after.count, i);
  }
  return true;
}

static uint64_t key_of(const struct prof_gpu_memory_row *row, enum prof_memory_sort sort) {
  const uint64_t keys[] = {[PROF_MEMORY_PEAK] = row->sum.peak_bytes,     [PROF_MEMORY_LIVE] = row->sum.live_bytes,
                           [PROF_MEMORY_BYTES] = row->sum.bytes,         [PROF_MEMORY_CALLS] = row->sum.calls,
                           [PROF_MEMORY_TEMPORARY] = row->sum.temporary, [PROF_MEMORY_GROWTH] = 0};
  return keys[sort];
}

static int64_t growth_of(const struct prof_gpu_memory_row *row) {
  return (int64_t)(row->after.bytes - row->before.bytes);
}

static int by_key(const void *left, const void *right, void *context) {
  const struct prof_gpu_memory_row *a = left, *b = right;
  const struct prof_memory_options *options = context;
  const int64_t grown_a = growth_of(a), grown_b = growth_of(b);
  int order = options->sort == PROF_MEMORY_GROWTH && grown_a != grown_b ? (grown_a < grown_b ? 1 : -1) : 0;
  return order ?: prof_order(key_of(b, options->sort), key_of(a, options->sort))
         ?: prof_order(b->sum.bytes, a->sum.bytes) ?: prof_order(b->sum.calls, a->sum.calls)
         ?: strcmp(a->function, b->function) ?: strcmp(a->path, b->path) ?: strcmp(a->file, b->file)
         ?: strcmp(a->call, b->call) ?: strcmp(a->kind, b->kind) ?: prof_order(a->device, b->device);
}

/* ---- begin and end ---- */

static void note_missing(const struct prof_gpu_study *study, struct prof_gpu_memory *out) {
  size_t count;
  const struct prof_gpu_source *sources = prof_trace_gpu_sources(study->trace, &count);
  out->damaged += prof_gpu_join_damaged(study->join);
  for (size_t i = 0; i < count; i++)
    out->missing += sources[i].figures[PROF_GPU_DROPPED] + sources[i].figures[PROF_GPU_LOST_CALLS] +
                    sources[i].figures[PROF_GPU_LOST_RECORDS];
}

static bool rank(struct ranking *ranking, const struct prof_gpu_memory_events *events) {
  const struct prof_memory_options *options = ranking->options;
  ranking->out->at = calloc(options->moment_count + 1, sizeof *ranking->out->at);
  if (!prof_gpu_memory_tally_init(&ranking->tally, ranking->study) || !ranking->out->at || !find_ends(ranking))
    return false;
  for (size_t i = 0; i < events->list.count; i++) {
    const struct prof_gpu_memory_event *event = &events->list.items[i];
    while (ranking->past < options->moment_count && event->time >= options->moments[ranking->past])
      if (!note_moment(ranking))
        return false;
    if (!prof_gpu_memory_tally_take(&ranking->tally, event))
      return false;
  }
  while (ranking->past < options->moment_count)
    if (!note_moment(ranking))
      return false;
  return gather(ranking);
}

prof_status prof_gpu_memory_rank(struct prof_gpu_study *study, const struct prof_memory_options *options,
                                 struct prof_gpu_memory *out) {
  struct ranking ranking = {.study = study, .options = options, .out = out};
  struct prof_gpu_memory_events events;
  *out = (struct prof_gpu_memory){0};
  const bool good = prof_gpu_memory_events_load(study, &events) == PROF_OK && rank(&ranking, &events);
  out->recorded = events.list.count > 0;
  out->damaged = events.damaged;
  note_missing(study, out);
  out->rows = ranking.rows.items;
  out->count = ranking.rows.count;
  out->pools = ranking.pools.items;
  out->pool_count = ranking.pools.count;
  if (out->count > 0)
    qsort_r(out->rows, out->count, sizeof *out->rows, by_key, (void *)(uintptr_t)options);
  if (out->pool_count > 0)
    qsort(out->pools, out->pool_count, sizeof *out->pools, compare_pools);
  prof_vec_fini(&ranking.before);
  prof_vec_fini(&ranking.after);
  prof_index_fini(&ranking.known);
  free(ranking.ends);
  prof_gpu_memory_tally_fini(&ranking.tally);
  prof_gpu_memory_events_fini(&events);
  return good ? PROF_OK : PROF_NO_MEMORY;
}

void prof_gpu_memory_free(struct prof_gpu_memory *memory) {
  free(memory->rows);
  free(memory->pools);
  free(memory->at);
  *memory = (struct prof_gpu_memory){0};
}
