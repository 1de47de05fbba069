/*
 * tools/estimate/burst/calls.c - see calls.h.
 */
#include "estimate/burst/calls.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/order.h"
#include "estimate/burst/cost.h"
#include "estimate/burst/windows.h"

#define LEAST_WINDOWS 10 /* fewer tell nothing */
#define LEAST_PLAIN 0.2  /* of what a thread ran: less is the difference of two times that are nearly equal */

struct finishing {
  struct prof_burst_windows windows;
  struct prof_burst_calls *calls;
};

struct on {       /* in which windows a frame was on */
  double *before; /* by window: the weights of those before it */
  double mean_ticks;
};

struct shown { /* of a frame in a thread, by windows of one kind */
  double ticks[PROF_BURST_COSTS];
  double windows; /* their weights; 0: they are too few */
  double any;     /* the same, however few */
};

static void find_on(const struct finishing *finishing, const struct prof_burst_frame *frame, enum prof_burst_kind kind,
                    struct on *on) {
  double ticks = 0;
  for (size_t i = 0; i < finishing->windows.heads.count; i++) {
    const struct prof_burst_head *head = &finishing->windows.heads.items[i];
    double weight = head->kind == kind && prof_burst_was_on(finishing->windows.paths, frame, head) ? head->weight : 0;
    on->before[i + 1] = on->before[i] + weight;
    ticks += weight * (double)head->length;
  }
  double all = on->before[finishing->windows.heads.count];
  on->mean_ticks = all > 0 ? ticks / all : 0;
}

/* Plain time of the thread in which the frame was in state BURST, for each cost; *other: any in state OFF.  Returns
 * whether it is known. */
static bool find_ticks(const struct finishing *finishing, const struct prof_burst_frame *frame, uint32_t thread,
                       double ticks[PROF_BURST_COSTS], bool *other) {
  const struct prof_burst_time *time = &finishing->calls->times[thread];
  const struct prof_burst_change *changes = finishing->windows.paths->states->changes + frame->first;
  double all = 0;
  *other = false;
  for (unsigned cost = 0; cost < PROF_BURST_COSTS; cost++)
    ticks[cost] = 0;
  for (uint32_t i = 0; i < frame->count; i++) {
    uint64_t end = i + 1 < frame->count ? changes[i + 1].time : UINT64_MAX;
    *other |= changes[i].state == PROF_RECORD_OFF && prof_burst_time_of(time, changes[i].time, end, 0) > 0;
    all += changes[i].state == PROF_RECORD_BURST ? prof_burst_time_all(time, changes[i].time, end) : 0;
    for (unsigned cost = 0; changes[i].state == PROF_RECORD_BURST && cost < PROF_BURST_COSTS; cost++)
      ticks[cost] += prof_burst_time_of(time, changes[i].time, end,
                                        prof_burst_cost_ticks(&finishing->windows.event_costs[thread], cost));
  }
  return ticks[0] >= LEAST_PLAIN * all;
}

/* How far a bound is from the calls, as a part of them. */
static double distance(double calls, double bound) {
  return calls > 0 ? fabs(bound - calls) / calls : 0;
}

/* A caller's part of the total.  Of the interval that windows with events show, what is not of the total is the part's:
 * a single caller has none of it. */
static struct prof_burst_estimate share_of(const struct prof_burst_estimate *edge, double calls,
                                           const struct prof_burst_estimate *total) {
  double others = total->calls > 0 ? fmax(1 - calls / total->calls, 0) : 0;
  double below = hypot(distance(total->calls, total->low), others * distance(edge->calls, edge->low));
  double above = distance(total->calls, total->high);
  if (isfinite(edge->high))
    above = hypot(above, others * distance(edge->calls, edge->high));
  struct prof_burst_estimate of = *edge;
  of.calls = calls;
  of.low = fmax(calls * (1 - below), 0);
  of.high = isfinite(edge->high) || others <= 0 ? fmin(calls * (1 + above), total->high) : total->high;
  return of;
}

/* Callers are of windows with events; the numbers of windows that count, where there are any: those hardly disturb.
 * false: no memory. */
static bool edges_scale(struct finishing *finishing, size_t first, const struct prof_burst_total *total) {
  struct prof_burst_edge *edges = finishing->calls->edges.items;
  size_t count = finishing->calls->edges.count;
  double sum = 0;
  for (size_t i = first; i < count; i++)
    sum += edges[i].of.calls;
  for (size_t i = first; i < count && sum > 0; i++) {
    double part = prof_burst_callers_part(&finishing->windows.callers, total->thread, total->frame, edges[i].caller);
    part = part >= 0 ? part : edges[i].of.calls / sum;
    edges[i].of = share_of(&edges[i].of, part * total->of.calls, &total->of);
  }
  if (sum > 0 || total->of.calls <= 0)
    return true;
  finishing->calls->edges.count = first;
  return prof_vec_push(&finishing->calls->edges,
                       ((struct prof_burst_edge){total->thread, total->frame, PROF_NONE, total->of}));
}

