/*
 * test/unit/model_streams.h - random events of a few threads, cut into chunks at random; the same for the same seed.
 */
#ifndef PROF_TEST_MODEL_STREAMS_H
#define PROF_TEST_MODEL_STREAMS_H

#include <stdlib.h>

#include "model_case.h"
#include "model_reference.h"

/* A function is left, with the zones inside of it open, or a zone with whatever is.  The number of frames then. */
static inline uint32_t random_exit(struct case_events *to, uint64_t *seed, uint64_t step, uint32_t *stack,
                                   uint32_t depth) {
  uint32_t at = depth - 1;
  bool ends = case_zones && case_random(seed) % 2; /* a zone, if any is open */
  if (ends)
    at = (uint32_t)(case_random(seed) % depth);
  while (at > 0 && case_is_zone(stack[at]) != ends)
    at--;
  if (!case_zones || case_is_zone(stack[at]) != ends)
    at = depth - 1;
  for (uint32_t i = depth; i-- > at;) /* the innermost one of that name ends */
    if (stack[i] == stack[at])
      at = i;
  case_exit(to, step, stack[at]);
  memmove(stack + at, stack + at + 1, (depth - 1 - at) * sizeof *stack);
  return depth - 1;
}

/* The last call, if it called nothing, some times again from the same place. */
static inline void random_repeat(struct case_events *to, uint64_t *seed, size_t count) {
  const struct prof_event *last = &to->events[to->count - 1];
  if (to->count < 2 || prof_event_kind(last[-1].what) != PROF_EVENT_ENTRY ||
      prof_event_kind(last->what) != PROF_EVENT_EXIT ||
      prof_event_site(last->what) != prof_event_site(last[-1].what) + 1)
    return;
  const struct prof_event call[2] = {last[-1], last[0]};
  for (uint64_t times = case_random(seed) % 20; times > 0 && to->count + 4 < count; times--)
    for (int i = 0; i < 2; i++)
      case_add(to, case_random(seed) % 40, prof_event_kind(call[i].what), prof_event_site(call[i].what), call[i].aux);
}

/* Calls, exits lost and found, landings, waits, gaps, stops; depth stays below `deepest`. */
static inline void random_stream(struct case_events *to, uint64_t *seed, size_t count, uint32_t deepest) {
  uint32_t stack[REFERENCE_LEVELS], depth = 0;
  while (to->count + 2 < count) {
    uint64_t dice = case_random(seed) % 100, step = case_random(seed) % 40;
    if (case_random(seed) % 50 == 0)
      step = case_random(seed) % 2 ? 100000 : 6000000000ull;
    if (dice < 46 && depth < deepest) {
      stack[depth] = (uint32_t)(case_random(seed) % (CASE_FUNCTIONS + 1));
      case_enter(to, step, stack[depth++]);
    } else if (dice < 88 && depth) {
      depth = random_exit(to, seed, step, stack, depth);
    } else if (dice < 91 && depth > 1) { /* exits lost on the way */
      depth -= 1 + (uint32_t)(case_random(seed) % (depth - 1));
      case_exit(to, step, stack[--depth]);
      while (depth && stack[depth - 1] == stack[depth]) /* the encoder matches the innermost of that name */
        depth--;
      case_add(to, 0, PROF_EVENT_STOP, 0, 0);
      depth = 0;
    } else if (dice < 93 && depth && !case_is_zone(stack[depth - 1])) {
      case_land(to, step, stack[depth - 1]);
    } else if (dice < 94) {
      case_exit(to, step, CASE_FUNCTIONS - 1); /* may be open or not */
      case_add(to, 0, PROF_EVENT_STOP, 0, 0);
      depth = 0;
    } else if (dice < 97) {
      case_add(to, step, PROF_EVENT_STALL_BEGIN, 0, 0);
      case_add(to, case_random(seed) % 500, PROF_EVENT_STALL_END, 0, 0);
    } else if (dice < 98) {
      case_add(to, step, PROF_EVENT_GAP, 0, (uint32_t)(case_random(seed) % 10));
    }
    if (to->count > 0 && case_random(seed) % 8 == 0)
      random_repeat(to, seed, count);
  }
}

static inline void random_cuts(struct case_events *to, uint64_t *seed, uint32_t one_in) {
  for (size_t i = 1; i < to->count; i++)
    to->cut_before[i] = case_random(seed) % one_in == 0;
}

static struct case_events threads[CASE_MOST_THREADS];

static inline uint32_t random_threads(uint64_t *seed) {
  uint32_t count = 1 + (uint32_t)(case_random(seed) % CASE_MOST_THREADS);
  for (uint32_t i = 0; i < count; i++) {
    case_clear(&threads[i]);
    random_stream(&threads[i], seed, 50 + case_random(seed) % 400, 20);
    random_cuts(&threads[i], seed, 1 + (uint32_t)(case_random(seed) % 100));
  }
  return count;
}

/* How often: `make check-all`, which sets PROF_TEST_WHOLE, takes five times as many seeds. */
static inline uint64_t rounds_of(uint64_t usual) {
  const char *whole = getenv("PROF_TEST_WHOLE");
  return whole != NULL && whole[0] == '1' ? 5 * usual : usual;
}

/* Ranges of two calls, and a wait in the inner one that begins in one chunk and ends in the next. */
static inline void check_ranges_in_wait(void (*check)(const struct trace_folder *, const struct prof_filter_spec *)) {
  struct case_events *to = &threads[0];
  struct trace_folder folder;
  case_clear(to);
  case_enter(to, 10, 1);
  case_enter(to, 50, 2);
  case_add(to, 40, PROF_EVENT_STALL_BEGIN, 0, 0);
  to->cut_before[to->count] = true;
  case_add(to, 400, PROF_EVENT_STALL_END, 0, 0);
  case_exit(to, 50, 2);
  case_exit(to, 50, 1);
  case_write(&folder, threads, 1);
  for (uint64_t begin = 0; begin < 600; begin += 20)
    for (uint64_t end = begin + 20; end <= 700; end += 20)
      check(&folder, &(struct prof_filter_spec){.begin_ns = begin, .end_ns = end});
  trace_folder_remove(&folder);
}

static inline uint64_t seed_of(uint64_t round) {
  return (round + 1) * 0x9e3779b97f4a7c15ull;
}

#endif
