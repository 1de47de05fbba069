/*
 * tools/analysis/gpu/gpu_memory_tally.c - see gpu_memory_tally.h.
 *
 * What a group had at its pool's peak isn't copied at each new peak, as in measures/memory_tally.c.
 */
#include "analysis/gpu/gpu_memory_tally.h"

#include <stdlib.h>
#include <string.h>

/* Kinds of memory that share a device's or the host's. */
static const char *sort_of(uint32_t kind) {
  static const struct {
    const char *word, *sort;
  } sorts[] = {{"device", "device"},   {"array", "device"}, {"static", "device"},
               {"managed", "managed"}, {"pinned", "host"},  {"pageable", "host"}};
  const char *word = prof_gpu_memory_word(kind);
  for (size_t i = 0; i < sizeof sorts / sizeof *sorts; i++)
    if (strcmp(word, sorts[i].word) == 0)
      return sorts[i].sort;
  return "";
}

/* The pool of an event; UINT32_MAX: no memory. */
static uint32_t pool_of(struct prof_gpu_memory_tally *tally, const struct prof_gpu_memory_event *event) {
  const struct prof_gpu_memory_total fresh = {
      .source = event->source, .device = event->device, .sort = sort_of(event->kind)};
  for (size_t i = 0; i < tally->pools.count; i++) {
    const struct prof_gpu_memory_total *pool = &tally->pools.items[i];
    if (pool->source == fresh.source && pool->device == fresh.device && strcmp(pool->sort, fresh.sort) == 0)
      return (uint32_t)i;
  }
  return prof_vec_push(&tally->pools, fresh) ? (uint32_t)tally->pools.count - 1 : UINT32_MAX;
}

static bool is_shown(const struct prof_gpu_memory_tally *tally, const struct prof_gpu_memory_event *event) {
  const struct prof_filter *filter = tally->study->filter;
  return !filter->active || (event->time >= filter->begin_ticks && event->time < filter->end_ticks &&
                             prof_gpu_study_shows(tally->study, event->call ? event->call->path : 0,
                                                  event->call ? event->call->thread : PROF_NONE));
}

/* The group of an allocation; UINT32_MAX: no memory. */
static uint32_t group_of(struct prof_gpu_memory_tally *tally, const struct prof_gpu_memory_event *event) {
  struct prof_gpu_memory_group fresh = {
      .pool = pool_of(tally, event), .kind = event->kind, .shown = is_shown(tally, event)};
  if (fresh.pool == UINT32_MAX)
    return UINT32_MAX;
  if (event->call && fresh.shown) {
    fresh.path = prof_gpu_study_shown_path(tally->study, event->call->path);
    fresh.call = event->call->name;
  }
  const struct prof_gpu_memory_group *all = tally->groups.items;
  const uint64_t place = (uint64_t)fresh.path << 32 | fresh.call, sort = (uint64_t)fresh.pool << 32 | fresh.kind;
  return prof_index_meet(&tally->known_groups, &tally->groups, prof_index_hash(place, sort * 2 + fresh.shown), i,
                         all[i].pool == fresh.pool && all[i].path == fresh.path && all[i].call == fresh.call &&
                             all[i].kind == fresh.kind && all[i].shown == fresh.shown,
                         fresh);
}

/* The calling thread; UINT32_MAX: no memory. */
static uint32_t thread_of(struct prof_gpu_memory_tally *tally, const struct prof_gpu_memory_event *event) {
  const struct prof_gpu_memory_thread *all = tally->threads.items,
                                      fresh = {.source = event->source, .tid = event->call ? event->call->tid : 0};
  return prof_index_meet(&tally->known_threads, &tally->threads, prof_index_hash(fresh.source, fresh.tid), i,
                         all[i].source == fresh.source && all[i].tid == fresh.tid, fresh);
}

static void settle(const struct prof_gpu_memory_tally *tally, struct prof_gpu_memory_group *group) {
  const uint64_t peak_count = tally->pools.items[group->pool].peak_count;
  if (group->seen_peak != peak_count)
    group->sum.peak_bytes = group->sum.live_bytes;
  group->seen_peak = peak_count;
}

