/*
 * tools/estimate/burst_calls.c - see burst_calls.h.
 */
#include "estimate/burst_calls.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/order.h"
#include "estimate/burst_weights.h"
#include "names/loop_frames.h"

#define FIRST_NS 100     /* a function's first event in a window: code and trampoline are in no cache (MODEL.md) */
#define FIRST_CALLS 4    /* in a window that counts: with more, the first one was before the window */
#define LEAST_WINDOWS 10 /* fewer tell nothing */
#define COUNTS_SATURATED 0.6
/* In place of a caller's function: all of them, in windows with events and in those that count. */
#define ANY_CALLER (PROF_NONE - 1)
#define COUNTED (PROF_NONE - 2)

struct head { /* of a window */
  uint64_t begin, seed;
  uint64_t length;
  uint32_t part;
  enum prof_burst_kind kind;
  double weight;
};

struct sum {
  uint32_t thread, frame, caller; /* or ANY_CALLER, COUNTED */
  struct prof_burst_rate rate;
};

struct caller { /* of a call in a window */
  uint32_t process, address, function;
};

struct counting {
  const prof_trace *trace;
  const struct prof_filter *filter; /* NULL: everything */
  struct prof_burst_paths *paths;
  struct prof_burst_calls *calls;
  struct prof_burst_cost *costs;         /* by thread */
  struct prof_burst_cost *counted_costs; /* likewise: of a call that is only counted */
  PROF_VEC(struct head) heads;
  PROF_VEC(struct sum) sums;
  struct prof_index_map known;   /* sums */
  struct prof_index_map callers; /* functions, by process and return address */
  PROF_VEC(struct caller) caller_items;
};

/* saturated: as in prof_burst_cost. */
static struct prof_burst_cost cost_from(const prof_trace *trace, double alone, double among, double saturated) {
  double first = alone > 0 ? FIRST_NS * (double)prof_trace_info(trace)->frequency_hz / 1e9 : 0;
  if (among <= 0 || among > alone)
    among = alone;
  return (struct prof_burst_cost){.ticks = alone,
                                  .error_ticks = alone - among,
                                  .saturated = saturated,
                                  .first_ticks = first,
                                  .first_error_ticks = first};
}

/* NULL: it is not known. */
static const struct prof_process *process_of(const prof_trace *trace, uint32_t thread) {
  size_t count;
  const struct prof_process *processes = prof_trace_processes(trace, &count);
  uint32_t process = prof_trace_threads(trace, NULL)[thread].process;
  return process < count ? &processes[process] : NULL;
}

struct prof_burst_cost prof_burst_cost_of(const prof_trace *trace, uint32_t thread) {
  const struct prof_process *process = process_of(trace, thread);
  return process ? cost_from(trace, process->event_cost_ticks, process->event_cost_among_ticks, 0)
                 : (struct prof_burst_cost){0};
}

/* The same of a call that is only counted (MODEL.md). */
static struct prof_burst_cost counted_cost_of(const prof_trace *trace, uint32_t thread) {
  const struct prof_process *process = process_of(trace, thread);
  return process ? cost_from(trace, process->count_cost_ticks, process->count_cost_among_ticks, COUNTS_SATURATED)
                 : (struct prof_burst_cost){0};
}

static uint32_t caller_of(struct counting *counting, uint32_t process, uint32_t address) {
  uint32_t hash = prof_index_hash(address, process);
  uint32_t at = prof_index_find(&counting->callers, hash, i,
                                counting->caller_items.items[i].address == address &&
                                    counting->caller_items.items[i].process == process);
  if (at != UINT32_MAX)
    return counting->caller_items.items[at].function;
  uint32_t function = prof_burst_caller(counting->paths, process, address);
  if (prof_vec_push(&counting->caller_items, ((struct caller){process, address, function})))
    (void)prof_index_add(&counting->callers, hash, (uint32_t)counting->caller_items.count - 1);
  return function;
}

