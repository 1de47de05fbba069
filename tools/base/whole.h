/*
 * tools/base/whole.h - a computed number as a whole one: what C leaves undefined has a value here.
 */
#ifndef PROF_BASE_WHOLE_H
#define PROF_BASE_WHOLE_H

#include <stdint.h>

/* Rounded down; below 0 and not a number: 0; above 2^64 - 1: that. */
static inline uint64_t prof_whole(double value) {
  return value >= 18446744073709551616.0 ? UINT64_MAX : value > 0 ? (uint64_t)value : 0;
}

#endif
