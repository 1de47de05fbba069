/*
 * tools/estimate/burst/calls.c - see calls.h.
 */
#include "estimate/burst/calls.h"

#include <math.h>
#include <stdlib.h>

#include "base/order.h"
#include "estimate/burst/cost.h"

#define LEAST_WINDOWS 10 /* fewer tell nothing */
#define LEAST_PLAIN 0.2  /* of what a thread ran: less is the difference of two times that are nearly equal */

struct finishing {
  const struct prof_burst_sums *sums;
  const prof_trace *trace;
  double mean_weight[PROF_BURST_KINDS]; /* of a window */
  struct prof_burst_calls *calls;
};

struct shown { /* of a frame in a thread, by windows of one kind */
  double ticks[PROF_BURST_COSTS];
  double windows; /* their weights; 0: they are too few */
  double any;     /* the same, however few */
  double mean_ticks;
};

/* Plain time of the thread in which the frame was in state BURST, for each cost; *other: any in state OFF.  Returns
 * whether it is known. */
static bool find_ticks(const struct finishing *finishing, const struct prof_burst_frame_sum *sum,
                       double ticks[PROF_BURST_COSTS], bool *other) {
  const struct prof_burst_cost event = prof_burst_event_cost(finishing->trace, sum->thread);
  double life = finishing->sums->threads[sum->thread].life_ticks;
  double stalled = (double)prof_trace_threads(finishing->trace, NULL)[sum->thread].stalled_ticks;
  const struct prof_burst_ran off = {.ticks = sum->off_ticks};
  *other = prof_burst_plain_ticks(&off, life, stalled, 0) > 0;
  for (unsigned cost = 0; cost < PROF_BURST_COSTS; cost++)
    ticks[cost] = prof_burst_plain_ticks(&sum->burst, life, stalled, prof_burst_cost_ticks(&event, cost));
  return ticks[0] >= LEAST_PLAIN * sum->burst.ticks;
}

/* What the windows of a kind say, a window's weight being 1 on average. */
static struct shown show(const struct finishing *finishing, const struct prof_burst_frame_sum *sum,
                         enum prof_burst_kind kind, const double ticks[PROF_BURST_COSTS]) {
  const struct prof_burst_thread_sum *thread = &finishing->sums->threads[sum->thread];
  const struct prof_burst_on *on = &sum->on[kind];
  double part = thread->met[kind] > 0 ? thread->ran[kind] / thread->met[kind] : 0;
  struct shown shown = {.any = finishing->mean_weight[kind] > 0 ? on->weight / finishing->mean_weight[kind] : 0,
                        .mean_ticks = on->weight > 0 ? on->ticks / on->weight : 0};
  shown.windows = shown.any * part < LEAST_WINDOWS ? 0 : shown.any;
  for (unsigned cost = 0; cost < PROF_BURST_COSTS; cost++)
    shown.ticks[cost] = part > 0 ? ticks[cost] / part : ticks[cost];
  return shown;
}

static struct prof_burst_estimate estimate(const struct finishing *finishing, const struct prof_burst_rate *of,
                                           enum prof_burst_kind kind, double windows, const struct shown *shown) {
  struct prof_burst_rate rate = *of;
  prof_burst_rate_scale(&rate, finishing->mean_weight[kind] > 0 ? 1 / finishing->mean_weight[kind] : 0);
  return prof_burst_rate_estimate(&rate, windows, shown->ticks, shown->mean_ticks);
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
    double part = prof_burst_callers_part(&finishing->sums->callers, total->thread, total->frame, edges[i].caller);
    part = part >= 0 ? part : edges[i].of.calls / sum;
    edges[i].of = share_of(&edges[i].of, part * total->of.calls, &total->of);
  }
  if (sum > 0 || total->of.calls <= 0)
    return true;
  finishing->calls->edges.count = first;
  return prof_vec_push(&finishing->calls->edges,
                       ((struct prof_burst_edge){total->thread, total->frame, PROF_NONE, total->of}));
}