/* NULL: no memory. */
static struct prof_burst_rate *rate_of(struct counting *counting, uint32_t thread, uint32_t frame, uint32_t caller) {
  uint32_t hash = prof_index_hash((uint64_t)frame << 32 | caller, thread);
  const struct sum *sums = counting->sums.items;
  uint32_t at = prof_index_find(&counting->known, hash, i,
                                sums[i].thread == thread && sums[i].frame == frame && sums[i].caller == caller);
  if (at == UINT32_MAX) {
    if (!prof_vec_push(&counting->sums, ((struct sum){.thread = thread, .frame = frame, .caller = caller})))
      return NULL;
    at = (uint32_t)counting->sums.count - 1;
    if (!prof_index_add(&counting->known, hash, at))
      return NULL;
  }
  return &counting->sums.items[at].rate;
}

/* Whether the function or loop was on in the window. */
static bool was_on(const struct counting *counting, const struct prof_burst_frame *frame, const struct head *head) {
  return prof_window_has(head->seed, head->part, frame->site) &&
         !(head->kind == PROF_BURST_BY_COUNTS && prof_frame_loop(counting->trace, frame->frame) != PROF_NONE) &&
         prof_burst_state_holds(counting->paths->states, frame, head->begin, head->begin + head->length);
}

static bool take_row(struct counting *counting, const struct head *head, const struct prof_burst_window *window,
                     uint32_t thread, const struct prof_window_row *row) {
  const struct prof_burst_states *states = counting->paths->states;
  struct prof_site_frame frame = prof_frame_of_site(counting->trace, row->site, true);
  if (frame.number >= states->number_count || frame.is_quiet || states->of[frame.number] == PROF_NONE ||
      !was_on(counting, &states->frames[states->of[frame.number]], head))
    return true;
  struct prof_burst_rate *counted =
      head->kind == PROF_BURST_BY_COUNTS ? rate_of(counting, thread, frame.number, COUNTED) : NULL;
  if (counted)
    prof_burst_rate_add(counted, window, &counting->counted_costs[thread], row->calls, 0);
  if (head->kind == PROF_BURST_BY_COUNTS)
    return counted != NULL;
  uint32_t process = prof_trace_threads(counting->trace, NULL)[thread].process;
  uint32_t caller =
      frame.is_loop ? prof_trace_site(counting->trace, row->site).function : caller_of(counting, process, row->caller);
  struct prof_burst_rate *all = rate_of(counting, thread, frame.number, ANY_CALLER);
  if (all)
    prof_burst_rate_add(all, window, &counting->costs[thread], row->calls, row->iterations);
  struct prof_burst_rate *one = all ? rate_of(counting, thread, frame.number, caller) : NULL;
  if (one)
    prof_burst_rate_add(one, window, &counting->costs[thread], row->calls, row->iterations);
  return one != NULL;
}

/* The cost of one in the other. */
static uint64_t converted(double count, double ticks, double other_ticks) {
  return other_ticks > 0 ? (uint64_t)(count * ticks / other_ticks + 0.5) : 0;
}

/* What a window that counts did to the thread: in->events are counts, and the returned ones events. */
static uint64_t take_counts(const struct counting *counting, const struct prof_window_row *rows,
                            const struct prof_window_thread *of, struct prof_burst_window *in) {
  double event = counting->costs[of->thread].ticks, count = counting->counted_costs[of->thread].ticks;
  uint64_t calls = 0;
  in->firsts = 0;
  for (uint32_t i = 0; i < of->row_count; i++) {
    calls += rows[of->first_row + i].calls;
    in->firsts += rows[of->first_row + i].calls < FIRST_CALLS;
  }
  in->events = calls + converted((double)of->events, event, count);
  return of->events + converted((double)calls, count, event);
}

/* Caches are cold after a preemption: the thread is slower then, and events cost more. */
static bool is_left_out(const struct prof_burst_time *time, const struct head *head) {
  return prof_burst_time_is_disturbed(time, head->begin, head->begin + head->length);
}

