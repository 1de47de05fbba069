/*
 * tools/trace/read/clock.c - see clock.h.
 */
#include "clock.h"

#define NS_PER_SECOND 1000000000ull

typedef unsigned __int128 wide;

/* numerator / denominator with as many bits as fit. */
static struct prof_ratio ratio(uint64_t numerator, uint64_t denominator) {
  unsigned shift = 64;
  wide value = ((wide)numerator << 64) / denominator;
  while (value >> 64) {
    value >>= 1;
    shift--;
  }
  if (shift == 64 && numerator) { /* room for more bits below the point */
    wide shifted = (wide)numerator << 64;
    while (shift < 127 && !(shifted >> 127) && !((shifted << 1) / denominator >> 64)) {
      shifted <<= 1;
      shift++;
    }
    value = shifted / denominator;
  }
  return (struct prof_ratio){(uint64_t)value, shift};
}

static uint64_t scale(struct prof_ratio by, uint64_t value) {
  wide product = (wide)value * by.mult;
  wide result = product >> by.shift;
  if (by.shift && (product >> (by.shift - 1) & 1))
    result++;
  return result >> 64 ? UINT64_MAX : (uint64_t)result;
}

struct prof_clock prof_clock_make(uint64_t frequency_hz) {
  if (!frequency_hz)
    frequency_hz = NS_PER_SECOND;
  return (struct prof_clock){ratio(NS_PER_SECOND, frequency_hz), ratio(frequency_hz, NS_PER_SECOND)};
}

uint64_t prof_clock_ns(const struct prof_clock *clock, uint64_t ticks) {
  return scale(clock->to_ns, ticks);
}

uint64_t prof_clock_ticks(const struct prof_clock *clock, uint64_t ns) {
  return scale(clock->to_ticks, ns);
}
