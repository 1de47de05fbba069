/*
 * tools/tally/memory_tally.c - see memory_tally.h.
 *
 * What a group had at the peak isn't copied at each new peak: a group keeps the number of the last peak that it knows
 * of, and notes its bytes before it changes if there was a later one.
 */
#include "tally/memory_tally.h"

#include <stdlib.h>
#include <string.h>

#include "measure.h"
#include "names/names.h"

#define NOT_SHOWN UINT32_MAX

/* ---- groups ---- */

void prof_memory_group_settle(const struct prof_memory_tally *tally, struct prof_memory_group *group) {
  const uint64_t peak_count = tally->totals[group->mapped].peak_count;
  if (group->seen_peak != peak_count)
    group->sum.peak_bytes = group->sum.live_bytes;
  group->seen_peak = peak_count;
}

/* The zone around a node.  Nodes come after their parents.  False: no memory. */
static bool find_zone(struct prof_memory_tally *tally, uint32_t node, uint32_t *zone) {
  const struct prof_measured_node *nodes = tally->paths->nodes.items;
  while (tally->zones.count <= node) {
    const size_t next = tally->zones.count;
    uint32_t outer = next > 0 ? tally->zones.items[nodes[next].parent] : PROF_NONE;
    if (next > 0 && nodes[next].function != PROF_NONE && prof_names_is_zone(tally->names, nodes[next].function))
      outer = nodes[next].function;
    if (!prof_vec_push(&tally->zones, outer))
      return false;
  }
  *zone = tally->zones.items[node];
  return true;
}

static uint64_t class_of(uint64_t bytes) {
  return bytes ? 64 - (uint64_t)__builtin_clzll(bytes) : 0;
}

uint32_t prof_memory_group_meet(struct prof_memory_tally *tally, const struct prof_memory_group *group) {
  const struct prof_memory_group *groups = tally->groups.items;
  return prof_index_meet(
      &tally->known, &tally->groups, prof_index_hash(group->key, (uint64_t)group->mapped << 1 | (uint64_t)group->none),
      i, groups[i].key == group->key && groups[i].mapped == group->mapped && groups[i].none == group->none, *group);
}

bool prof_memory_group_key(struct prof_memory_tally *tally, uint32_t node, uint64_t class,
                           struct prof_memory_group *group) {
  uint32_t zone = PROF_NONE;
  group->key = class;
  if (tally->by != PROF_MEMORY_BY_ZONE)
    return true;
  if (!find_zone(tally, node, &zone))
    return false;
  group->key = zone;
  group->none = zone == PROF_NONE;
  return true;
}

/* The group of an allocation; UINT32_MAX: no memory. */
static uint32_t group_of(struct prof_memory_tally *tally, const struct prof_measured *event, bool is_map) {
  struct prof_memory_group fresh = {.mapped = is_map, .seen_peak = tally->totals[is_map].peak_count};
  if (tally->by == PROF_MEMORY_BY_PLACE) {
    uint32_t site = prof_call_site_of(&tally->sites, event);
    if (tally->sized && site != UINT32_MAX) {
      fresh.key = (uint64_t)site * 128 + class_of(event->first);
      return prof_memory_group_meet(tally, &fresh);
    }
    fresh.key = site;
    return site == tally->groups.count && !prof_vec_push(&tally->groups, fresh) ? UINT32_MAX : site;
  }
  if (tally->by == PROF_MEMORY_BY_REQUEST) {
    fresh.key = event->request;
    fresh.none = !event->has_request;
  } else if (!prof_memory_group_key(tally, event->node, class_of(event->first), &fresh)) {
    return UINT32_MAX;
  }
  return prof_memory_group_meet(tally, &fresh);
}

/* ---- one event ---- */

