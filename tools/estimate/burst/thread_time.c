/*
 * tools/estimate/burst/thread_time.c - see thread_time.h.
 */
#include "estimate/burst/thread_time.h"

#include <string.h>

#include "base/order.h"

static uint64_t larger(uint64_t a, uint64_t b) {
  return a > b ? a : b;
}

static uint64_t smaller(uint64_t a, uint64_t b) {
  return a < b ? a : b;
}

static int by_begin(const void *left, const void *right) {
  const struct prof_burst_stretch *a = left, *b = right;
  return prof_order(a->begin, b->begin) ?: prof_order(a->end, b->end);
}

bool prof_burst_time_init(struct prof_burst_time *time, const prof_trace *trace, uint32_t thread, uint64_t begin,
                          uint64_t end) {
  const struct prof_thread_info *info = &prof_trace_threads(trace, NULL)[thread];
  const struct prof_chunk_ref *refs = prof_trace_chunks(trace, NULL);
  const uint32_t *chunks = prof_trace_thread_chunks(trace) + info->first_chunk;
  uint64_t now = end != UINT64_MAX ? end : prof_trace_info(trace)->last_ticks;
  uint64_t last = info->end_ticks ? info->end_ticks : now;
  *time = (struct prof_burst_time){.begin = larger(info->start_ticks, begin), .end = smaller(last, end)};
  time->life_begin = time->begin;
  time->life_end = time->end;
  for (uint32_t i = 0; i < info->chunk_count; i++) {
    const struct prof_chunk_ref *ref = &refs[chunks[i]];
    struct prof_burst_stretch stretch = {ref->first_time, ref->last_time, ref->events - ref->untimed, 0};
    if (!prof_vec_push(&time->stretches, stretch))
      return false;
  }
  prof_vec_sort(&time->stretches, by_begin);
  for (size_t i = 1; i < time->stretches.count; i++)
    time->stretches.items[i].before = time->stretches.items[i - 1].before + time->stretches.items[i - 1].events;
  return true;
}

void prof_burst_time_limit(struct prof_burst_time *time, uint64_t begin, uint64_t end) {
  time->begin = larger(time->begin, begin);
  time->end = smaller(time->end, end);
}

void prof_burst_time_fini(struct prof_burst_time *time) {
  prof_vec_fini(&time->stretches);
  prof_vec_fini(&time->windows);
  prof_vec_fini(&time->pauses);
  prof_vec_fini(&time->disturbances);
}

bool prof_burst_time_pause(struct prof_burst_time *time, uint64_t begin, uint64_t end, double times) {
  const struct prof_burst_pause *last =
      time->pauses.count ? &time->pauses.items[time->pauses.count - 1] : &(struct prof_burst_pause){0};
  begin = larger(begin, last->end);
  if (begin >= end)
    return true;
  struct prof_burst_pause pause = {begin, end, times, last->before + last->times * (double)(last->end - last->begin)};
  return prof_vec_push(&time->pauses, pause);
}

bool prof_burst_time_disturb(struct prof_burst_time *time, uint64_t begin, uint64_t end) {
  size_t count = time->disturbances.count;
  if (count && time->disturbances.items[count - 1].end >= begin) {
    time->disturbances.items[count - 1].end = larger(time->disturbances.items[count - 1].end, end);
    return true;
  }
  return prof_vec_push(&time->disturbances, ((struct prof_burst_pause){.begin = begin, .end = end}));
}

bool prof_burst_time_is_disturbed(const struct prof_burst_time *time, uint64_t begin, uint64_t end) {
  const struct prof_burst_pause *items = time->disturbances.items;
  size_t first = prof_search(0, time->disturbances.count, i, items[i].end <= begin);
  return first < time->disturbances.count && items[first].begin < end;
}

static double paused_until(const struct prof_burst_time *time, uint64_t until) {
  const struct prof_burst_pause *pauses = time->pauses.items;
  size_t seen = prof_search(0, time->pauses.count, i, pauses[i].begin < until);
  if (seen == 0)
    return 0;
  const struct prof_burst_pause *last = &pauses[seen - 1];
  return last->before + last->times * (double)(smaller(until, last->end) - last->begin);
}

uint64_t prof_burst_time_ran(const struct prof_burst_time *time, uint64_t begin, uint64_t end) {
  double ran = begin < end ? (double)(end - begin) - (paused_until(time, end) - paused_until(time, begin)) : 0;
  return ran > 0 ? (uint64_t)(ran + 0.5) : 0;
}

uint64_t prof_burst_time_ran_within(const struct prof_burst_time *time, uint64_t begin, uint64_t end) {
  const struct prof_burst_pause *pauses = time->pauses.items;
  uint64_t ran = begin < end ? end - begin : 0;
  for (size_t i = prof_search(0, time->pauses.count, k, pauses[k].end <= begin);
       i < time->pauses.count && pauses[i].begin < end; i++)
    ran -= smaller(end, pauses[i].end) - larger(begin, pauses[i].begin);
  return ran;
}

bool prof_burst_time_add(struct prof_burst_time *time, uint64_t begin, uint64_t events) {
  return prof_vec_push(&time->windows, ((struct prof_burst_moment){begin, events}));
}

static int by_time(const void *left, const void *right) {
  const struct prof_burst_moment *a = left, *b = right;
  return prof_order(a->time, b->time);
}

void prof_burst_time_finish(struct prof_burst_time *time) {
  prof_vec_sort(&time->windows, by_time);
  for (size_t i = 1; i < time->windows.count; i++)
    time->windows.items[i].events += time->windows.items[i - 1].events;
}

/* Events before a time; the chunks of a thread hardly overlap. */
static double events_until(const struct prof_burst_time *time, uint64_t until) {
  const struct prof_burst_stretch *stretches = time->stretches.items;
  const struct prof_burst_moment *windows = time->windows.items;
  size_t chunks = prof_search(0, time->stretches.count, i, stretches[i].begin < until);
  size_t seen = prof_search(0, time->windows.count, i, windows[i].time < until);
  double events = seen ? (double)windows[seen - 1].events : 0;
  if (chunks) {
    const struct prof_burst_stretch *last = &stretches[chunks - 1];
    double part = last->end > until ? (double)(until - last->begin) / (double)(last->end - last->begin) : 1;
    events += last->before + last->events * part;
  }
  return events;
}

void prof_burst_time_add_ran(const struct prof_burst_time *time, uint64_t begin, uint64_t end,
                             struct prof_burst_ran *to) {
  begin = larger(begin, time->begin);
  end = smaller(end, time->end);
  if (begin >= end)
    return;
  to->ticks += (double)prof_burst_time_ran(time, begin, end);
  to->events += events_until(time, end) - events_until(time, begin);
}

/* By what it ran, not by elapsed time: a thread that is often preempted waits for the recorder as often as others. */
double prof_burst_plain_ticks(const struct prof_burst_ran *ran, double life_ticks, double stalled_ticks,
                              double event_ticks) {
  double stalled = life_ticks > stalled_ticks ? ran->ticks * stalled_ticks / life_ticks : ran->ticks;
  double plain = ran->ticks - stalled - event_ticks * ran->events;
  return plain > 0 ? plain : 0;
}