static bool take_head(struct counting *counting, const struct prof_window_chunk *chunk,
                      const struct prof_window *window) {
  (void)chunk;
  return prof_vec_push(
      &counting->heads,
      ((struct head){window->begin, window->seed, window->end - window->begin, window->part,
                     window->flags & PROF_WINDOW_COUNTED ? PROF_BURST_BY_COUNTS : PROF_BURST_BY_EVENTS, 1}));
}

static bool take_rows(struct counting *counting, const struct prof_window_chunk *chunk,
                      const struct prof_window *window) {
  const struct prof_filter *filter = counting->filter;
  size_t number = prof_search(0, counting->heads.count, i, counting->heads.items[i].begin < window->begin);
  if (number == counting->heads.count || counting->heads.items[number].begin != window->begin)
    return true; /* the file changed meanwhile */
  const struct head head = counting->heads.items[number];
  for (uint32_t i = 0; i < window->thread_count; i++) {
    const struct prof_window_thread *of = &chunk->threads[window->first_thread + i];
    if (of->thread >= counting->calls->thread_count || (filter && !filter->threads[of->thread]))
      continue;
    struct prof_burst_time *time = &counting->calls->times[of->thread];
    if (window->begin < time->begin || window->begin >= time->end)
      continue;
    uint64_t ran = prof_burst_time_ran(time, window->begin, window->end);
    struct prof_burst_window in = {head.weight, number + 1, head.length, ran, of->events, of->row_count};
    uint64_t events = head.kind == PROF_BURST_BY_COUNTS ? take_counts(counting, chunk->rows, of, &in) : of->events;
    if (!prof_burst_time_add(time, window->begin, events))
      return false;
    if (is_left_out(time, &head))
      continue;
    for (uint32_t j = 0; j < of->row_count; j++)
      if (!take_row(counting, &head, &in, of->thread, &chunk->rows[of->first_row + j]))
        return false;
  }
  return true;
}

static int by_begin(const void *left, const void *right) {
  return prof_order(((const struct head *)left)->begin, ((const struct head *)right)->begin);
}

typedef bool taker(struct counting *, const struct prof_window_chunk *, const struct prof_window *);

static bool each_window(struct counting *counting, taker *take, struct prof_diag *diag) {
  const struct prof_filter *filter = counting->filter;
  size_t count;
  (void)prof_trace_window_chunks(counting->trace, &count);
  struct prof_window_chunk chunk = {0};
  bool done = true;
  counting->calls->chunks_damaged = 0;
  for (size_t i = 0; i < count && done; i++) {
    prof_status status = prof_window_chunk_load(counting->trace, i, diag, &chunk);
    done = status != PROF_NO_MEMORY;
    counting->calls->chunks_damaged += status != PROF_OK;
    for (uint32_t j = 0; done && status == PROF_OK && j < chunk.count; j++) {
      const struct prof_window *window = &chunk.windows[j];
      if (!filter || (window->begin >= filter->begin_ticks && window->end <= filter->end_ticks))
        done = take(counting, &chunk, window);
    }
  }
  prof_window_chunk_free(&chunk);
  return done;
}

static bool weigh(struct counting *counting, enum prof_burst_kind kind) {
  struct head *heads = counting->heads.items;
  size_t count = 0, all = counting->heads.count;
  uint64_t *begins = malloc((all + 1) * sizeof *begins);
  double *weights = malloc((all + 1) * sizeof *weights);
  bool done = begins && weights;
  for (size_t i = 0; i < all && done; i++)
    if (heads[i].kind == kind)
      begins[count++] = heads[i].begin;
  if (done)
    prof_burst_weights(begins, count, weights);
  for (size_t i = all; i > 0 && done; i--)
    if (heads[i - 1].kind == kind)
      heads[i - 1].weight = weights[--count];
  free(begins);
  free(weights);
  return done;
}

