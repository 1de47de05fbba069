/*
 * tools/estimate/burst/windows.c - see windows.h.
 */
#include "estimate/burst/windows.h"

#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "estimate/burst/count_trials.h"
#include "estimate/burst/weights.h"
#include "estimate/switch_spans.h"
#include "names/loop_frames.h"
#include "row.h"

#define FIRST_CALLS 4 /* in a window that counts: with more, the first one was before the window */

struct caller { /* of a call in a window */
  uint32_t process, address;
  struct prof_burst_from from;
};

struct reading {
  struct prof_burst_windows *in;
  struct prof_switch_spans spans;
  struct prof_index_map known;   /* sums */
  struct prof_index_map callers; /* by process and return address */
  struct prof_index_map places;  /* sums->places, by frame, module and address */
  PROF_VEC(struct caller) caller_items;
  struct prof_count_trials trials;
};

static struct prof_burst_from caller_of(struct reading *reading, uint32_t process, uint32_t address) {
  uint32_t hash = prof_index_hash(address, process);
  uint32_t at = prof_index_find(&reading->callers, hash, i,
                                reading->caller_items.items[i].address == address &&
                                    reading->caller_items.items[i].process == process);
  if (at != UINT32_MAX)
    return reading->caller_items.items[at].from;
  struct prof_burst_from from = prof_burst_caller(reading->in->paths, process, address);
  if (prof_vec_push(&reading->caller_items, ((struct caller){process, address, from})))
    (void)prof_index_add(&reading->callers, hash, (uint32_t)reading->caller_items.count - 1);
  return from;
}

/* false: no memory. */
static bool count_place(struct reading *reading, uint32_t frame, const struct prof_burst_from *from, double calls) {
  struct prof_burst_counted_places *places = &reading->in->sums->places;
  const struct prof_burst_counted *items = places->items.items;
  uint32_t hash = prof_index_hash(from->address, (uint64_t)frame << 32 | from->module);
  uint32_t at = prof_index_meet(&reading->places, &places->items, hash, i,
                                items[i].frame == frame && items[i].from.module == from->module &&
                                    items[i].from.address == from->address,
                                (struct prof_burst_counted){.frame = frame, .from = *from});
  if (at != UINT32_MAX)
    places->items.items[at].calls += calls;
  return at != UINT32_MAX;
}

/* NULL: no memory. */
static struct prof_burst_rate *rate_of(struct reading *reading, uint32_t thread, uint32_t frame, uint32_t caller) {
  uint32_t hash = prof_index_hash((uint64_t)frame << 32 | caller, thread);
  const struct prof_burst_sum *sums = reading->in->sums->rates.items;
  uint32_t at = prof_index_find(&reading->known, hash, i,
                                sums[i].thread == thread && sums[i].frame == frame && sums[i].caller == caller);
  if (at == UINT32_MAX) {
    if (!prof_vec_push(&reading->in->sums->rates,
                       ((struct prof_burst_sum){.thread = thread, .frame = frame, .caller = caller})))
      return NULL;
    at = (uint32_t)reading->in->sums->rates.count - 1;
    if (!prof_index_add(&reading->known, hash, at))
      return NULL;
  }
  return &reading->in->sums->rates.items[at].rate;
}

/* The row's index among the states' frames; PROF_NONE: it was not in a burst, or not on. */
static uint32_t burst_of(const struct reading *reading, const struct prof_burst_head *head,
                         const struct prof_site_frame *frame) {
  const struct prof_burst_states *states = reading->in->paths->states;
  uint32_t at = frame->number < states->number_count && !frame->is_quiet ? states->of[frame->number] : PROF_NONE;
  return at != PROF_NONE && prof_burst_was_on(reading->in->paths, &states->frames[at], head) ? at : PROF_NONE;
}