/* The block gets or gives back `bytes`, which are all that it has or a part. */
static void change(struct prof_memory_tally *tally, const struct prof_live_block *block, uint64_t bytes, bool born,
                   uint64_t time_ticks) {
  if (block->site == NOT_SHOWN)
    return;
  struct prof_memory_group *group = &tally->groups.items[block->site];
  struct prof_memory_total *total = &tally->totals[group->mapped];
  prof_memory_group_settle(tally, group);
  group->sum.live_bytes += born ? bytes : -bytes;
  total->live_bytes += born ? bytes : -bytes;
  if (born)
    group->sum.live_calls++;
  else
    group->sum.live_calls -= bytes == block->bytes;
  if (!born && !group->mapped)
    tally->freed_bytes += bytes;
  if (total->live_bytes > total->peak_bytes) {
    total->peak_bytes = total->live_bytes;
    total->peak_ticks = time_ticks;
    total->peak_count++;
  }
}

/* The block is gone for good; not while realloc is at work on it. */
static void note_low(struct prof_memory_tally *tally, const struct prof_live_block *block) {
  if (block->address == 0 || block->site == NOT_SHOWN)
    return;
  struct prof_memory_group *group = &tally->groups.items[block->site];
  if (group->sum.live_bytes < group->low_bytes)
    group->low_bytes = group->sum.live_bytes;
}

/* A mapping may begin where a block of the heap does. */
static struct prof_live_blocks *blocks_of(struct prof_memory_tally *tally, const struct prof_measured *event,
                                          bool is_map) {
  const size_t process = event->process < tally->process_count ? event->process : tally->process_count;
  return &tally->live[process][is_map];
}

/* A block at the same address is replaced, and *was gets it.  False: no memory. */
static bool add_block(struct prof_memory_tally *tally, struct prof_live_blocks *blocks,
                      const struct prof_live_block *block, struct prof_live_block *was) {
  if (!prof_live_blocks_add(blocks, block, was))
    return false;
  tally->block_count += was->address == 0;
  return true;
}

static bool take_block(struct prof_memory_tally *tally, struct prof_live_blocks *blocks, uint64_t address,
                       struct prof_live_block *block) {
  const bool taken = prof_live_blocks_take(blocks, address, block);
  tally->block_count -= taken;
  return taken;
}

/* False: no memory. */
static bool put_back(struct prof_memory_tally *tally, const struct prof_measured *event, bool is_map,
                     const struct prof_live_block *block) {
  struct prof_live_block was;
  if (!add_block(tally, blocks_of(tally, event, is_map), block, &was))
    return false;
  if (was.address) /* its end was not seen: lost events */
    change(tally, &was, was.bytes, false, event->time_ticks);
  change(tally, block, block->bytes, true, event->time_ticks);
  return true;
}

static bool allocate(struct prof_memory_tally *tally, const struct prof_measured *event, bool is_map) {
  struct prof_memory_thread *thread = &tally->threads[event->thread];
  struct prof_live_block block = {.address = event->second,
                                  .bytes = event->first,
                                  .site = NOT_SHOWN,
                                  .born_ticks = event->time_ticks,
                                  .thread = event->thread,
                                  .serial = (uint32_t)(is_map ? 0 : ++thread->serial)};
  tally->recorded = true;
  if (event->shown) {
    block.site = group_of(tally, event, is_map);
    if (block.site == UINT32_MAX)
      return false;
    tally->groups.items[block.site].sum.calls++;
    tally->groups.items[block.site].sum.bytes += event->first;
    tally->calls += !is_map;
    tally->bytes += is_map ? 0 : event->first;
  }
  if (tally->most_blocks == 0 || tally->block_count < tally->most_blocks)
    return put_back(tally, event, is_map, &block);
  tally->unfollowed_calls += event->shown;
  tally->unfollowed_bytes += event->shown ? event->first : 0;
  return true;
}

/* A forked process gives back what it may have from its parent: it won't get that when the parent ends.  False: no
 * memory. */
static bool forget_inherited(struct prof_memory_tally *tally, const struct prof_measured *event, bool is_map) {
  const struct prof_live_block *block = NULL;
  struct prof_live_block was;
  uint32_t process = event->process;
  while (!block && process < tally->process_count && tally->processes[process].forked &&
         tally->processes[process].parent < process) {
    process = tally->processes[process].parent;
    block = prof_live_blocks_find(&tally->live[process][is_map], event->second);
  }
  const struct prof_live_block gone = {.address = event->second, .site = NOT_SHOWN};
  return !block || add_block(tally, blocks_of(tally, event, is_map), &gone, &was);
}