/* Heads come first: a window's weight hangs on its neighbours. */
static bool take_windows(struct counting *counting, struct prof_diag *diag) {
  bool done = each_window(counting, take_head, diag);
  prof_vec_sort(&counting->heads, by_begin);
  for (int kind = 0; kind < PROF_BURST_KINDS && done; kind++)
    done = weigh(counting, (enum prof_burst_kind)kind);
  return done && each_window(counting, take_rows, diag);
}

struct on {       /* in which windows a frame was on */
  double *before; /* by window: the weights of those before it */
  double mean_ticks;
};

struct shown { /* of a frame in a thread, by windows of one kind */
  double ticks[PROF_BURST_COSTS];
  double windows; /* their weights */
};

static void find_on(const struct counting *counting, const struct prof_burst_frame *frame, enum prof_burst_kind kind,
                    struct on *on) {
  double ticks = 0;
  for (size_t i = 0; i < counting->heads.count; i++) {
    const struct head *head = &counting->heads.items[i];
    double weight = head->kind == kind && was_on(counting, frame, head) ? head->weight : 0;
    on->before[i + 1] = on->before[i] + weight;
    ticks += weight * (double)head->length;
  }
  double all = on->before[counting->heads.count];
  on->mean_ticks = all > 0 ? ticks / all : 0;
}

/* Plain time of the thread in which the frame was in state BURST, for each cost; *other: any in state OFF. */
static void find_ticks(const struct counting *counting, const struct prof_burst_frame *frame, uint32_t thread,
                       double ticks[PROF_BURST_COSTS], bool *other) {
  const struct prof_burst_time *time = &counting->calls->times[thread];
  const struct prof_burst_change *changes = counting->paths->states->changes + frame->first;
  *other = false;
  for (unsigned cost = 0; cost < PROF_BURST_COSTS; cost++)
    ticks[cost] = 0;
  for (uint32_t i = 0; i < frame->count; i++) {
    uint64_t end = i + 1 < frame->count ? changes[i + 1].time : UINT64_MAX;
    *other |= changes[i].state == PROF_RECORD_OFF && prof_burst_time_of(time, changes[i].time, end, 0) > 0;
    for (unsigned cost = 0; changes[i].state == PROF_RECORD_BURST && cost < PROF_BURST_COSTS; cost++)
      ticks[cost] +=
          prof_burst_time_of(time, changes[i].time, end, prof_burst_cost_ticks(&counting->costs[thread], cost));
  }
}

/* Callers are of windows with events; the numbers of windows that count, where there are any: those hardly disturb.
 * false: no memory. */
static bool edges_scale(struct counting *counting, size_t first, const struct prof_burst_total *total) {
  struct prof_burst_edge *edges = counting->calls->edges.items;
  double sum = 0;
  for (size_t i = first; i < counting->calls->edges.count; i++)
    sum += edges[i].of.calls;
  for (size_t i = first; i < counting->calls->edges.count && sum > 0; i++) {
    edges[i].of.calls *= total->of.calls / sum;
    edges[i].of.low *= total->of.calls / sum;
    edges[i].of.high *= total->of.calls / sum;
  }
  if (sum > 0 || total->of.calls <= 0)
    return true;
  counting->calls->edges.count = first;
  return prof_vec_push(&counting->calls->edges,
                       ((struct prof_burst_edge){total->thread, total->frame, PROF_NONE, total->of}));
}

