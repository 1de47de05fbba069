/*
 * tools/trace/read/clock.h - converts ticks to nanoseconds and back, the only place that does.
 *
 * value * mult >> shift in 128 bits, rounded to nearest; exact to 2^-62 of the result.  Results that don't fit
 * saturate.
 */
#ifndef PROF_TRACE_CLOCK_H
#define PROF_TRACE_CLOCK_H

#include <stdint.h>

struct prof_ratio {
  uint64_t mult;
  unsigned shift;
};

struct prof_clock {
  struct prof_ratio to_ns, to_ticks;
};

/* frequency_hz 0 means 1 GHz. */
struct prof_clock prof_clock_make(uint64_t frequency_hz);
uint64_t prof_clock_ns(const struct prof_clock *, uint64_t ticks);
uint64_t prof_clock_ticks(const struct prof_clock *, uint64_t ns);

#endif
