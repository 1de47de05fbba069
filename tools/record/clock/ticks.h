/*
 * tools/record/clock/ticks.h - the recording's clock: readings, its frequency, its step.
 *
 * Ticks are what trampolines read: the TSC on x86-64, or nanoseconds of CLOCK_MONOTONIC; a pair relates a reading to
 * the system's clocks.
 */
#ifndef PROF_RECORD_TICKS_H
#define PROF_RECORD_TICKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct prof_clock_pair {
  uint64_t ticks;
  uint64_t monotonic_ns; /* CLOCK_MONOTONIC_RAW */
  uint64_t realtime_ns;
};

enum prof_ticks_of { PROF_TICKS_TSC = 1, PROF_TICKS_OS = 2 }; /* as CLOCK's source */

/* Nanoseconds of CLOCK_MONOTONIC, independent of the recording's clock: for waits. */
uint64_t prof_steady_ns(void);
uint64_t prof_tsc_now(void);
uint64_t prof_ticks_now(enum prof_ticks_of);

/* Reads all three clocks within about 50 ns, after a few tries. */
struct prof_clock_pair prof_clock_pair_read(enum prof_ticks_of);

/* Ticks per second between two pairs; 0 when no time lies between them.  20 ms give an error of some 5 ppm. */
uint64_t prof_clock_frequency(const struct prof_clock_pair *first, const struct prof_clock_pair *last);

/* Smallest step of the clock, from readings taken now; at least 1. */
uint32_t prof_clock_step_measure(enum prof_ticks_of);

/* The same from differences of consecutive readings.  Reorders them. */
uint32_t prof_clock_step_find(uint32_t *differences, size_t count);

/* Does the kernel report that the TSC neither stops nor changes its rate? */
bool prof_clock_is_invariant(void);

#endif
