/*
 * tools/analysis/measures/memory.c - see memory.h.
 *
 *    events in time order -> live blocks -> sums per site -> rows by place
 *
 * What a site had at the peak isn't copied at each new peak: a site keeps the number of the last peak that it knows of,
 * and notes its bytes before it changes if there was a later one.
 */
#include "analysis/measures/memory.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/measures/live_blocks.h"
#include "base/diag.h"
#include "base/order.h"
#include "measure.h"

#define NOT_SHOWN UINT32_MAX

const char *const prof_memory_sorts[] = {
    [PROF_MEMORY_PEAK] = "peak",   [PROF_MEMORY_LIVE] = "live",           [PROF_MEMORY_BYTES] = "bytes",
    [PROF_MEMORY_CALLS] = "calls", [PROF_MEMORY_TEMPORARY] = "temporary", NULL};

struct total { /* of the heap, or of what is mapped */
  uint64_t live_bytes, peak_bytes, peak_count, peak_ticks;
};

struct site_sum {
  bool mapped;
  struct prof_memory_figures sum; /* live_: now */
  uint64_t seen_peak;
};

struct thread_state {
  uint64_t serial;                 /* allocations so far */
  struct prof_live_block resizing; /* realloc is at work on it; address 0: on none, or on an unknown one */
};

struct tally {
  struct prof_memory *out;
  struct prof_call_sites sites;
  PROF_VEC(struct site_sum) sums; /* per site */
  struct prof_live_blocks live;
  struct thread_state *threads;
  struct total totals[2]; /* of the heap, of what is mapped */
};

/* ---- one event ---- */

static void settle(const struct tally *tally, struct site_sum *site) {
  const uint64_t peak_count = tally->totals[site->mapped].peak_count;
  if (site->seen_peak != peak_count)
    site->sum.peak_bytes = site->sum.live_bytes;
  site->seen_peak = peak_count;
}

/* The block gets or gives back `bytes`, which are all that it has or a part. */
static void change(struct tally *tally, const struct prof_live_block *block, uint64_t bytes, bool born,
                   uint64_t time_ticks) {
  if (block->site == NOT_SHOWN)
    return;
  struct site_sum *site = &tally->sums.items[block->site];
  struct total *total = &tally->totals[site->mapped];
  settle(tally, site);
  site->sum.live_bytes += born ? bytes : -bytes;
  total->live_bytes += born ? bytes : -bytes;
  if (born)
    site->sum.live_calls++;
  else
    site->sum.live_calls -= bytes == block->bytes;
  if (total->live_bytes > total->peak_bytes) {
    total->peak_bytes = total->live_bytes;
    total->peak_ticks = time_ticks;
    total->peak_count++;
  }
}

/* False: no memory. */
static bool put_back(struct tally *tally, const struct prof_live_block *block, uint64_t time_ticks) {
  struct prof_live_block was;
  if (!prof_live_blocks_add(&tally->live, block, &was))
    return false;
  if (was.address) /* its end was not seen: lost events */
    change(tally, &was, was.bytes, false, time_ticks);
  change(tally, block, block->bytes, true, time_ticks);
  return true;
}

/* A mapping may begin where a block of the heap does. */
static uint32_t key_process(const struct prof_measured *event, bool is_map) {
  return event->process | (is_map ? 0x80000000u : 0);
}

static bool allocate(struct tally *tally, const struct prof_measured *event, bool is_map) {
  struct thread_state *thread = &tally->threads[event->thread];
  struct prof_live_block block = {.address = event->second,
                                  .bytes = event->first,
                                  .process = key_process(event, is_map),
                                  .site = NOT_SHOWN,
                                  .thread = event->thread,
                                  .serial = is_map ? 0 : ++thread->serial};
  if (event->shown) {
    const struct site_sum fresh = {.mapped = is_map, .seen_peak = tally->totals[is_map].peak_count};
    block.site = prof_call_site_of(&tally->sites, event);
    if (block.site == UINT32_MAX || (block.site == tally->sums.count && !prof_vec_push(&tally->sums, fresh)))
      return false;
    tally->sums.items[block.site].sum.calls++;
    tally->sums.items[block.site].sum.bytes += event->first;
  }
  return put_back(tally, &block, event->time_ticks);
}