/* What its thread's and frame's rates have. */
static bool finish_frame(struct finishing *finishing, const struct prof_burst_frame_sum *sum,
                         const struct prof_burst_sum *rates, size_t count) {
  struct shown shown[PROF_BURST_KINDS];
  double ticks[PROF_BURST_COSTS];
  bool other;
  bool has_plain = find_ticks(finishing, sum, ticks, &other);
  for (int kind = 0; kind < PROF_BURST_KINDS; kind++)
    shown[kind] = show(finishing, sum, (enum prof_burst_kind)kind, ticks);
  enum prof_burst_kind kind = shown[PROF_BURST_BY_COUNTS].windows > 0 ? PROF_BURST_BY_COUNTS : PROF_BURST_BY_EVENTS;
  struct prof_burst_total total = {
      .thread = sum->thread, .frame = sum->frame, .known = !other && (shown[kind].windows > 0 || ticks[0] <= 0)};
  total.of = estimate(finishing, &(struct prof_burst_rate){0}, kind, shown[kind].windows, &shown[kind]);
  size_t edges = finishing->calls->edges.count;
  bool done = true;
  for (size_t i = 0; i < count && done; i++) {
    enum prof_burst_kind of_rate = rates[i].caller == PROF_BURST_COUNTED ? PROF_BURST_BY_COUNTS : PROF_BURST_BY_EVENTS;
    /* Of calls whose number is known from counts, few windows tell callers better than none. */
    double windows = of_rate == kind ? shown[of_rate].windows : shown[of_rate].any;
    struct prof_burst_estimate of = estimate(finishing, &rates[i].rate, of_rate, windows, &shown[of_rate]);
    if (rates[i].caller != PROF_BURST_COUNTED && rates[i].caller != PROF_BURST_ANY_CALLER)
      done = prof_vec_push(&finishing->calls->edges,
                           ((struct prof_burst_edge){sum->thread, sum->frame, rates[i].caller, of}));
    else if (of_rate == kind)
      total.of = of;
  }
  /* Where waits are estimates, they may seem to fill the time in which windows saw the thread's calls. */
  bool has_time = ticks[0] > 0 || count == 0;
  total.known &= isfinite(total.of.high) && has_time && has_plain;
  total.ticks = total.known || ticks[0] > 0 ? ticks[0] : fmax(sum->burst.ticks, 1);
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

bool prof_burst_calls_find(struct prof_burst_calls *calls, const struct prof_burst_sums *sums,
                           const struct prof_burst_states *states, const prof_trace *trace,
                           const struct prof_filter *filter) {
  struct finishing finishing = {.sums = sums, .trace = trace, .calls = calls};
  bool done = true;
  *calls = (struct prof_burst_calls){0};
  for (int kind = 0; kind < PROF_BURST_KINDS; kind++)
    finishing.mean_weight[kind] =
        sums->windows[kind].count ? sums->windows[kind].weight / (double)sums->windows[kind].count : 0;
  size_t at = 0;
  const struct prof_burst_sum *rates = sums->rates.items;
  for (uint32_t i = 0; i < states->frame_count && done; i++)
    for (uint32_t thread = 0; thread < sums->thread_count && done; thread++) {
      const struct prof_burst_frame_sum none = {.thread = thread, .frame = states->frames[i].frame};
      const struct prof_burst_frame_sum *sum = prof_burst_sums_frame(sums, none.frame, thread);
      while (at < sums->rates.count &&
             (prof_order(rates[at].frame, none.frame) ?: prof_order(rates[at].thread, thread)) < 0)
        at++;
      size_t end = at;
      while (end < sums->rates.count && rates[end].frame == none.frame && rates[end].thread == thread)
        end++;
      if (!filter || filter->threads[thread])
        done = finish_frame(&finishing, sum != NULL ? sum : &none, rates + at, end - at);
      at = end;
    }
  prof_vec_sort(&calls->totals, by_total);
  prof_vec_sort(&calls->edges, by_edge);
  return done;
}

void prof_burst_calls_fini(struct prof_burst_calls *calls) {
  prof_vec_fini(&calls->edges);
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