static void change(struct prof_gpu_memory_tally *tally, const struct prof_live_block *block, bool born, uint64_t time) {
  struct prof_gpu_memory_group *group = &tally->groups.items[block->site];
  struct prof_gpu_memory_total *pool = &tally->pools.items[group->pool];
  if (!group->shown)
    return;
  settle(tally, group);
  group->sum.live_bytes += born ? block->bytes : -block->bytes;
  group->sum.live_calls += born ? 1 : -1ull;
  pool->live_bytes += born ? block->bytes : -block->bytes;
  if (pool->live_bytes > pool->peak_bytes) {
    pool->peak_bytes = pool->live_bytes;
    pool->peak_ticks = time;
    pool->peak_count++;
  }
}

static bool allocate(struct prof_gpu_memory_tally *tally, const struct prof_gpu_memory_event *event) {
  const uint32_t site = group_of(tally, event), thread = thread_of(tally, event);
  if (site == UINT32_MAX || thread == UINT32_MAX)
    return false;
  const struct prof_live_block block = {.address = event->address,
                                        .bytes = event->bytes,
                                        .born_ticks = event->time,
                                        .serial = ++tally->threads.items[thread].serial,
                                        .thread = thread,
                                        .site = site};
  struct prof_live_block was = {.address = 0};
  tally->groups.items[site].sum.calls++;
  tally->groups.items[site].sum.bytes += event->bytes;
  if (event->address == 0) /* nothing can give it back */
    return true;
  if (!prof_live_blocks_add(&tally->live[event->source], &block, &was))
    return false;
  if (was.address) /* given back by what no record tells, as a reset of the device */
    change(tally, &was, false, event->time);
  change(tally, &block, true, event->time);
  return true;
}

static bool release(struct prof_gpu_memory_tally *tally, const struct prof_gpu_memory_event *event) {
  struct prof_live_block block;
  if (event->address == 0)
    return true;
  if (!prof_live_blocks_take(&tally->live[event->source], event->address, &block)) {
    const uint32_t pool = pool_of(tally, event);
    if (pool == UINT32_MAX)
      return false;
    tally->pools.items[pool].frees++;
    tally->pools.items[pool].unknown_frees++;
    return true;
  }
  const uint32_t thread = thread_of(tally, event);
  if (thread == UINT32_MAX)
    return false;
  struct prof_gpu_memory_group *group = &tally->groups.items[block.site];
  tally->pools.items[group->pool].frees++;
  group->sum.temporary += block.thread == thread && block.serial == tally->threads.items[thread].serial;
  change(tally, &block, false, event->time);
  return true;
}

bool prof_gpu_memory_tally_init(struct prof_gpu_memory_tally *tally, struct prof_gpu_study *study) {
  *tally = (struct prof_gpu_memory_tally){.study = study};
  prof_trace_gpu_sources(study->trace, &tally->source_count);
  tally->live = calloc(tally->source_count + 1, sizeof *tally->live);
  return tally->live != NULL;
}

void prof_gpu_memory_tally_fini(struct prof_gpu_memory_tally *tally) {
  for (size_t i = 0; tally->live && i < tally->source_count; i++)
    prof_live_blocks_fini(&tally->live[i]);
  free(tally->live);
  prof_vec_fini(&tally->groups);
  prof_vec_fini(&tally->pools);
  prof_vec_fini(&tally->threads);
  prof_index_fini(&tally->known_groups);
  prof_index_fini(&tally->known_threads);
}

bool prof_gpu_memory_tally_take(struct prof_gpu_memory_tally *tally, const struct prof_gpu_memory_event *event) {
  return event->is_release ? release(tally, event) : allocate(tally, event);
}

void prof_gpu_memory_tally_settle(struct prof_gpu_memory_tally *tally) {
  for (size_t i = 0; i < tally->groups.count; i++)
    settle(tally, &tally->groups.items[i]);
}