/* block->address 0: it isn't known. */
static void take_away(struct tally *tally, const struct prof_measured *event, struct prof_live_block *block) {
  if (prof_live_blocks_take(&tally->live, event->process, event->second, block))
    change(tally, block, block->bytes, false, event->time_ticks);
  else
    *block = (struct prof_live_block){0};
}

/* Counts a block that was given back. */
static void count_free(struct tally *tally, uint32_t thread, const struct prof_live_block *block) {
  tally->out->frees++;
  tally->out->unknown_frees += block->address == 0;
  if (block->address && block->site != NOT_SHOWN && block->thread == thread &&
      block->serial == tally->threads[thread].serial)
    tally->sums.items[block->site].sum.temporary++;
}

/* Gives back the first bytes of a mapping, or all; the rest goes on as one of its own.  False: no memory. */
static bool unmap(struct tally *tally, const struct prof_measured *event) {
  struct prof_live_block block;
  if (!prof_live_blocks_take(&tally->live, key_process(event, true), event->second, &block))
    return true; /* of a file, or in the middle of one */
  const uint64_t bytes = event->first < block.bytes ? event->first : block.bytes;
  change(tally, &block, bytes, false, event->time_ticks);
  if (bytes == block.bytes)
    return true;
  struct prof_live_block was;
  block.address += bytes;
  block.bytes -= bytes;
  return prof_live_blocks_add(&tally->live, &block, &was);
}

static bool take(void *context, const struct prof_measured *event) {
  struct tally *tally = context;
  struct thread_state *thread = &tally->threads[event->thread];
  struct prof_live_block gone;
  switch (event->operation) {
  case PROF_MEASURE_ALLOC:
    tally->out->recorded = true;
    return allocate(tally, event, false);
  case PROF_MEASURE_MAP:
    tally->out->recorded = true;
    return allocate(tally, event, true);
  case PROF_MEASURE_UNMAP:
    return unmap(tally, event);
  case PROF_MEASURE_RESIZE_TO:
    count_free(tally, event->thread, &thread->resizing);
    thread->resizing.address = 0;
    return event->second == 0 || allocate(tally, event, false);
  case PROF_MEASURE_FREE:
    take_away(tally, event, &gone);
    count_free(tally, event->thread, &gone);
    return true;
  case PROF_MEASURE_RESIZE_FROM:
    take_away(tally, event, &thread->resizing);
    return true;
  case PROF_MEASURE_RESIZE_FAILED:
    gone = thread->resizing;
    thread->resizing.address = 0;
    return gone.address == 0 || put_back(tally, &gone, event->time_ticks);
  default:
    return true;
  }
}

/* ---- rows ---- */

static void add(struct prof_memory_figures *to, const struct prof_memory_figures *figures) {
  to->calls += figures->calls;
  to->bytes += figures->bytes;
  to->live_calls += figures->live_calls;
  to->live_bytes += figures->live_bytes;
  to->peak_bytes += figures->peak_bytes;
  to->temporary += figures->temporary;
}

static uint64_t key_of(const struct prof_memory_row *row, enum prof_memory_sort sort) {
  const struct prof_memory_figures *sum = &row->sum;
  const uint64_t keys[] = {[PROF_MEMORY_PEAK] = sum->peak_bytes,
                           [PROF_MEMORY_LIVE] = sum->live_bytes,
                           [PROF_MEMORY_BYTES] = sum->bytes,
                           [PROF_MEMORY_CALLS] = sum->calls,
                           [PROF_MEMORY_TEMPORARY] = sum->temporary};
  return keys[sort];
}

