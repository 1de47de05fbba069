/*
 * tools/base/whole.h - converts a double to a whole number; defined for every value.
 */
#ifndef PROF_BASE_WHOLE_H
#define PROF_BASE_WHOLE_H

#include <stdint.h>

/* Rounds down; negative or NaN: 0; 2^64 or more: UINT64_MAX. */
static inline uint64_t prof_whole(double value) {
  return value >= 18446744073709551616.0 ? UINT64_MAX : value > 0 ? (uint64_t)value : 0;
}

#endif