static bool take_row(struct reading *reading, const struct prof_burst_head *head,
                     const struct prof_burst_window *window, uint32_t thread, const struct prof_window_row *row) {
  struct prof_site_frame frame = prof_frame_of_site(reading->in->paths->trace, row->site, true);
  if (burst_of(reading, head, &frame) == PROF_NONE)
    return true;
  struct prof_burst_rate *counted =
      head->kind == PROF_BURST_BY_COUNTS ? rate_of(reading, thread, frame.number, PROF_BURST_COUNTED) : NULL;
  if (counted)
    prof_burst_rate_add(counted, window, &reading->in->count_costs[thread], row->calls, 0);
  if (head->kind == PROF_BURST_BY_COUNTS)
    return counted &&
           prof_burst_callers_count(&reading->in->sums->callers, thread, frame.number,
                                    prof_burst_rate_of(window, &reading->in->count_costs[thread], row->calls, 0));
  uint32_t process = prof_trace_threads(reading->in->paths->trace, NULL)[thread].process;
  const struct prof_site_info site = prof_trace_site(reading->in->paths->trace, row->site);
  struct prof_burst_from from = {site.function, PROF_NONE, 0}; /* what has the loop or zone in its code */
  if (site.kind & PROF_ROW_ZONE)
    from.function = prof_burst_site_function(reading->in->paths, row->site);
  else if (!frame.is_loop)
    from = caller_of(reading, process, row->caller);
  if (from.module != PROF_NONE && !count_place(reading, frame.number, &from, head->weight * (double)row->calls))
    return false;
  struct prof_burst_rate *all = rate_of(reading, thread, frame.number, PROF_BURST_ANY_CALLER);
  if (all)
    prof_burst_rate_add(all, window, &reading->in->event_costs[thread], row->calls, row->iterations);
  struct prof_burst_rate *one = all ? rate_of(reading, thread, frame.number, from.function) : NULL;
  if (one)
    prof_burst_rate_add(one, window, &reading->in->event_costs[thread], row->calls, row->iterations);
  return one && prof_burst_callers_see(&reading->in->sums->callers, thread, frame.number, from.function, window->number,
                                       prof_burst_rate_of(window, &reading->in->event_costs[thread], row->calls, 0));
}

/* The cost of one in the other. */
static uint64_t converted(double count, double ticks, double other_ticks) {
  return other_ticks > 0 ? (uint64_t)(count * ticks / other_ticks + 0.5) : 0;
}