static int by_key(const void *left, const void *right, void *context) {
  const struct prof_memory_row *a = left, *b = right;
  const enum prof_memory_sort sort = *(const enum prof_memory_sort *)context;
  return prof_order(key_of(b, sort), key_of(a, sort)) ?: prof_order(b->sum.bytes, a->sum.bytes)
         ?: prof_order(b->sum.calls, a->sum.calls) ?: strcmp(a->place.function, b->place.function)
         ?: strcmp(a->place.file, b->place.file) ?: prof_order(a->place.line, b->place.line)
         ?: strcmp(a->place.via, b->place.via)
         ?: prof_order(a->node, b->node);
}

struct grouping {
  PROF_VEC(struct prof_memory_row) rows;
  struct prof_index_map known;
};

/* The row of a place; UINT32_MAX: no memory. */
static uint32_t row_of(struct grouping *grouping, const struct prof_memory_row *row, bool by_path) {
  const struct prof_memory_row *rows = grouping->rows.items;
  return prof_index_meet(&grouping->known, &grouping->rows,
                         prof_index_hash(prof_measured_place_hash(&row->place), by_path ? row->node : 0), i,
                         rows[i].mapped == row->mapped && (!by_path || rows[i].node == row->node) &&
                             prof_measured_place_same(&rows[i].place, &row->place),
                         *row);
}

static prof_status group(const prof_trace *trace, struct tally *tally, struct prof_names *names,
                         const struct prof_line_source *source, const struct prof_memory_options *options,
                         struct grouping *grouping) {
  prof_status status = PROF_OK;
  for (uint32_t i = 0; i < tally->sums.count && status == PROF_OK; i++) {
    const struct prof_call_site *site = &tally->sites.items.items[i];
    struct prof_measured_place place = {"", "", "", 0};
    settle(tally, &tally->sums.items[i]);
    status = prof_call_site_place(trace, site, names, source, &place);
    const bool is_map = tally->sums.items[i].mapped;
    const struct prof_memory_row fresh = {.place = place, .node = site->node, .mapped = is_map};
    uint32_t row = status == PROF_OK ? row_of(grouping, &fresh, options->by_path) : UINT32_MAX;
    if (row == UINT32_MAX)
      return PROF_NO_MEMORY;
    add(&grouping->rows.items[row].sum, &tally->sums.items[i].sum);
    add(is_map ? &tally->out->mapped : &tally->out->sum, &tally->sums.items[i].sum);
  }
  return status;
}

prof_status prof_memory_rank(const prof_trace *trace, const struct prof_filter *filter, struct prof_names *names,
                             const struct prof_line_source *source, const struct prof_memory_options *options,
                             struct prof_diag *diag, struct prof_memory *out) {
  size_t thread_count;
  prof_trace_threads(trace, &thread_count);
  *out = (struct prof_memory){0};
  struct tally tally = {.out = out, .threads = calloc(thread_count + 1, sizeof *tally.threads)};
  struct grouping grouping = {0};
  prof_status status =
      tally.threads ? prof_measured_walk(trace, filter, take, &tally, &out->paths, diag) : prof_diag_memory(diag);
  if (status == PROF_OK && group(trace, &tally, names, source, options, &grouping) != PROF_OK)
    status = prof_diag_memory(diag);
  uint64_t start = prof_trace_info(trace)->start_ticks;
  const uint64_t peak_ticks = tally.totals[false].peak_ticks;
  out->peak_ns = peak_ticks > start ? prof_trace_ns(trace, peak_ticks - start) : 0;
  out->rows = grouping.rows.items;
  out->count = grouping.rows.count;
  enum prof_memory_sort sort = options->sort;
  if (out->count > 0)
    qsort_r(out->rows, out->count, sizeof *out->rows, by_key, &sort);
  prof_index_fini(&grouping.known);
  prof_call_sites_fini(&tally.sites);
  prof_vec_fini(&tally.sums);
  prof_live_blocks_fini(&tally.live);
  free(tally.threads);
  return status;
}

void prof_memory_free(struct prof_memory *memory) {
  free(memory->rows);
  prof_measured_paths_fini(&memory->paths);
  *memory = (struct prof_memory){0};
}