/* What its thread's and frame's sums have. */
static bool finish_frame(struct counting *counting, const struct prof_burst_frame *frame,
                         const struct on on[PROF_BURST_KINDS], uint32_t thread, const struct sum *sums, size_t count) {
  const struct prof_burst_time *time = &counting->calls->times[thread];
  const struct head *heads = counting->heads.items;
  size_t first = prof_search(0, counting->heads.count, i, heads[i].begin < time->begin);
  size_t end = prof_search(first, counting->heads.count, i, heads[i].begin < time->end);
  struct shown shown[PROF_BURST_KINDS];
  double ticks[PROF_BURST_COSTS];
  bool other;
  find_ticks(counting, frame, thread, ticks, &other);
  for (int kind = 0; kind < PROF_BURST_KINDS; kind++) {
    double part = prof_burst_time_window_part(time, (enum prof_burst_kind)kind);
    shown[kind].windows = on[kind].before[end] - on[kind].before[first];
    if (shown[kind].windows * part < LEAST_WINDOWS)
      shown[kind].windows = 0;
    for (unsigned cost = 0; cost < PROF_BURST_COSTS; cost++)
      shown[kind].ticks[cost] = part > 0 ? ticks[cost] / part : ticks[cost];
  }
  enum prof_burst_kind kind = shown[PROF_BURST_BY_COUNTS].windows > 0 ? PROF_BURST_BY_COUNTS : PROF_BURST_BY_EVENTS;
  struct prof_burst_total total = {
      .thread = thread, .frame = frame->frame, .known = !other && (shown[kind].windows > 0 || ticks[0] <= 0)};
  total.of = prof_burst_rate_estimate(&(struct prof_burst_rate){0}, shown[kind].windows, shown[kind].ticks,
                                      on[kind].mean_ticks);
  size_t edges = counting->calls->edges.count;
  bool done = true;
  for (size_t i = 0; i < count && done; i++) {
    enum prof_burst_kind of_sum = sums[i].caller == COUNTED ? PROF_BURST_BY_COUNTS : PROF_BURST_BY_EVENTS;
    struct prof_burst_estimate of =
        prof_burst_rate_estimate(&sums[i].rate, shown[of_sum].windows, shown[of_sum].ticks, on[of_sum].mean_ticks);
    if (sums[i].caller != COUNTED && sums[i].caller != ANY_CALLER)
      done =
          prof_vec_push(&counting->calls->edges, ((struct prof_burst_edge){thread, frame->frame, sums[i].caller, of}));
    else if (of_sum == kind)
      total.of = of;
  }
  total.known &= isfinite(total.of.high);
  total.ticks = ticks[0];
  if (kind == PROF_BURST_BY_COUNTS && done)
    done = edges_scale(counting, edges, &total);
  return done && prof_vec_push(&counting->calls->totals, total);
}

static int by_thread(const void *left, const void *right) {
  const struct sum *a = left, *b = right;
  return prof_order(a->frame, b->frame) ?: prof_order(a->thread, b->thread) ?: prof_order(a->caller, b->caller);
}

static int by_total(const void *left, const void *right) {
  const struct prof_burst_total *a = left, *b = right;
  return prof_order(a->thread, b->thread) ?: prof_order(a->frame, b->frame);
}

static int by_edge(const void *left, const void *right) {
  const struct prof_burst_edge *a = left, *b = right;
  return prof_order(a->thread, b->thread) ?: prof_order(a->frame, b->frame) ?: prof_order(a->caller, b->caller);
}

/* The windows in the thread's life, and what it ran of those that count. */
static void find_part(const struct head *heads, size_t count, struct prof_burst_time *time) {
  size_t at = prof_search(0, count, i, heads[i].begin < time->begin);
  for (; at < count && heads[at].begin < time->end; at++) {
    uint64_t end = heads[at].begin + heads[at].length;
    time->windows_met[heads[at].kind] += heads[at].weight;
    if (!is_left_out(time, &heads[at]))
      time->windows_ran[heads[at].kind] +=
          heads[at].weight * (double)prof_burst_time_ran(time, heads[at].begin, end) / (double)heads[at].length;
  }
}