/* block->address 0: it isn't known.  False: no memory. */
static bool take_away(struct prof_memory_tally *tally, const struct prof_measured *event,
                      struct prof_live_block *block) {
  if (!take_block(tally, blocks_of(tally, event, false), event->second, block)) {
    *block = (struct prof_live_block){0};
    return forget_inherited(tally, event, false);
  }
  change(tally, block, block->bytes, false, event->time_ticks);
  return true;
}

/* Counts a block that was given back. */
static void count_free(struct prof_memory_tally *tally, uint32_t thread, const struct prof_live_block *block) {
  tally->frees++;
  tally->unknown_frees += block->address == 0;
  if (block->address && block->site != NOT_SHOWN && block->thread == thread &&
      block->serial == (uint32_t)tally->threads[thread].serial)
    tally->groups.items[block->site].sum.temporary++;
}

/* Gives back the first bytes of a mapping, or all; the rest goes on as one of its own.  False: no memory. */
static bool unmap(struct prof_memory_tally *tally, const struct prof_measured *event) {
  struct prof_live_blocks *blocks = blocks_of(tally, event, true);
  struct prof_live_block block;
  if (!take_block(tally, blocks, event->second, &block)) /* of a file, in the middle of one, or inherited */
    return forget_inherited(tally, event, true);
  const uint64_t bytes = event->first < block.bytes ? event->first : block.bytes;
  change(tally, &block, bytes, false, event->time_ticks);
  note_low(tally, &block);
  if (bytes == block.bytes)
    return true;
  struct prof_live_block was;
  block.address += bytes;
  block.bytes -= bytes;
  return add_block(tally, blocks, &block, &was);
}

/* Bytes of a block that realloc gives back, once it is known to have done so. */
static uint64_t resized_bytes(const struct prof_live_block *block) {
  return block->address && block->site != NOT_SHOWN ? block->bytes : 0;
}

/* realloc begins.  The block is away already, as other threads may get its address before the end is recorded. */
static bool resize(struct prof_memory_tally *tally, const struct prof_measured *event) {
  struct prof_live_block *old = &tally->threads[event->thread].resizing;
  if (!take_away(tally, event, old))
    return false;
  tally->freed_bytes -= resized_bytes(old);
  return true;
}

/* realloc is done.  False: no memory. */
static bool resized(struct prof_memory_tally *tally, const struct prof_measured *event) {
  const struct prof_live_block old = tally->threads[event->thread].resizing;
  tally->threads[event->thread].resizing.address = 0;
  tally->freed_bytes += resized_bytes(&old);
  count_free(tally, event->thread, &old);
  if (event->second != 0 && !allocate(tally, event, false))
    return false;
  note_low(tally, &old);
  return true;
}

/* It left the old block as it was.  False: no memory. */
static bool not_resized(struct prof_memory_tally *tally, const struct prof_measured *event) {
  const struct prof_live_block old = tally->threads[event->thread].resizing;
  tally->threads[event->thread].resizing.address = 0;
  if (old.address == 0)
    return true;
  return put_back(tally, event, false, &old);
}

/* ---- processes that end ---- */

/* A process leaves shown blocks of the heap. */
static bool leaves_blocks(const struct prof_live_blocks *heap) {
  for (size_t i = 0; i < heap->capacity; i++)
    if (heap->slots[i].address && heap->slots[i].site != NOT_SHOWN)
      return true;
  return false;
}

static void leave(struct prof_memory_tally *tally, const struct prof_live_block *block, uint64_t time_ticks) {
  if (!block->address || block->site == NOT_SHOWN)
    return;
  struct prof_memory_group *group = &tally->groups.items[block->site];
  group->left_bytes += block->bytes;
  group->left_calls++;
  change(tally, block, block->bytes, false, time_ticks);
  note_low(tally, block);
}

