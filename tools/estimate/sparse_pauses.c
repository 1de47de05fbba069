/*
 * tools/estimate/sparse_pauses.c - see sparse_pauses.h.
 */
#include "estimate/sparse_pauses.h"

#include <math.h>

#include "base/order.h"
#include "estimate/correct.h"

struct thread {
  const struct prof_sparse_task *task;
  struct prof_pause_list *out;
  uint32_t number;
  uint64_t begin, end; /* of its life */
  const struct prof_pause *at, *behind;
  const struct prof_sample *samples, *samples_end;
  bool waits; /* why it was taken off last: it waits, or else it was preempted */
  bool is_busy;
  double used_ticks; /* CPU time in that life */
  /* Of its life in the range, in ticks: in spans without gaps; what the stretches stand for. */
  double in_spans, in_stretches;
};

static uint64_t larger(uint64_t a, uint64_t b) {
  return a > b ? a : b;
}

static uint64_t smaller(uint64_t a, uint64_t b) {
  return a < b ? a : b;
}

/* The part of a time that the filter shows, if any. */
static void cut(const struct thread *thread, uint64_t *begin, uint64_t *end) {
  const struct prof_filter *filter = thread->task->filter;
  *begin = filter ? larger(*begin, filter->begin_ticks) : *begin;
  *end = filter ? smaller(*end, filter->end_ticks) : *end;
}

static bool add(const struct thread *thread, const struct prof_switch_span *span, uint64_t begin, uint64_t end) {
  cut(thread, &begin, &end);
  return begin >= end || prof_vec_push(&thread->out->items, ((struct prof_pause){.begin = begin,
                                                                                 .end = end,
                                                                                 .thread = thread->number,
                                                                                 .node = PROF_NONE,
                                                                                 .waits = thread->waits,
                                                                                 .times = (float)span->times}));
}

static void count_span(struct thread *thread, const struct prof_switch_span *span, uint64_t begin, uint64_t end) {
  cut(thread, &begin, &end);
  const double ticks = begin < end ? (double)(end - begin) : 0;
  *(span->times > 1 ? &thread->in_stretches : &thread->in_spans) += ticks * span->times;
}

static bool ran(const struct thread *thread, const struct prof_switch_span *span, uint64_t begin, uint64_t end) {
  if (!span->is_sampled)
    return thread->is_busy;
  const struct prof_sample *samples = thread->samples;
  size_t count = (size_t)(thread->samples_end - samples);
  size_t at = prof_search(0, count, i, samples[i].time < begin);
  return at < count && samples[at].time < end;
}

/* Of the first span: as prof_pauses_join does. */
static bool add_first(const struct thread *thread, const struct prof_switch_span *span, uint64_t on) {
  struct thread child = *thread;
  child.waits = false;
  uint64_t fork = prof_pauses_fork_ticks(thread->task->trace, thread->number);
  return add(&child, span, fork, on);
}

/* From `begin` the state is not known if `unknown`; a switch off whose other half is missing ends with the span, or
 * as prof_pauses_join says. */
static bool take_span(struct thread *thread, const struct prof_switch_span *span, bool unknown) {
  uint64_t begin = larger(span->begin, thread->begin), end = smaller(span->end, thread->end), off = UINT64_MAX;
  bool any = false, done = true;
  for (; thread->at < thread->behind && thread->at->begin < span->end && done; thread->at++) {
    uint64_t time = thread->at->begin;
    bool on = thread->at->end == 0;
    if (time < span->begin)
      continue; /* it came while they were being switched on or off */
    if (on && off != UINT64_MAX)
      done = add(thread, span, off, time);
    else if (on && !any)
      done = unknown ? add(thread, span, begin, time) : add_first(thread, span, time);
    off = on ? UINT64_MAX : time;
    thread->waits = on ? thread->waits : thread->at->waits;
    any = true;
  }
  count_span(thread, span, begin, end);
  if (done && off != UINT64_MAX && span->end != UINT64_MAX)
    return add(thread, span, off, smaller(span->end, larger(end, off)));
  if (done && off != UINT64_MAX)
    return add(thread, span, off, prof_pauses_off_until(thread->task->trace, thread->number, off));
  if (done && unknown && !any && begin < end && !ran(thread, span, begin, end))
    return add(thread, span, begin, end);
  return done;
}

static void find_samples(struct thread *thread) {
  const struct prof_sample *items = thread->task->samples;
  size_t count = thread->task->sample_count;
  size_t first = prof_search(0, count, i, items[i].thread < thread->number);
  thread->samples = items + first;
  thread->samples_end = items + prof_search(first, count, i, items[i].thread <= thread->number);
}

