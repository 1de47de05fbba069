/*
 * tools/estimate/join_pauses.c - see join_pauses.h.
 */
#include "estimate/join_pauses.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/order.h"

static int compare_pauses(const void *left, const void *right) {
  const struct prof_pause *a = left, *b = right;
  return prof_order(a->thread, b->thread) ?: prof_order(a->begin, b->begin) ?: prof_order(b->end, a->end);
}

void prof_pauses_sort(struct prof_pause *pauses, size_t count) {
  if (count)
    qsort(pauses, count, sizeof *pauses, compare_pauses);
}

uint64_t prof_pauses_fork_ticks(const prof_trace *trace, uint32_t thread) {
  size_t process_count;
  const struct prof_thread_info *info = &prof_trace_threads(trace, NULL)[thread];
  const struct prof_process *processes = prof_trace_processes(trace, &process_count);
  if (info->process >= process_count || !processes[info->process].forked || info->chunk_count == 0)
    return UINT64_MAX;
  const struct prof_chunk_ref *first =
      &prof_trace_chunks(trace, NULL)[prof_trace_thread_chunks(trace)[info->first_chunk]];
  return first->sequence == 0 ? first->first_time : UINT64_MAX;
}

/* The recorded parts of processes; those of one process rise. */
struct parts {
  const struct prof_slice *items;
  size_t count, at; /* at: the one that was asked for last */
};

static struct parts parts_of(const prof_trace *trace) {
  struct parts parts = {.at = 0};
  parts.items = prof_trace_slices(trace, &parts.count);
  return parts;
}

/* The end of the part of the thread's process that was recorded at `time`; UINT64_MAX: no such part ended. */
static uint64_t part_end(struct parts *parts, const prof_trace *trace, uint32_t thread, uint64_t time) {
  size_t process_count;
  const struct prof_process *processes = prof_trace_processes(trace, &process_count);
  uint32_t process = prof_trace_threads(trace, NULL)[thread].process;
  if (process >= process_count || !processes[process].sliced)
    return UINT64_MAX;
  for (size_t i = 0; i < parts->count; i++) {
    size_t at = parts->at + i < parts->count ? parts->at + i : parts->at + i - parts->count;
    const struct prof_slice *part = &parts->items[at];
    if (part->process != process || part->begin_ticks > time || (part->end_ticks != 0 && part->end_ticks <= time))
      continue;
    parts->at = at;
    return part->end_ticks != 0 ? part->end_ticks : UINT64_MAX;
  }
  return UINT64_MAX;
}

/* A chunk that only has the frames that the recorder left and entered again tells nothing: it begins with a step
 * without effect, and may end with STOP. */
static bool ran_in(const struct prof_chunk_ref *chunk) {
  return !(chunk->flags & PROF_CHUNK_RESUMED) || chunk->events > 2;
}

static uint64_t off_until(struct parts *parts, const prof_trace *trace, uint32_t thread, uint64_t off) {
  const struct prof_thread_info *info = &prof_trace_threads(trace, NULL)[thread];
  const struct prof_chunk_ref *chunks = prof_trace_chunks(trace, NULL);
  const uint32_t *own = prof_trace_thread_chunks(trace) + info->first_chunk;
  if (info->chunk_count == 0)
    return 0;
  uint64_t end = chunks[own[info->chunk_count - 1]].last_time, part = part_end(parts, trace, thread, off);
  end = part < end ? part : end;
  size_t next = prof_search(0, info->chunk_count, i, chunks[own[i]].first_time <= off);
  for (; next < info->chunk_count && chunks[own[next]].first_time < end; next++)
    if (ran_in(&chunks[own[next]]))
      return 0;
  return off < end ? end : 0;
}

uint64_t prof_pauses_off_until(const prof_trace *trace, uint32_t thread, uint64_t off) {
  struct parts parts = parts_of(trace);
  return off_until(&parts, trace, thread, off);
}

/* The end of a pause; `next`: the next switch of all, if there is one.  0: not known. */
static uint64_t end_of(struct parts *parts, const prof_trace *trace, const struct prof_pause *pause,
                       const struct prof_pause *next) {
  bool is_own = next != NULL && next->thread == pause->thread;
  uint64_t end;
  if (is_own && next->end == 0) {
    end = part_end(parts, trace, pause->thread, pause->begin);
    return next->begin < end ? next->begin : end;
  }
  end = off_until(parts, trace, pause->thread, pause->begin);
  return !is_own || end <= next->begin ? end : 0;
}

size_t prof_pauses_join(const prof_trace *trace, const struct prof_filter *filter, struct prof_pause *pauses,
                        size_t count) {
  size_t kept = 0;
  uint32_t before = PROF_NONE;
  struct parts parts = parts_of(trace);
  prof_pauses_sort(pauses, count);
  for (size_t i = 0; i < count; i++) {
    struct prof_pause pause = pauses[i];
    bool first = pause.thread != before;
    before = pause.thread;
    if (first && pause.end == 0) {
      pause.end = pause.begin;
      pause.begin = prof_pauses_fork_ticks(trace, pause.thread);
    } else if (pause.end != 0) {
      pause.end = end_of(&parts, trace, &pause, i + 1 < count ? &pauses[i + 1] : NULL);
    } else {
      continue;
    }
    if (filter && pause.begin < filter->begin_ticks)
      pause.begin = filter->begin_ticks;
    if (filter && pause.end > filter->end_ticks)
      pause.end = filter->end_ticks;
    if (pause.begin < pause.end)
      pauses[kept++] = pause; /* at most one for each switch read so far */
  }
  return kept;
}
