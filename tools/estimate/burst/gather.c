/*
 * tools/estimate/burst/gather.c - see gather.h.
 */
#include "estimate/burst/gather.h"

#include <stdlib.h>

#include "base/order.h"
#include "estimate/burst/cost.h"
#include "estimate/burst/windows.h"

#define COLD_NS 100000 /* after a preemption */

struct gathering {
  const struct prof_burst_gathering *of;
  struct prof_burst_sums *sums;
  struct prof_burst_windows windows;
  struct prof_burst_cost *event_costs, *count_costs; /* by thread */
  struct prof_burst_time *times;                     /* likewise */
  PROF_VEC(uint32_t) shown;                          /* threads that lived and are shown */
};

/* The windows before each, of those in which a frame was on. */
struct before {
  struct prof_burst_on *items[PROF_BURST_KINDS];
};

/* Pauses are in the order of threads and time.  Waits for the recorder are none of the program's: they are taken from a
 * thread's time evenly (thread_time.h), and windows in them saw no call of it, so they don't count. */
static bool take_pauses(struct gathering *gathering) {
  uint64_t cold_ticks = prof_trace_ticks(gathering->of->paths->trace, COLD_NS);
  for (size_t i = 0; i < gathering->of->pause_count; i++) {
    const struct prof_pause *pause = &gathering->of->pauses[i];
    if (pause->thread >= gathering->sums->thread_count)
      continue;
    struct prof_burst_time *time = &gathering->times[pause->thread];
    double times = pause->times > 1 ? (double)pause->times : 1;
    if ((!pause->stalled && !prof_burst_time_pause(time, pause->begin, pause->end, times)) ||
        ((pause->stalled || !pause->waits) && !prof_burst_time_disturb(time, pause->begin, pause->end + cold_ticks)))
      return false;
  }
  return true;
}

/* Fills the times of threads, as far as windows have no part in them. */
static bool take_threads(struct gathering *gathering) {
  const prof_trace *trace = gathering->of->paths->trace;
  const struct prof_filter *filter = gathering->of->filter;
  const struct prof_burst_stretch_of *stretch = gathering->of->stretch;
  size_t count = gathering->sums->thread_count;
  gathering->times = calloc(count + 1, sizeof *gathering->times);
  gathering->event_costs = calloc(count + 1, sizeof *gathering->event_costs);
  gathering->count_costs = calloc(count + 1, sizeof *gathering->count_costs);
  gathering->sums->threads = calloc(count + 1, sizeof *gathering->sums->threads);
  bool done = gathering->times && gathering->event_costs && gathering->count_costs && gathering->sums->threads;
  for (uint32_t i = 0; i < count && done; i++) {
    struct prof_burst_time *time = &gathering->times[i];
    gathering->event_costs[i] = prof_burst_event_cost(trace, i);
    gathering->count_costs[i] = prof_burst_count_cost(trace, i);
    done = prof_burst_time_init(time, trace, i, stretch ? stretch->begin : 0, stretch ? stretch->end : UINT64_MAX);
    if (filter)
      prof_burst_time_limit(time, filter->begin_ticks, filter->end_ticks);
    if (done && time->begin < time->end && (!filter || filter->threads[i]))
      done = prof_vec_push(&gathering->shown, i);
  }
  return done;
}

static void find_before(const struct gathering *gathering, const struct prof_burst_frame *frame,
                        struct before *before) {
  const struct prof_burst_windows *windows = &gathering->windows;
  for (size_t i = 0; i < windows->heads.count; i++) {
    const struct prof_burst_head *head = &windows->heads.items[i];
    bool on = prof_burst_was_on(windows->paths, frame, head);
    for (int kind = 0; kind < PROF_BURST_KINDS; kind++) {
      struct prof_burst_on *items = before->items[kind];
      items[i + 1] = items[i];
      if (!on || (int)head->kind != kind)
        continue;
      items[i + 1].weight += head->weight;
      items[i + 1].ticks += head->weight * (double)head->length;
    }
  }
}