/* What its thread's and frame's sums have. */
static bool finish_frame(struct finishing *finishing, const struct prof_burst_frame *frame,
                         const struct on on[PROF_BURST_KINDS], uint32_t thread, const struct prof_burst_sum *sums,
                         size_t count) {
  const struct prof_burst_time *time = &finishing->calls->times[thread];
  const struct prof_burst_head *heads = finishing->windows.heads.items;
  size_t first = prof_search(0, finishing->windows.heads.count, i, heads[i].begin < time->begin);
  size_t end = prof_search(first, finishing->windows.heads.count, i, heads[i].begin < time->end);
  struct shown shown[PROF_BURST_KINDS];
  double ticks[PROF_BURST_COSTS];
  bool other;
  bool has_plain = find_ticks(finishing, frame, thread, ticks, &other);
  for (int kind = 0; kind < PROF_BURST_KINDS; kind++) {
    double part = prof_burst_time_window_part(time, (enum prof_burst_kind)kind);
    shown[kind].any = on[kind].before[end] - on[kind].before[first];
    shown[kind].windows = shown[kind].any * part < LEAST_WINDOWS ? 0 : shown[kind].any;
    for (unsigned cost = 0; cost < PROF_BURST_COSTS; cost++)
      shown[kind].ticks[cost] = part > 0 ? ticks[cost] / part : ticks[cost];
  }
  enum prof_burst_kind kind = shown[PROF_BURST_BY_COUNTS].windows > 0 ? PROF_BURST_BY_COUNTS : PROF_BURST_BY_EVENTS;
  struct prof_burst_total total = {
      .thread = thread, .frame = frame->frame, .known = !other && (shown[kind].windows > 0 || ticks[0] <= 0)};
  total.of = prof_burst_rate_estimate(&(struct prof_burst_rate){0}, shown[kind].windows, shown[kind].ticks,
                                      on[kind].mean_ticks);
  size_t edges = finishing->calls->edges.count;
  bool done = true;
  for (size_t i = 0; i < count && done; i++) {
    enum prof_burst_kind of_sum = sums[i].caller == PROF_BURST_COUNTED ? PROF_BURST_BY_COUNTS : PROF_BURST_BY_EVENTS;
    /* Of calls whose number is known from counts, few windows tell callers better than none. */
    double windows = of_sum == kind ? shown[of_sum].windows : shown[of_sum].any;
    struct prof_burst_estimate of =
        prof_burst_rate_estimate(&sums[i].rate, windows, shown[of_sum].ticks, on[of_sum].mean_ticks);
    if (sums[i].caller != PROF_BURST_COUNTED && sums[i].caller != PROF_BURST_ANY_CALLER)
      done =
          prof_vec_push(&finishing->calls->edges, ((struct prof_burst_edge){thread, frame->frame, sums[i].caller, of}));
    else if (of_sum == kind)
      total.of = of;
  }
  /* Where waits are estimates, they may seem to fill the time in which windows saw the thread's calls. */
  bool has_time = ticks[0] > 0 || count == 0;
  total.known &= isfinite(total.of.high) && has_time && has_plain;
  total.ticks = has_time ? ticks[0] : 1;
  if (kind == PROF_BURST_BY_COUNTS && done)
    done = edges_scale(finishing, edges, &total);
  return done && prof_vec_push(&finishing->calls->totals, total);
}

static int by_total(const void *left, const void *right) {
  const struct prof_burst_total *a = left, *b = right;
  return prof_order(a->thread, b->thread) ?: prof_order(a->frame, b->frame);
}

static int by_edge(const void *left, const void *right) {
  const struct prof_burst_edge *a = left, *b = right;
  return prof_order(a->thread, b->thread) ?: prof_order(a->frame, b->frame) ?: prof_order(a->caller, b->caller);
}

/* From sums to calls: frame by frame, as all threads need the windows in which it was on. */
static bool finish(struct finishing *finishing) {
  const struct prof_burst_states *states = finishing->windows.paths->states;
  struct prof_burst_calls *calls = finishing->calls;
  struct on on[PROF_BURST_KINDS] = {0};
  bool done = true;
  for (int kind = 0; kind < PROF_BURST_KINDS; kind++) {
    on[kind].before = calloc(finishing->windows.heads.count + 1, sizeof *on[kind].before);
    done &= on[kind].before != NULL;
  }
  size_t at = 0;
  const struct prof_burst_sum *sums = finishing->windows.sums.items;
  for (uint32_t i = 0; i < states->frame_count && done; i++) {
    for (int kind = 0; kind < PROF_BURST_KINDS; kind++)
      find_on(finishing, &states->frames[i], (enum prof_burst_kind)kind, &on[kind]);
    for (uint32_t thread = 0; thread < calls->thread_count && done; thread++) {
      size_t end = at;
      while (end < finishing->windows.sums.count && sums[end].frame == states->frames[i].frame &&
             sums[end].thread == thread)
        end++;
      if (!finishing->windows.filter || finishing->windows.filter->threads[thread])
        done = finish_frame(finishing, &states->frames[i], on, thread, sums + at, end - at);
      at = end;
    }
  }
  prof_vec_sort(&calls->totals, by_total);
  prof_vec_sort(&calls->edges, by_edge);
  calls->windows = finishing->windows.heads.count;
  for (int kind = 0; kind < PROF_BURST_KINDS; kind++)
    free(on[kind].before);
  return done;
}

