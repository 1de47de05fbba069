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

/* The end of the part of the thread's process that was recorded at `time`; UINT64_MAX: no such part ended. */
static uint64_t slice_end(const prof_trace *trace, uint32_t process, uint64_t time) {
  size_t count;
  const struct prof_slice *slices = prof_trace_slices(trace, &count);
  for (size_t i = 0; i < count; i++)
    if (slices[i].process == process && slices[i].begin_ticks <= time && time < slices[i].end_ticks)
      return slices[i].end_ticks;
  return UINT64_MAX;
}

uint64_t prof_pauses_off_until(const prof_trace *trace, uint32_t thread, uint64_t off) {
  size_t process_count;
  const struct prof_process *processes = prof_trace_processes(trace, &process_count);
  const struct prof_thread_info *info = &prof_trace_threads(trace, NULL)[thread];
  const struct prof_chunk_ref *chunks = prof_trace_chunks(trace, NULL);
  const uint32_t *own = prof_trace_thread_chunks(trace) + info->first_chunk;
  if (info->chunk_count == 0)
    return 0;
  uint64_t end = chunks[own[info->chunk_count - 1]].last_time;
  if (info->process < process_count && processes[info->process].sliced) {
    uint64_t slice = slice_end(trace, info->process, off);
    end = slice < end ? slice : end;
  }
  size_t next = prof_search(0, info->chunk_count, i, chunks[own[i]].first_time <= off);
  bool ran = next < info->chunk_count && chunks[own[next]].first_time < end;
  return off < end && !ran ? end : 0;
}

/* The end of a pause whose other half is not among the thread's switches, of which `next` is the next one (NULL: there
 * is none); 0: not known. */
static uint64_t end_alone(const prof_trace *trace, const struct prof_pause *pause, const struct prof_pause *next) {
  uint64_t end = prof_pauses_off_until(trace, pause->thread, pause->begin);
  return next == NULL || next->thread != pause->thread || end <= next->begin ? end : 0;
}

size_t prof_pauses_join(const prof_trace *trace, const struct prof_filter *filter, struct prof_pause *pauses,
                        size_t count) {
  size_t kept = 0;
  uint32_t before = PROF_NONE;
  prof_pauses_sort(pauses, count);
  for (size_t i = 0; i < count; i++) {
    struct prof_pause pause = pauses[i];
    bool first = pause.thread != before;
    before = pause.thread;
    if (first && pause.end == 0) {
      pause.end = pause.begin;
      pause.begin = prof_pauses_fork_ticks(trace, pause.thread);
    } else if (pause.end != 0 && i + 1 < count && pauses[i + 1].end == 0 && pauses[i + 1].thread == pause.thread) {
      pause.end = pauses[i + 1].begin;
    } else if (pause.end != 0) {
      pause.end = end_alone(trace, &pause, i + 1 < count ? &pauses[i + 1] : NULL);
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