/* The child goes on with what there was when it was forked, but for what it gave back.  False: no memory. */
static bool hand_over(struct prof_memory_tally *tally, const struct prof_process_end *end, size_t mapped) {
  struct prof_live_blocks *from = &tally->live[end->process][mapped], *to = &tally->live[end->heir][mapped];
  struct prof_live_block was;
  for (size_t i = 0; i < from->capacity; i++) {
    struct prof_live_block *block = &from->slots[i];
    if (!block->address || block->born_ticks > tally->processes[end->heir].start_ticks ||
        prof_live_blocks_find(to, block->address))
      continue;
    if (!add_block(tally, to, block, &was))
      return false;
    tally->handed_bytes[mapped] += block->site == NOT_SHOWN ? 0 : block->bytes;
    block->site = NOT_SHOWN; /* no longer here */
  }
  return true;
}

bool prof_memory_tally_end(struct prof_memory_tally *tally, uint64_t before_ticks,
                           const struct prof_process_end **out) {
  *out = NULL;
  if (tally->past == tally->ends.list.count || tally->ends.list.items[tally->past].ticks >= before_ticks)
    return true;
  const struct prof_process_end *end = *out = &tally->ends.list.items[tally->past++];
  struct prof_live_blocks *blocks = tally->live[end->process];
  for (size_t mapped = 0; mapped < 2; mapped++) {
    tally->handed_bytes[mapped] = 0;
    if (end->heir != PROF_NONE && !hand_over(tally, end, mapped))
      return false;
  }
  tally->live_processes += leaves_blocks(&blocks[false]);
  for (size_t mapped = 0; mapped < 2; mapped++) {
    for (size_t i = 0; i < blocks[mapped].capacity; i++)
      leave(tally, &blocks[mapped].slots[i], end->ticks);
    tally->block_count -= blocks[mapped].count;
    prof_live_blocks_fini(&blocks[mapped]);
  }
  return true;
}

bool prof_memory_tally_end_all(struct prof_memory_tally *tally, uint64_t before_ticks) {
  const struct prof_process_end *end;
  bool good;
  do
    good = prof_memory_tally_end(tally, before_ticks, &end);
  while (good && end);
  return good;
}

/* ---- all events ---- */

bool prof_memory_tally_take(struct prof_memory_tally *tally, const struct prof_measured *event) {
  struct prof_live_block gone;
  if (!prof_memory_tally_end_all(tally, event->time_ticks))
    return false;
  switch (event->operation) {
  case PROF_MEASURE_ALLOC:
    return allocate(tally, event, false);
  case PROF_MEASURE_MAP:
    return allocate(tally, event, true);
  case PROF_MEASURE_UNMAP:
    return unmap(tally, event);
  case PROF_MEASURE_FREE:
    if (!take_away(tally, event, &gone))
      return false;
    count_free(tally, event->thread, &gone);
    note_low(tally, &gone);
    return true;
  case PROF_MEASURE_RESIZE_FROM:
    return resize(tally, event);
  case PROF_MEASURE_RESIZE_TO:
    return resized(tally, event);
  case PROF_MEASURE_RESIZE_FAILED:
    return not_resized(tally, event);
  default:
    return true;
  }
}

uint64_t prof_memory_tally_living(const struct prof_memory_tally *tally) {
  uint64_t count = 0;
  for (size_t i = 0; tally->live && i <= tally->process_count; i++)
    count += leaves_blocks(&tally->live[i][false]);
  return count;
}

void prof_memory_tally_settle(struct prof_memory_tally *tally) {
  for (size_t i = 0; i < tally->groups.count; i++) {
    struct prof_memory_group *group = &tally->groups.items[i];
    prof_memory_group_settle(tally, group);
    group->sum.live_bytes += group->left_bytes;
    group->sum.live_calls += group->left_calls;
  }
  tally->live_processes += prof_memory_tally_living(tally);
}

