/*
 * tools/fold/steps.h - what the steps of a thread do to its stack and to its clock.
 *
 * Job: the one place that tells kinds of steps apart.  Whoever folds a chunk asks prof_effect_of, hands the step to the
 * clock, and does what the effect says.  The fast ways of chunk.c and fork_scan.c take plain entries and exits by
 * themselves.  Each chunk begins with a list of open frames, and with how many inside them were omitted: `beyond`.
 *
 * `net` time runs as the clock does, and stands still between STALL_BEGIN and STALL_END.  A chunk that begins inside a
 * wait has what lay before its base_time in stalled_before; its first STALL_END then ends the rest.
 */
#ifndef PROF_FOLD_STEPS_H
#define PROF_FOLD_STEPS_H

#include <stdbool.h>
#include <stdint.h>

#include "proftrace.h"

struct prof_effect {
  bool enters;      /* the frame of edge `value` */
  bool leaves;      /* `frames` of them, the innermost ones; may be 0 */
  bool cuts;        /* where they end is not known */
  bool stops, goes; /* the clock of the thread, which waits for the recorder */
  bool tells;       /* site `value` says `count` */
  uint64_t frames;  /* UINT64_MAX: all */
  uint64_t skipped; /* of them, those that have no exit of their own; loops' too */
  uint64_t lost, unmatched;
};

/* Kinds that aren't named here change no stack. */
static inline __attribute__((always_inline)) struct prof_effect prof_effect_of(const struct prof_step *step) {
  uint64_t count = step->count;
  switch (step->op) {
  case PROF_OP_ENTRY:
    return (struct prof_effect){.enters = true};
  case PROF_OP_EXIT:
    return (struct prof_effect){.leaves = true, .frames = count + (count < UINT64_MAX), .skipped = count};
  case PROF_OP_LANDED:
    return (struct prof_effect){.leaves = true, .frames = count, .skipped = count};
  case PROF_OP_STOP:
    return (struct prof_effect){.leaves = true, .frames = UINT64_MAX, .cuts = true};
  case PROF_OP_STALL_BEGIN:
    return (struct prof_effect){.stops = true};
  case PROF_OP_STALL_END:
    return (struct prof_effect){.goes = true};
  case PROF_OP_UNMATCHED:
    return (struct prof_effect){.unmatched = 1};
  case PROF_OP_GAP:
    return (struct prof_effect){.lost = count};
  case PROF_OP_VALUE:
    return (struct prof_effect){.tells = true};
  default:
    return (struct prof_effect){0};
  }
}

/* Takes frames too deep to be held, which are left first, off `beyond`.  Of `count`, the rest. */
static inline uint64_t prof_leave_beyond(uint64_t *beyond, uint64_t count) {
  uint64_t gone = count < *beyond ? count : *beyond;
  *beyond -= gone;
  return count - gone;
}

struct prof_wait_clock {
  uint64_t stalled; /* ticks waited so far, without the present wait */
  uint64_t since;   /* begin of the present wait; until the first one: of the chunk */
  bool waiting;
  bool waited; /* some wait has begun or ended in this chunk */
};

static inline void prof_wait_clock_begin(struct prof_wait_clock *clock, const struct prof_chunk *chunk) {
  *clock = (struct prof_wait_clock){.stalled = chunk->stalled_before, .since = chunk->base_time};
}

static inline uint64_t prof_wait_clock_net(const struct prof_wait_clock *clock, uint64_t time) {
  return (clock->waiting && time > clock->since ? clock->since : time) - clock->stalled;
}

static inline void prof_wait_clock_take(struct prof_wait_clock *clock, struct prof_effect effect, uint64_t time) {
  if (!effect.stops && !effect.goes)
    return;
  if (effect.goes)
    clock->stalled += clock->waiting || !clock->waited ? time - clock->since : 0;
  else if (!clock->waiting)
    clock->since = time;
  clock->waiting = effect.stops;
  clock->waited = true;
}

#endif
