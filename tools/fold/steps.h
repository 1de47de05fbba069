/*
 * tools/fold/steps.h - what the steps of a thread do to its stack and to its clock.
 *
 * Job: the one place that distinguishes kinds of steps.  Code that follows a thread looks up what a step does, and adds
 * only what it makes of a frame that is entered or left.  The fast ways of chunk.c and fork_scan.c take plain entries
 * and exits by themselves.  Each chunk begins with a list of open frames, and with how many inside them were omitted:
 * `beyond`.
 *
 * `net` time runs as the clock does, and stands still between STALL_BEGIN and STALL_END.  A chunk that begins inside a
 * wait has what lay before its base_time in stalled_before; its first STALL_END then ends the rest.
 */
#ifndef PROF_FOLD_STEPS_H
#define PROF_FOLD_STEPS_H

#include <stdbool.h>
#include <stdint.h>

#include "proftrace.h"

struct prof_effect { /* of a kind */
  bool enters;       /* the frame of edge `value` */
  bool leaves;       /* `count` of the innermost frames, which have no exit of their own */
  bool exits;        /* then one more, whose exit this is */
  bool cuts;         /* all frames are left, and where they end is not known */
  bool stops, goes;  /* the clock of the thread, which waits for the recorder */
  bool loses;        /* `count` events */
  bool tells;        /* site `value` reports `count` */
  bool unmatched;    /* an exit of no open frame */
  bool around;       /* the frame around the `count` innermost ones is left, and these stay open */
};

/* Kinds without a row change neither stack nor clock. */
static const struct prof_effect prof_effects[64] = {
    [PROF_OP_ENTRY] = {.enters = true},        [PROF_OP_EXIT] = {.leaves = true, .exits = true},
    [PROF_OP_LANDED] = {.leaves = true},       [PROF_OP_STOP] = {.leaves = true, .cuts = true},
    [PROF_OP_STALL_BEGIN] = {.stops = true},   [PROF_OP_STALL_END] = {.goes = true},
    [PROF_OP_GAP] = {.loses = true},           [PROF_OP_VALUE] = {.tells = true},
    [PROF_OP_UNMATCHED] = {.unmatched = true}, [PROF_OP_EXIT_AROUND] = {.around = true},
};

/* How many frames a step leaves; UINT64_MAX: all. */
static inline uint64_t prof_step_frames(const struct prof_step *step) {
  const struct prof_effect *effect = &prof_effects[step->op];
  if (!effect->leaves)
    return 0;
  return effect->cuts || step->count == UINT64_MAX ? UINT64_MAX : step->count + effect->exits;
}

/* Takes frames too deep to be held, which are left first, off `beyond`.  Of `count`, the rest. */
static inline uint64_t prof_leave_beyond(uint64_t *beyond, uint64_t count) {
  uint64_t gone = count < *beyond ? count : *beyond;
  *beyond -= gone;
  return count - gone;
}

/*
 * Which frame an EXIT_AROUND leaves, of `held` frames that are held and `beyond` that are too deep for that: how many
 * held ones are inside of it.  UINT64_MAX: it is none of these; *beyond is right then.
 */
static inline uint64_t prof_step_around(const struct prof_step *step, uint64_t held, uint64_t *beyond) {
  if (step->count >= *beyond && step->count - *beyond < held)
    return step->count - *beyond;
  *beyond -= step->count < *beyond;
  return UINT64_MAX;
}

/* A VALUE of site 0: so many calls, or loops, inside of the innermost frame were left out by the recorder. */
static inline uint64_t prof_left_out_count(uint64_t value) {
  return value >> 1;
}
static inline bool prof_left_out_is_loops(uint64_t value) {
  return value & 1;
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

/* At a time before the next step: in a wait that began in the chunk before, which the clock doesn't know, net time
 * stood still. */
static inline uint64_t prof_wait_clock_net_before(const struct prof_wait_clock *clock, const struct prof_step *next,
                                                  uint64_t time) {
  const bool waits = prof_effects[next->op].goes && !clock->waited;
  return waits ? clock->since - clock->stalled : prof_wait_clock_net(clock, time);
}

static inline void prof_wait_clock_take(struct prof_wait_clock *clock, const struct prof_step *step) {
  const struct prof_effect *effect = &prof_effects[step->op];
  if (!effect->stops && !effect->goes)
    return;
  if (effect->goes)
    clock->stalled += clock->waiting || !clock->waited ? step->time - clock->since : 0;
  else if (!clock->waiting)
    clock->since = step->time;
  clock->waiting = effect->stops;
  clock->waited = true;
}

#endif