/* From sums to calls: frame by frame, as all threads need the windows in which it was on. */
static bool finish(struct counting *counting) {
  const struct prof_burst_states *states = counting->paths->states;
  struct prof_burst_calls *calls = counting->calls;
  struct on on[PROF_BURST_KINDS] = {0};
  bool done = true;
  for (int kind = 0; kind < PROF_BURST_KINDS; kind++) {
    on[kind].before = calloc(counting->heads.count + 1, sizeof *on[kind].before);
    done &= on[kind].before != NULL;
  }
  size_t at = 0;
  prof_vec_sort(&counting->sums, by_thread);
  const struct sum *sums = counting->sums.items;
  for (uint32_t i = 0; i < calls->thread_count; i++) {
    prof_burst_time_finish(&calls->times[i]);
    find_part(counting->heads.items, counting->heads.count, &calls->times[i]);
  }
  for (uint32_t i = 0; i < states->frame_count && done; i++) {
    for (int kind = 0; kind < PROF_BURST_KINDS; kind++)
      find_on(counting, &states->frames[i], (enum prof_burst_kind)kind, &on[kind]);
    for (uint32_t thread = 0; thread < calls->thread_count && done; thread++) {
      size_t end = at;
      while (end < counting->sums.count && sums[end].frame == states->frames[i].frame && sums[end].thread == thread)
        end++;
      if (!counting->filter || counting->filter->threads[thread])
        done = finish_frame(counting, &states->frames[i], on, thread, sums + at, end - at);
      at = end;
    }
  }
  prof_vec_sort(&calls->totals, by_total);
  prof_vec_sort(&calls->edges, by_edge);
  calls->windows = counting->heads.count;
  for (int kind = 0; kind < PROF_BURST_KINDS; kind++)
    free(on[kind].before);
  return done;
}

#define COLD_NS 100000 /* after a preemption */

/* Pauses are in the order of threads and time. */
static bool take_pauses(struct prof_burst_calls *calls, const prof_trace *trace, const struct prof_pause *pauses,
                        size_t count) {
  uint64_t cold_ticks = prof_trace_ticks(trace, COLD_NS);
  for (size_t i = 0; i < count; i++) {
    const struct prof_pause *pause = &pauses[i];
    if (pause->thread >= calls->thread_count || pause->stalled)
      continue;
    struct prof_burst_time *time = &calls->times[pause->thread];
    if (!prof_burst_time_pause(time, pause->begin, pause->end) ||
        (!pause->waits && !prof_burst_time_disturb(time, pause->begin, pause->end + cold_ticks)))
      return false;
  }
  return true;
}

prof_status prof_burst_calls_find(struct prof_burst_calls *calls, struct prof_burst_paths *paths,
                                  const struct prof_filter *filter, const struct prof_pause *pauses, size_t pause_count,
                                  struct prof_diag *diag) {
  struct counting counting = {.trace = paths->trace, .filter = filter, .paths = paths, .calls = calls};
  *calls = (struct prof_burst_calls){0};
  prof_trace_threads(paths->trace, &calls->thread_count);
  calls->times = calloc(calls->thread_count + 1, sizeof *calls->times);
  counting.costs = calloc(calls->thread_count + 1, sizeof *counting.costs);
  counting.counted_costs = calloc(calls->thread_count + 1, sizeof *counting.counted_costs);
  bool done = calls->times && counting.costs && counting.counted_costs;
  for (uint32_t i = 0; i < calls->thread_count && done; i++) {
    counting.costs[i] = prof_burst_cost_of(paths->trace, i);
    counting.counted_costs[i] = counted_cost_of(paths->trace, i);
    done = prof_burst_time_init(&calls->times[i], paths->trace, i, filter ? filter->begin_ticks : 0,
                                filter ? filter->end_ticks : UINT64_MAX);
  }
  done = done && take_pauses(calls, paths->trace, pauses, pause_count) && take_windows(&counting, diag) &&
         finish(&counting);
  free(counting.costs);
  free(counting.counted_costs);
  prof_vec_fini(&counting.heads);
  prof_vec_fini(&counting.sums);
  prof_vec_fini(&counting.caller_items);
  prof_index_fini(&counting.known);
  prof_index_fini(&counting.callers);
  return done ? PROF_OK : prof_diag_memory(diag);
}

void prof_burst_calls_fini(struct prof_burst_calls *calls) {
  for (size_t i = 0; i < calls->thread_count && calls->times; i++)
    prof_burst_time_fini(&calls->times[i]);
  free(calls->times);
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
