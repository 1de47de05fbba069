/*
 * tools/fold/wait_clock.h - a thread's time with its waits for the recorder taken out.
 *
 * `net` time runs as the clock does, and stands still between STALL_BEGIN and STALL_END.  A chunk that begins inside a
 * wait has what lay before its base_time in stalled_before; its first STALL_END then ends the rest.
 */
#ifndef PROF_FOLD_WAIT_CLOCK_H
#define PROF_FOLD_WAIT_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

struct prof_wait_clock {
  uint64_t stalled; /* ticks waited so far, without the present wait */
  uint64_t since;   /* begin of the present wait; until the first one: of the chunk */
  bool waiting;
  bool waited; /* some wait has begun or ended in this chunk */
};

static inline void prof_wait_clock_begin(struct prof_wait_clock *clock, uint64_t base_time, uint64_t stalled_before) {
  *clock = (struct prof_wait_clock){.stalled = stalled_before, .since = base_time};
}

static inline uint64_t prof_wait_clock_net(const struct prof_wait_clock *clock, uint64_t time) {
  return (clock->waiting && time > clock->since ? clock->since : time) - clock->stalled;
}

static inline void prof_wait_clock_stop(struct prof_wait_clock *clock, uint64_t time) {
  if (!clock->waiting)
    clock->since = time;
  clock->waiting = clock->waited = true;
}

static inline void prof_wait_clock_go(struct prof_wait_clock *clock, uint64_t time) {
  uint64_t length = clock->waiting || !clock->waited ? time - clock->since : 0;
  clock->stalled += length;
  clock->waiting = false;
  clock->waited = true;
}

#endif
