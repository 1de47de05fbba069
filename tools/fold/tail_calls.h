/*
 * tools/fold/tail_calls.h - where the call of a wrapped function stands whose return address isn't in the program.
 *
 *    libc: start_thread ──call──> th ──jump──> malloc: returns to start_thread, and th was left before
 *
 * A function that ends in such a jump (a tail call) was left when the wrapped function began: both return to the same
 * address.  Where that lies in code with probes, it is the line that called the function, and says enough.  Else, as in
 * a thread's or an OpenMP region's function, the place is the function's begin.  A return address in the profiler's own
 * code, which runs the parts of OpenMP regions, stands for the region.
 */
#ifndef PROF_FOLD_TAIL_CALLS_H
#define PROF_FOLD_TAIL_CALLS_H

#include "fold/walk_stream.h"

enum prof_return_code {
  PROF_RETURN_PROBED, /* in a module with probes */
  PROF_RETURN_OTHER,  /* in another one, or in an unknown one */
  PROF_RETURN_OWN,    /* in the profiler */
};

/* Where a run-time return address of a process (index) lies at a time. */
enum prof_return_code prof_return_code_of(const prof_trace *, uint32_t process, uint64_t caller, uint64_t time_ticks);
/* Both return to the same address: the function that was left last called what is measured at its end. */
static inline bool prof_tail_call_is(const struct prof_walk_left *left, uint64_t caller) {
  return left->caller != 0 && left->caller == (uint32_t)caller;
}
/* A run-time address right behind the first byte of the function that was left; 0: it isn't known. */
uint64_t prof_tail_call_place(const prof_trace *, const struct prof_walk_left *);

#endif