#define COLD_NS 100000 /* after a preemption */

/* Pauses are in the order of threads and time.  Waits for the recorder are none of the program's: they are taken from a
 * thread's time evenly (thread_time.h), and windows in them saw no call of it, so they don't count. */
static bool take_pauses(struct prof_burst_calls *calls, const prof_trace *trace, const struct prof_pause *pauses,
                        size_t count) {
  uint64_t cold_ticks = prof_trace_ticks(trace, COLD_NS);
  for (size_t i = 0; i < count; i++) {
    const struct prof_pause *pause = &pauses[i];
    if (pause->thread >= calls->thread_count)
      continue;
    struct prof_burst_time *time = &calls->times[pause->thread];
    double times = pause->times > 1 ? (double)pause->times : 1;
    if ((!pause->stalled && !prof_burst_time_pause(time, pause->begin, pause->end, times)) ||
        ((pause->stalled || !pause->waits) && !prof_burst_time_disturb(time, pause->begin, pause->end + cold_ticks)))
      return false;
  }
  return true;
}

/* Fills the times of threads, as far as windows have no part in them. */
static bool take_threads(struct prof_burst_calls *calls, const prof_trace *trace, const struct prof_filter *filter,
                         struct prof_burst_cost *event_costs, struct prof_burst_cost *count_costs) {
  bool done = calls->times && event_costs && count_costs;
  for (uint32_t i = 0; i < calls->thread_count && done; i++) {
    event_costs[i] = prof_burst_event_cost(trace, i);
    count_costs[i] = prof_burst_count_cost(trace, i);
    done = prof_burst_time_init(&calls->times[i], trace, i, filter ? filter->begin_ticks : 0,
                                filter ? filter->end_ticks : UINT64_MAX);
  }
  return done;
}

prof_status prof_burst_calls_find(struct prof_burst_calls *calls, struct prof_burst_paths *paths,
                                  const struct prof_filter *filter, const struct prof_pause *pauses, size_t pause_count,
                                  struct prof_diag *diag) {
  *calls = (struct prof_burst_calls){0};
  prof_trace_threads(paths->trace, &calls->thread_count);
  calls->times = calloc(calls->thread_count + 1, sizeof *calls->times);
  struct prof_burst_cost *event_costs = calloc(calls->thread_count + 1, sizeof *event_costs);
  struct prof_burst_cost *count_costs = calloc(calls->thread_count + 1, sizeof *count_costs);
  struct finishing finishing = {.windows = {.paths = paths,
                                            .filter = filter,
                                            .times = calls->times,
                                            .thread_count = calls->thread_count,
                                            .event_costs = event_costs,
                                            .count_costs = count_costs},
                                .calls = calls};
  bool done = take_threads(calls, paths->trace, filter, event_costs, count_costs) &&
              take_pauses(calls, paths->trace, pauses, pause_count) &&
              prof_burst_windows_read(&finishing.windows, diag) && finish(&finishing);
  calls->chunks_damaged = finishing.windows.chunks_damaged;
  calls->places = finishing.windows.places;
  finishing.windows.places = (struct prof_burst_counted_places){0};
  prof_burst_windows_fini(&finishing.windows);
  free(event_costs);
  free(count_costs);
  return done ? PROF_OK : prof_diag_memory(diag);
}

void prof_burst_calls_fini(struct prof_burst_calls *calls) {
  for (size_t i = 0; i < calls->thread_count && calls->times; i++)
    prof_burst_time_fini(&calls->times[i]);
  free(calls->times);
  prof_vec_fini(&calls->edges);
  prof_vec_fini(&calls->places.items);
  prof_vec_fini(&calls->totals);
  *calls = (struct prof_burst_calls){0};
}

const struct prof_burst_total *prof_burst_calls_total(const struct prof_burst_calls *calls, uint32_t thread,
                                                      uint32_t frame) {
  const struct prof_burst_total *totals = calls->totals.items;
  size_t at = prof_search(0, calls->totals.count, i,
                          (prof_order(totals[i].thread, thread) ?: prof_order(totals[i].frame, frame)) < 0);
  bool found = at < calls->totals.count && totals[at].thread == thread && totals[at].frame == frame;
  return found ? &totals[at] : NULL;
}
