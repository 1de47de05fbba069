/*
 * tools/trace/read/index.c - what needs all chunks: each thread's chunks in order, its unbroken runs, the order of
 * loads by site.
 */
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/order.h"
#include "trace.h"

struct place { /* sorted by thread, sequence, file order */
  uint32_t thread, sequence, chunk;
};

static int compare_places(const void *left, const void *right) {
  const struct place *a = left, *b = right;
  return prof_order(a->thread, b->thread) ?: prof_order(a->sequence, b->sequence) ?: prof_order(a->chunk, b->chunk);
}

/* Drops chunks that repeat a sequence number of their thread, or begin before the previous chunk's end. */
static size_t drop_doubles(struct prof_trace *trace, struct place *places, size_t count) {
  size_t kept = 0;
  for (size_t i = 0; i < count; i++) {
    if (kept && places[kept - 1].thread == places[i].thread) {
      const struct prof_chunk_ref *before = &trace->chunks.items[places[kept - 1].chunk];
      const struct prof_chunk_ref *here = &trace->chunks.items[places[i].chunk];
      if (before->sequence == here->sequence || here->first_time < before->last_time) {
        prof_trace_note_damage(trace, here->offset);
        trace->chunks.items[places[i].chunk].events = 0; /* marked: removed below */
        continue;
      }
    }
    places[kept++] = places[i];
  }
  return kept;
}

static void mark_runs(struct prof_trace *trace, const struct place *places, size_t count) {
  for (size_t i = 0; i < count; i++) {
    struct prof_chunk_ref *here = &trace->chunks.items[places[i].chunk];
    bool first = !i || places[i - 1].thread != places[i].thread;
    bool last = i + 1 == count || places[i + 1].thread != places[i].thread;
    if (first || places[i - 1].sequence + 1 != places[i].sequence)
      here->flags |= PROF_CHUNK_RUN_BEGIN;
    if (last || places[i].sequence + 1 != places[i + 1].sequence)
      here->flags |= PROF_CHUNK_RUN_END;
    struct prof_thread_info *thread = &trace->threads.items[here->thread];
    if (first)
      thread->first_chunk = (uint32_t)i;
    thread->chunk_count++;
    thread->events += here->events;
    thread->untimed += here->untimed;
    trace->info.events += here->events;
    trace->info.untimed += here->untimed;
    if (here->last_time > trace->info.last_ticks)
      trace->info.last_ticks = here->last_time;
  }
}

/* Removes the marked chunks from the list; places get the new indices. */
static void close_ranks(struct prof_trace *trace, struct place *places, size_t kept, uint32_t *moved) {
  size_t out = 0;
  for (size_t i = 0; i < trace->chunks.count; i++) {
    moved[i] = (uint32_t)out;
    if (trace->chunks.items[i].events)
      trace->chunks.items[out++] = trace->chunks.items[i];
  }
  trace->chunks.count = out;
  for (size_t i = 0; i < kept; i++)
    places[i].chunk = moved[places[i].chunk];
}

static prof_status index_chunks(struct prof_trace *trace) {
  size_t count = trace->chunks.count;
  struct place *places = calloc(count + 1, sizeof *places);
  trace->thread_chunks = calloc(count + 1, sizeof *trace->thread_chunks);
  if (!places || !trace->thread_chunks) {
    free(places);
    return PROF_NO_MEMORY;
  }
  for (size_t i = 0; i < count; i++)
    places[i] = (struct place){trace->chunks.items[i].thread, trace->chunks.items[i].sequence, (uint32_t)i};
  qsort(places, count, sizeof *places, compare_places);
  size_t kept = drop_doubles(trace, places, count);
  close_ranks(trace, places, kept, trace->thread_chunks);
  mark_runs(trace, places, kept);
  for (size_t i = 0; i < kept; i++)
    trace->thread_chunks[i] = places[i].chunk;
  free(places);
  return PROF_OK;
}

struct site_place {
  uint32_t first_site, load;
};

static int compare_sites(const void *left, const void *right) {
  const struct site_place *a = left, *b = right;
  return prof_order(a->first_site, b->first_site) ?: prof_order(a->load, b->load);
}

static prof_status index_loads(struct prof_trace *trace) {
  size_t count = trace->loads.count;
  struct site_place *places = calloc(count + 1, sizeof *places);
  if (!places || !prof_vec_reserve(&trace->loads_by_site, count + 1)) {
    free(places);
    return PROF_NO_MEMORY;
  }
  for (size_t i = 0; i < count; i++)
    places[i] = (struct site_place){trace->loads.items[i].first_site, (uint32_t)i};
  qsort(places, count, sizeof *places, compare_sites);
  for (size_t i = 0; i < count; i++)
    trace->loads_by_site.items[i] = places[i].load;
  trace->loads_by_site.count = count;
  free(places);
  return PROF_OK;
}

/* Threads without a THREAD chunk belong to the first process, which is made if needed. */
static prof_status settle_threads(struct prof_trace *trace) {
  for (size_t i = 0; i < trace->threads.count; i++) {
    struct prof_thread_info *thread = &trace->threads.items[i];
    if (thread->process == PROF_NONE) {
      thread->process = trace->processes.count ? 0 : prof_trace_process(trace, 1);
      if (thread->process == PROF_NONE)
        return PROF_NO_MEMORY;
    }
    trace->info.lost += thread->lost;
  }
  return PROF_OK;
}

prof_status prof_trace_index(struct prof_trace *trace, struct prof_diag *diag) {
  prof_status status = settle_threads(trace);
  if (status == PROF_OK)
    status = index_chunks(trace);
  if (status == PROF_OK)
    status = index_loads(trace);
  if (!trace->has_clock) { /* time begins with the first event, ticks are shown as nanoseconds */
    trace->info.start_ticks = trace->chunks.count ? UINT64_MAX : 0;
    for (size_t i = 0; i < trace->chunks.count; i++)
      if (trace->chunks.items[i].first_time < trace->info.start_ticks)
        trace->info.start_ticks = trace->chunks.items[i].first_time;
    trace->info.frequency_hz = 1000000000;
    trace->info.clock_step_ticks = 1;
  }
  trace->clock = prof_clock_make(trace->info.frequency_hz);
  trace->damage.cut |= !trace->info.complete;
  return status == PROF_OK ? PROF_OK : prof_diag_memory(diag);
}