/* What a window that counts did to the thread: in->events are counts, and the returned ones events. */
static uint64_t take_counts(const struct reading *reading, const struct prof_window_row *rows,
                            const struct prof_window_thread *of, struct prof_burst_window *in) {
  double event = reading->in->event_costs[of->thread].ticks, count = reading->in->count_costs[of->thread].ticks;
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
static bool is_left_out(const struct prof_burst_time *time, const struct prof_burst_head *head) {
  return prof_burst_time_is_disturbed(time, head->begin, head->begin + head->length);
}

/* Is it known which threads ran in it? */
static bool has_switches(const struct reading *reading, const struct prof_window *window) {
  const struct prof_switch_span *spans = reading->spans.items.items;
  size_t at = prof_search(0, reading->spans.items.count, i, spans[i].end <= window->begin);
  return at < reading->spans.items.count && spans[at].begin <= window->begin && window->end <= spans[at].end;
}

static bool take_head(struct reading *reading, const struct prof_window_chunk *chunk,
                      const struct prof_window *window) {
  (void)chunk;
  return prof_vec_push(
      &reading->in->heads,
      ((struct prof_burst_head){window->begin, window->seed, window->end - window->begin, window->part,
                                window->flags & PROF_WINDOW_COUNTED ? PROF_BURST_BY_COUNTS : PROF_BURST_BY_EVENTS, 1}));
}

/* NULL: the file changed meanwhile. */
static const struct prof_burst_head *head_of(const struct reading *reading, const struct prof_window *window) {
  const struct prof_burst_head *heads = reading->in->heads.items;
  size_t count = reading->in->heads.count;
  size_t number = prof_search(0, count, i, heads[i].begin < window->begin);
  return number < count && heads[number].begin == window->begin ? &heads[number] : NULL;
}

static bool take_rows(struct reading *reading, const struct prof_window_chunk *chunk,
                      const struct prof_window *window) {
  const struct prof_filter *filter = reading->in->filter;
  const struct prof_burst_head *found = head_of(reading, window);
  if (!found)
    return true;
  const struct prof_burst_head head = *found;
  size_t number = (size_t)(found - reading->in->heads.items);
  for (uint32_t i = 0; i < window->thread_count; i++) {
    const struct prof_window_thread *of = &chunk->threads[window->first_thread + i];
    if (of->thread >= reading->in->sums->thread_count || (filter && !filter->threads[of->thread]))
      continue;
    struct prof_burst_time *time = &reading->in->times[of->thread];
    if (window->begin < time->begin || window->begin >= time->end)
      continue;
    uint64_t ran = prof_burst_time_ran_within(time, window->begin, window->end);
    struct prof_burst_window in = {head.weight, number + 1, head.length, ran, of->events, of->row_count};
    uint64_t events = head.kind == PROF_BURST_BY_COUNTS ? take_counts(reading, chunk->rows, of, &in) : of->events;
    if (!prof_burst_time_add(time, window->begin, events))
      return false;
    if (is_left_out(time, &head))
      continue;
    for (uint32_t j = 0; j < of->row_count; j++)
      if (!take_row(reading, &head, &in, of->thread, &chunk->rows[of->first_row + j]))
        return false;
  }
  return true;
}

/* ---- what a counted call costs ---- */

static bool meet_rows(struct reading *reading, const struct prof_burst_head *head,
                      const struct prof_window_chunk *chunk, const struct prof_window_thread *of, bool counts) {
  for (uint32_t i = 0; i < of->row_count; i++) {
    const struct prof_window_row *row = &chunk->rows[of->first_row + i];
    struct prof_site_frame frame = prof_frame_of_site(reading->in->paths->trace, row->site, true);
    uint32_t at = burst_of(reading, head, &frame);
    if (at != PROF_NONE && !prof_count_trials_meet(&reading->trials, of->thread, at, counts ? row->calls : 0))
      return false;
  }
  return true;
}

static bool meet_window(struct reading *reading, const struct prof_window_chunk *chunk,
                        const struct prof_window *window) {
  const struct prof_filter *filter = reading->in->filter;
  const struct prof_burst_head *head = head_of(reading, window);
  bool done = true;
  for (uint32_t i = 0; head && head->kind == PROF_BURST_BY_COUNTS && i < window->thread_count && done; i++) {
    const struct prof_window_thread *of = &chunk->threads[window->first_thread + i];
    if (of->thread < reading->in->sums->thread_count && (!filter || filter->threads[of->thread]))
      done = meet_rows(reading, head, chunk, of, false);
  }
  return done;
}

/* A thread of which nothing was counted has no row. */
static const struct prof_window_thread *thread_of(const struct prof_window_chunk *chunk,
                                                  const struct prof_window *window, uint32_t thread) {
  for (uint32_t i = 0; i < window->thread_count; i++)
    if (chunk->threads[window->first_thread + i].thread == thread)
      return &chunk->threads[window->first_thread + i];
  return NULL;
}

static bool try_thread(struct reading *reading, const struct prof_window_chunk *chunk, const struct prof_window *window,
                       const struct prof_burst_head *head, uint32_t thread) {
  const struct prof_burst_time *time = &reading->in->times[thread];
  const struct prof_window_thread *of = thread_of(chunk, window, thread);
  uint64_t ran = prof_burst_time_ran_within(time, window->begin, window->end);
  if (window->begin < time->begin || window->begin >= time->end || is_left_out(time, head) || ran == 0)
    return true;
  struct prof_burst_window in = {.weight = head->weight, .length = head->length, .ran = ran};
  if (of && !meet_rows(reading, head, chunk, of, true))
    return false;
  if (of)
    (void)take_counts(reading, chunk->rows, of, &in);
  return prof_count_trials_take(&reading->trials, &(struct prof_counted_window){head, thread, &in});
}

static bool try_window(struct reading *reading, const struct prof_window_chunk *chunk,
                       const struct prof_window *window) {
  const struct prof_burst_head *head = head_of(reading, window);
  bool done = true;
  if (!head || head->kind != PROF_BURST_BY_COUNTS ||
      !prof_count_trials_want(&reading->trials, (size_t)(head - reading->in->heads.items), reading->in->heads.count))
    return true;
  for (size_t i = 0; i < reading->trials.threads.count && done; i++)
    done = try_thread(reading, chunk, window, head, reading->trials.threads.items[i]);
  return done;
}

static int by_begin(const void *left, const void *right) {
  return prof_order(((const struct prof_burst_head *)left)->begin, ((const struct prof_burst_head *)right)->begin);
}

/* Windows that lie across the end of a stretch are in none: what their threads did isn't known as a whole. */
static bool is_wanted(const struct reading *reading, const struct prof_window *window) {
  const struct prof_filter *filter = reading->in->filter;
  const struct prof_burst_stretch_of *stretch = reading->in->stretch;
  bool here = !stretch || (window->begin >= stretch->begin && window->end <= stretch->end);
  return here && has_switches(reading, window) &&
         (!filter || (window->begin >= filter->begin_ticks && window->end <= filter->end_ticks));
}

typedef bool taker(struct reading *, const struct prof_window_chunk *, const struct prof_window *);

static bool each_window(struct reading *reading, taker *take, struct prof_diag *diag) {
  size_t count;
  (void)prof_trace_window_chunks(reading->in->paths->trace, &count);
  struct prof_window_chunk chunk = {0};
  bool done = true;
  reading->in->sums->chunks_damaged = 0;
  for (size_t i = 0; i < count && done; i++) {
    prof_status status = prof_window_chunk_load(reading->in->paths->trace, i, diag, &chunk);
    done = status != PROF_NO_MEMORY;
    reading->in->sums->chunks_damaged += status != PROF_OK;
    for (uint32_t j = 0; done && status == PROF_OK && j < chunk.count; j++) {
      const struct prof_window *window = &chunk.windows[j];
      if (is_wanted(reading, window))
        done = take(reading, &chunk, window);
    }
  }
  prof_window_chunk_free(&chunk);
  return done;
}

/* Those of a stretch share all of it, and what lies before it without any. */
static bool weigh(struct reading *reading, enum prof_burst_kind kind) {
  struct prof_burst_stretch_of *stretch = reading->in->stretch;
  uint64_t begin = stretch ? stretch->weighed[kind] : 0;
  uint64_t end = stretch && stretch->end != UINT64_MAX ? stretch->end : 0;
  struct prof_burst_head *heads = reading->in->heads.items;
  size_t count = 0, all = reading->in->heads.count;
  uint64_t *begins = malloc((all + 1) * sizeof *begins);
  double *weights = malloc((all + 1) * sizeof *weights);
  bool done = begins && weights;
  for (size_t i = 0; i < all && done; i++)
    if (heads[i].kind == kind)
      begins[count++] = heads[i].begin;
  if (done)
    prof_burst_weights(begins, count, begin, end, weights);
  bool any = count > 0;
  for (size_t i = all; i > 0 && done; i--)
    if (heads[i - 1].kind == kind)
      heads[i - 1].weight = weights[--count];
  if (stretch && any)
    stretch->weighed[kind] = stretch->end;
  free(begins);
  free(weights);
  return done;
}

/* Windows with a part of the functions, beside those with all, tell what counting costs the program. */
static bool find_count_costs(struct reading *reading, struct prof_diag *diag) {
  struct prof_count_trials *trials = &reading->trials;
  struct prof_count_part part;
  bool found = false, any = false;
  for (size_t i = 0; i < reading->in->heads.count; i++)
    any |= reading->in->heads.items[i].kind == PROF_BURST_BY_COUNTS && reading->in->heads.items[i].part != UINT32_MAX;
  if (!any)
    return true;
  bool done =
      prof_count_trials_init(trials, reading->in->paths, reading->in->count_costs, reading->in->sums->thread_count) &&
      each_window(reading, meet_window, diag) && each_window(reading, try_window, diag) &&
      prof_count_trials_find(trials, &part, &found);
  for (size_t i = 0; i < reading->in->sums->thread_count && done && found; i++)
    prof_burst_cost_set(&reading->in->count_costs[i], part.part, part.error);
  prof_count_trials_fini(trials);
  return done;
}

/* The windows in the thread's life, and what it ran of those that count. */
static void find_part(const struct prof_burst_head *heads, size_t count, struct prof_burst_time *time) {
  size_t at = prof_search(0, count, i, heads[i].begin < time->begin);
  for (; at < count && heads[at].begin < time->end; at++) {
    uint64_t end = heads[at].begin + heads[at].length;
    time->windows_met[heads[at].kind] += heads[at].weight;
    if (!is_left_out(time, &heads[at]))
      time->windows_ran[heads[at].kind] +=
          heads[at].weight * (double)prof_burst_time_ran_within(time, heads[at].begin, end) / (double)heads[at].length;
  }
}

/* Heads come first: a window's weight hangs on its neighbours. */
bool prof_burst_windows_read(struct prof_burst_windows *windows, struct prof_diag *diag) {
  struct reading reading = {.in = windows};
  bool done = prof_switch_spans_init(&reading.spans, windows->paths->trace) && each_window(&reading, take_head, diag);
  prof_vec_sort(&windows->heads, by_begin);
  for (int kind = 0; kind < PROF_BURST_KINDS && done; kind++)
    done = weigh(&reading, (enum prof_burst_kind)kind);
  done = done && find_count_costs(&reading, diag) && each_window(&reading, take_rows, diag);
  if (!windows->stretch)
    prof_burst_callers_finish(&windows->sums->callers);
  for (size_t i = 0; i < windows->sums->thread_count; i++) {
    prof_burst_time_finish(&windows->times[i]);
    find_part(windows->heads.items, windows->heads.count, &windows->times[i]);
  }
  prof_switch_spans_fini(&reading.spans);
  prof_vec_fini(&reading.caller_items);
  prof_index_fini(&reading.known);
  prof_index_fini(&reading.callers);
  prof_index_fini(&reading.places);
  return done;
}
