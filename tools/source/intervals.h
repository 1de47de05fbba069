/*
 * tools/source/intervals.h - half-open ranges of addresses that may overlap, made into disjoint ones.
 *
 * In: ranges with a rank and a value.  Out: segments in order of address; where ranges overlap, the highest rank holds,
 * and among equal ranks the highest value.  At most twice as many segments as ranges.
 */
#ifndef PROF_SOURCE_INTERVALS_H
#define PROF_SOURCE_INTERVALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"
#include "source/jumps.h"

struct prof_ranked_range {
  uint64_t low, high; /* high is the first address beyond */
  uint32_t rank, value;
};

struct prof_disjoint_range {
  uint64_t low, high;
  uint32_t value;
};

struct prof_intervals { /* zeroed: empty */
  PROF_VEC(struct prof_ranked_range) ranges;
  PROF_VEC(struct prof_disjoint_range) segments;
  struct prof_jumps jumps;
};

/* Empty ranges are left out.  False: no memory. */
bool prof_intervals_add(struct prof_intervals *, uint64_t low, uint64_t high, uint32_t rank, uint32_t value);

/* Makes the segments and gives the ranges back.  False: no memory. */
bool prof_intervals_flatten(struct prof_intervals *);

/* The segment that holds `address`; NULL: none. */
const struct prof_disjoint_range *prof_intervals_find(const struct prof_intervals *, uint64_t address);

/* Whether `low` lies in a segment; *high is then cut to that segment's end. */
bool prof_intervals_clip(const struct prof_intervals *, uint64_t low, uint64_t *high);

void prof_intervals_fini(struct prof_intervals *);

#endif