bool prof_memory_tally_init(struct prof_memory_tally *tally, const prof_trace *trace, enum prof_memory_by by,
                            const struct prof_names *names, const struct prof_measured_paths *paths) {
  size_t thread_count;
  prof_trace_threads(trace, &thread_count);
  *tally = (struct prof_memory_tally){.by = by, .names = names, .paths = paths};
  tally->processes = prof_trace_processes(trace, &tally->process_count);
  tally->thread_count = thread_count;
  tally->threads = calloc(thread_count + 1, sizeof *tally->threads);
  tally->live = calloc(tally->process_count + 1, sizeof *tally->live);
  return tally->threads && tally->live && prof_process_ends_find(&tally->ends, trace);
}

/* The one for unknown processes stays the last one. */
static bool widen(struct prof_memory_tally *tally, size_t process_count, size_t thread_count) {
  const size_t had = tally->live ? tally->process_count + 1 : 0;
  if (!tally->threads || thread_count > tally->thread_count) {
    struct prof_memory_thread *threads = realloc(tally->threads, (thread_count + 1) * sizeof *threads);
    if (!threads)
      return false;
    const size_t known = tally->threads ? tally->thread_count + 1 : 0;
    memset(threads + known, 0, (thread_count + 1 - known) * sizeof *threads);
    tally->threads = threads;
    tally->thread_count = thread_count;
  }
  if (process_count + 1 <= had)
    return true;
  __typeof__(tally->live) live = realloc(tally->live, (process_count + 1) * sizeof *live);
  if (!live)
    return false;
  memset(live + had, 0, (process_count + 1 - had) * sizeof *live);
  tally->live = live;
  if (had > 0 && had <= process_count) { /* that of unknown ones */
    const struct prof_live_blocks none[2] = {{0}};
    memcpy(live[process_count], live[had - 1], sizeof *live);
    memcpy(live[had - 1], none, sizeof *live);
  }
  return true;
}

bool prof_memory_tally_go_on(struct prof_memory_tally *tally, const struct prof_process *processes,
                             size_t process_count, size_t thread_count, struct prof_process_ends *ends) {
  if (!widen(tally, process_count, thread_count))
    return false;
  tally->processes = processes;
  tally->process_count = process_count;
  prof_process_ends_fini(&tally->ends);
  memcpy(&tally->ends, ends, sizeof tally->ends);
  *ends = (struct prof_process_ends){.list = {NULL, 0, 0}};
  tally->past = 0;
  return true;
}

static void hide_blocks(struct prof_live_blocks *blocks) {
  for (size_t i = 0; i < blocks->capacity; i++)
    blocks->slots[i].site = NOT_SHOWN;
}

void prof_memory_tally_clear(struct prof_memory_tally *tally) {
  for (size_t i = 0; tally->live && i <= tally->process_count; i++) {
    hide_blocks(&tally->live[i][false]);
    hide_blocks(&tally->live[i][true]);
  }
  for (size_t i = 0; tally->threads && i <= tally->thread_count; i++)
    tally->threads[i].resizing.site = NOT_SHOWN;
  prof_vec_fini(&tally->groups);
  prof_vec_fini(&tally->zones);
  prof_index_fini(&tally->known);
  prof_call_sites_fini(&tally->sites);
  memset(tally->totals, 0, sizeof tally->totals);
  tally->frees = tally->unknown_frees = tally->calls = tally->bytes = tally->freed_bytes = 0;
  tally->unfollowed_calls = tally->unfollowed_bytes = tally->live_processes = 0;
}

void prof_memory_tally_fini(struct prof_memory_tally *tally) {
  prof_vec_fini(&tally->groups);
  prof_vec_fini(&tally->zones);
  prof_index_fini(&tally->known);
  prof_call_sites_fini(&tally->sites);
  for (size_t i = 0; tally->live && i <= tally->process_count; i++) {
    prof_live_blocks_fini(&tally->live[i][false]);
    prof_live_blocks_fini(&tally->live[i][true]);
  }
  free(tally->live);
  prof_process_ends_fini(&tally->ends);
  free(tally->threads);
  *tally = (struct prof_memory_tally){0};
}
