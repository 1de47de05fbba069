/*
 * probed.h - a few instrumented functions, and a check that events nest as calls do.
 *
 * Each file that includes it has its own copies.  All their rows are in one section: a row's site is first_site (1 for
 * the first module of a region) plus the row's index.
 */
#ifndef PROF_TEST_PROBED_H
#define PROF_TEST_PROBED_H

#include <stdint.h>

#include "event.h"
#include "sled.h"

#define PROBED __attribute__((noinline, unused))

/* Calls itself: 2^(depth+1) - 1 calls in all. */
PROBED static uint64_t tree(unsigned depth) {
  PROF_TEST_SLED(1);
  uint64_t calls = 1;
  if (depth > 0)
    calls += tree(depth - 1) + tree(depth - 1);
  __asm__ volatile("" : "+r"(calls));
  PROF_TEST_SLED(2);
  return calls;
}

PROBED static int leaf(int x) {
  PROF_TEST_SLED(1);
  __asm__ volatile("" : "+r"(x));
  PROF_TEST_SLED(2);
  return x;
}

PROBED static int node(int x) { /* three calls */
  PROF_TEST_SLED(17);
  x = leaf(x) + leaf(x + 1);
  PROF_TEST_SLED(2);
  return x;
}

struct nest { /* of one thread */
  uint32_t functions[4096];
  unsigned depth;
  uint64_t entries, exits, frames, stalls, gaps, dropped, stops;
  uint64_t unmatched;  /* exits of a function that isn't innermost */
  uint64_t inversions; /* times that step back */
  uint64_t last_time;
  uint32_t previous_kind;
  uint64_t misplaced; /* FRAMEs without an ENTRY right before; stalls without an end */
};

/* Rows of one function follow each other, its ENTRY first. */
static inline uint32_t nest_function(uint32_t site) {
  uint32_t function = 0;
  for (uint32_t row = 0; row < site; row++)
    function += (prof_test_rows_begin[row].kind & PROF_ROW_KIND_MASK) == PROF_PROBE_ENTRY;
  return function;
}

static inline void nest_exit(struct nest *nest, uint32_t function) {
  nest->exits++;
  if (nest->depth > 0 && nest->functions[nest->depth - 1] == function)
    nest->depth--;
  else
    nest->unmatched++;
}

/* A ring_event_fn; context: array of struct nest by record number. */
__attribute__((unused)) static void nest_event(void *context, uint32_t thread, const struct prof_event *event) {
  struct nest *nest = (struct nest *)context + thread;
  uint32_t kind = prof_event_kind(event->what), before = nest->previous_kind;
  nest->inversions += event->time < nest->last_time;
  nest->last_time = event->time;
  nest->previous_kind = kind;
  nest->misplaced += kind == PROF_EVENT_FRAME && before != PROF_EVENT_ENTRY;
  nest->misplaced += (kind == PROF_EVENT_STALL_END) != (before == PROF_EVENT_STALL_BEGIN);
  if (kind == PROF_EVENT_ENTRY) {
    nest->entries++;
    if (nest->depth < 4096)
      nest->functions[nest->depth++] = nest_function(prof_event_site(event->what));
  } else if (kind == PROF_EVENT_EXIT) {
    nest_exit(nest, nest_function(prof_event_site(event->what)));
  } else if (kind == PROF_EVENT_STOP) {
    nest->stops++;
    nest->depth = 0;
  } else if (kind == PROF_EVENT_GAP) {
    nest->gaps++;
    nest->dropped += event->aux;
  }
  nest->frames += kind == PROF_EVENT_FRAME;
  nest->stalls += kind == PROF_EVENT_STALL_END;
}

#endif