/* How much of a pause lies in its thread's life: the kernel also tells of the time before and after, in the loader. */
static double lived(const struct thread *thread, const struct prof_pause *pause) {
  uint64_t begin = larger(pause->begin, thread->begin), end = smaller(pause->end, thread->end);
  return end > begin ? (double)(end - begin) : 0;
}

/* Of a thread's pauses from `first` on, those in stretches stand for so many times more. */
static void scale(const struct thread *thread, size_t first, double factor) {
  for (size_t i = first; i < thread->out->items.count; i++)
    if (thread->out->items.items[i].times > 1)
      thread->out->items.items[i].times =
          (float)fmax((double)thread->out->items.items[i].times * factor, PROF_SPARSE_TIMES_LEAST);
}

/* Of a thread's pauses from `first` on: those in stretches stand for what its life and CPU time leave. */
static void fit(const struct thread *thread, size_t first) {
  const struct prof_thread_info *info = &prof_trace_threads(thread->task->trace, NULL)[thread->number];
  double life = thread->end > thread->begin ? (double)(thread->end - thread->begin) : 0, sum = 0;
  double off = life - thread->used_ticks;
  for (size_t i = first; i < thread->out->items.count; i++) {
    const struct prof_pause *pause = &thread->out->items.items[i];
    double ticks = lived(thread, pause);
    sum += pause->times > 1 ? ticks * (double)pause->times : 0;
    off -= pause->times > 1 ? 0 : ticks;
  }
  if (sum > 0 && info->cpu_ticks)
    scale(thread, first, fmax(off, 0) / sum);
}

/* The same of a part of its life, whose CPU time is not known: what stretches stand for is the time of the range. */
static void fit_range(const struct thread *thread, size_t first) {
  uint64_t begin = thread->begin, end = thread->end;
  cut(thread, &begin, &end);
  const double left = (begin < end ? (double)(end - begin) : 0) - thread->in_spans;
  if (thread->in_stretches > 0)
    scale(thread, first, fmax(left, 0) / thread->in_stretches);
}

static void find_life(struct thread *thread, const struct prof_thread_info *info) {
  const prof_trace *trace = thread->task->trace;
  const struct prof_stretch_span *stretch = thread->task->stretch;
  bool goes_on = stretch && stretch->end != UINT64_MAX;
  uint64_t last = goes_on ? stretch->end : prof_trace_info(trace)->last_ticks, used = prof_thread_used_ns(trace, info);
  uint64_t before = stretch && stretch->used_ns ? stretch->used_ns[thread->number] : 0;
  thread->begin = stretch ? larger(info->start_ticks, stretch->begin) : info->start_ticks;
  thread->end = info->end_ticks ? info->end_ticks : last;
  thread->used_ticks = (double)prof_trace_ticks(trace, used > before ? used - before : 0);
}

static bool take_spans(struct thread *thread) {
  const struct prof_switch_spans *spans = thread->task->spans;
  bool done = true;
  for (size_t i = 0; i < spans->items.count && done; i++)
    done = take_span(thread, &spans->items.items[i], spans->items.items[i].begin > thread->begin);
  return done;
}

bool prof_sparse_pauses_find(const struct prof_sparse_task *task, struct prof_pause_list *out) {
  size_t thread_count;
  const struct prof_thread_info *infos = prof_trace_threads(task->trace, &thread_count);
  const struct prof_pause *at = task->switches, *end = task->switches + task->switch_count;
  const struct prof_filter *filter = task->filter;
  const bool is_range = filter != NULL && (filter->begin_ticks > 0 || filter->end_ticks != UINT64_MAX);
  bool done = true;
  for (uint32_t i = 0; i < thread_count && done; i++) {
    if (task->filter && !task->filter->threads[i])
      continue;
    struct thread thread = {task, out, i, .at = at, .behind = end, .waits = true};
    find_life(&thread, &infos[i]);
    while (thread.behind > thread.at && thread.at->thread < i)
      thread.at++;
    for (at = thread.at; at < end && at->thread == i;)
      at++;
    thread.behind = at;
    find_samples(&thread);
    thread.is_busy = 2 * thread.used_ticks > (double)thread.end - (double)thread.begin;
    const size_t first = out->items.count;
    done = take_spans(&thread);
    (is_range ? fit_range : fit)(&thread, first);
  }
  return done;
}