static bool take_frame(struct gathering *gathering, const struct prof_burst_frame *frame, const struct before *before,
                       uint32_t thread) {
  const struct prof_burst_time *time = &gathering->times[thread];
  const struct prof_burst_change *changes = gathering->of->paths->states->changes + frame->first;
  const struct prof_burst_head *heads = gathering->windows.heads.items;
  size_t first = prof_search(0, gathering->windows.heads.count, i, heads[i].begin < time->begin);
  size_t end = prof_search(first, gathering->windows.heads.count, i, heads[i].begin < time->end);
  struct prof_burst_frame_sum sum = {.thread = thread, .frame = frame->frame};
  struct prof_burst_ran off = {0};
  for (uint32_t i = 0; i < frame->count; i++) {
    uint64_t until = i + 1 < frame->count ? changes[i + 1].time : UINT64_MAX;
    if (changes[i].state != PROF_RECORD_ALWAYS)
      prof_burst_time_add_ran(time, changes[i].time, until, changes[i].state == PROF_RECORD_OFF ? &off : &sum.burst);
  }
  sum.off_ticks = off.ticks;
  bool any = sum.burst.ticks > 0 || sum.off_ticks > 0;
  for (int kind = 0; kind < PROF_BURST_KINDS; kind++) {
    sum.on[kind].weight = before->items[kind][end].weight - before->items[kind][first].weight;
    sum.on[kind].ticks = before->items[kind][end].ticks - before->items[kind][first].ticks;
    any |= sum.on[kind].weight > 0;
  }
  return !any || prof_vec_push(&gathering->sums->frames, sum);
}

static bool take_frames(struct gathering *gathering) {
  const struct prof_burst_states *states = gathering->of->paths->states;
  struct before before;
  bool done = true;
  for (int kind = 0; kind < PROF_BURST_KINDS; kind++) {
    before.items[kind] = calloc(gathering->windows.heads.count + 1, sizeof *before.items[kind]);
    done &= before.items[kind] != NULL;
  }
  for (uint32_t i = 0; i < states->frame_count && done; i++) {
    find_before(gathering, &states->frames[i], &before);
    for (size_t k = 0; k < gathering->shown.count && done; k++)
      done = take_frame(gathering, &states->frames[i], &before, gathering->shown.items[k]);
  }
  for (int kind = 0; kind < PROF_BURST_KINDS; kind++)
    free(before.items[kind]);
  return done;
}

/* What the windows have, and what threads did in them. */
static void take_windows(struct gathering *gathering) {
  struct prof_burst_sums *sums = gathering->sums;
  for (size_t i = 0; i < gathering->windows.heads.count; i++) {
    const struct prof_burst_head *head = &gathering->windows.heads.items[i];
    sums->windows[head->kind].count++;
    sums->windows[head->kind].weight += head->weight;
  }
  for (uint32_t i = 0; i < sums->thread_count; i++) {
    const struct prof_burst_time *time = &gathering->times[i];
    struct prof_burst_thread_sum *to = &sums->threads[i];
    to->life_ticks = (double)prof_burst_time_ran(time, time->life_begin, time->life_end);
    to->window_events = prof_burst_time_window_events(time);
    for (int kind = 0; kind < PROF_BURST_KINDS; kind++) {
      to->met[kind] = time->windows_met[kind];
      to->ran[kind] = time->windows_ran[kind];
    }
  }
}

bool prof_burst_sums_gather(struct prof_burst_sums *sums, const struct prof_burst_gathering *of,
                            struct prof_diag *diag) {
  *sums = (struct prof_burst_sums){0};
  if (of->stretch) {
    sums->callers = of->stretch->callers;
    of->stretch->callers = (struct prof_burst_callers){0};
  }
  prof_trace_threads(of->paths->trace, &sums->thread_count);
  struct gathering gathering = {.of = of, .sums = sums};
  bool done = take_threads(&gathering) && take_pauses(&gathering);
  gathering.windows = (struct prof_burst_windows){.paths = of->paths,
                                                  .filter = of->filter,
                                                  .stretch = of->stretch,
                                                  .times = gathering.times,
                                                  .sums = sums,
                                                  .event_costs = gathering.event_costs,
                                                  .count_costs = gathering.count_costs};
  done = done && prof_burst_windows_read(&gathering.windows, diag) && take_frames(&gathering);
  if (done)
    take_windows(&gathering);
  prof_burst_sums_sort(sums);
  for (size_t i = 0; i < sums->rates.count; i++)
    prof_burst_rate_settle(&sums->rates.items[i].rate);
  for (size_t i = 0; i < sums->thread_count && gathering.times; i++)
    prof_burst_time_fini(&gathering.times[i]);
  prof_vec_fini(&gathering.windows.heads);
  prof_vec_fini(&gathering.shown);
  free(gathering.times);
  free(gathering.event_costs);
  free(gathering.count_costs);
  return done;
}
