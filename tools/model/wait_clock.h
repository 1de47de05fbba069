/*
 * tools/model/wait_clock.h - a thread's time with its waits for the recorder taken out.
 *
 * `net` time runs as the clock does, and stands still between STALL_BEGIN and STALL_END.  A chunk that begins inside a
 * wait has all of it before its base_time in stalled_before, and begins with STALL_END; that one then ends nothing.
 */
#ifndef PROF_MODEL_WAIT_CLOCK_H
#define PROF_MODEL_WAIT_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

struct prof_wait_clock {
  uint64_t stalled; /* ticks waited so far, without the present wait */
  uint64_t since;   /* begin of the present wait */
  bool waiting;
};

static inline uint64_t prof_wait_clock_net(const struct prof_wait_clock *clock, uint64_t time) {
  return (clock->waiting && time > clock->since ? clock->since : time) - clock->stalled;
}

static inline void prof_wait_clock_stop(struct prof_wait_clock *clock, uint64_t time) {
  if (!clock->waiting) {
    clock->waiting = true;
    clock->since = time;
  }
}

/* Returns how long the wait was. */
static inline uint64_t prof_wait_clock_go(struct prof_wait_clock *clock, uint64_t time) {
  uint64_t waited = clock->waiting ? time - clock->since : 0;
  clock->stalled += waited;
  clock->waiting = false;
  return waited;
}

#endif
