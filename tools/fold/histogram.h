/*
 * tools/fold/histogram.h - log-linear histograms of durations; relative error of a quantile <= 2%.
 *
 * Job: count values in ticks, merge, compute quantiles.  32 buckets per octave (values below 64 have their own), the
 * middle of a bucket stands for it, so that it is at most 1/64 away; the idea is HdrHistogram's (G. Tene, 2012).
 * Counters live in blocks of one octave, taken from a pool when first needed: a function whose calls all last about as
 * long costs two or three blocks of 128 bytes.  Depends on base only.  Ownership: histograms belong to the caller and
 * point into one pool by index; one pool per thread.
 */
#ifndef PROF_FOLD_HISTOGRAM_H
#define PROF_FOLD_HISTOGRAM_H

#include <stdbool.h>
#include <stdint.h>

#define PROF_HISTOGRAM_OCTAVES 60
#define PROF_HISTOGRAM_BUCKETS 32 /* per octave */

struct prof_histogram {  /* 256 bytes; all zero: empty */
  uint64_t min_inverted; /* ~ of the smallest value, so that zero means empty */
  uint64_t max;
  uint32_t block[PROF_HISTOGRAM_OCTAVES]; /* index into the pool; 0: none yet */
};

struct prof_histogram_pool {
  uint32_t (*blocks)[PROF_HISTOGRAM_BUCKETS]; /* block 0 is never used */
  uint32_t count, capacity;
  uint32_t *carries; /* counters (block * 32 + bucket) that passed 2^32, once for each time */
  uint32_t carry_count, carry_capacity;
  bool failed; /* no memory: values were dropped */
};

void prof_histogram_pool_free(struct prof_histogram_pool *); /* a zeroed pool is empty and fine */

/* Adds all that `from` counted. */
void prof_histogram_merge(struct prof_histogram_pool *, struct prof_histogram *, const struct prof_histogram_pool *,
                          const struct prof_histogram *from);

/* Value at each quantile of `q` (ascending, in [0, 1]), within [min, max]; zeros when empty. */
void prof_histogram_quantiles(const struct prof_histogram_pool *, const struct prof_histogram *, const double *q,
                              uint32_t q_count, uint64_t *values);
/* The median, interpolated within its bucket as if its values lay evenly there; 0 when empty. */
double prof_histogram_median(const struct prof_histogram_pool *, const struct prof_histogram *);
uint64_t prof_histogram_count(const struct prof_histogram_pool *, const struct prof_histogram *);

/* Values of bucket `index` (prof_histogram_index); and such values added, but for min and max.  false: no memory. */
uint64_t prof_histogram_at(const struct prof_histogram_pool *, const struct prof_histogram *, uint32_t index);
bool prof_histogram_put(struct prof_histogram_pool *, struct prof_histogram *, uint32_t index, uint64_t count);

static inline bool prof_histogram_is_empty(const struct prof_histogram *histogram) {
  return histogram->min_inverted == 0;
}

/* Of one that isn't empty. */
static inline uint64_t prof_histogram_min(const struct prof_histogram *histogram) {
  return ~histogram->min_inverted;
}

/* For prof_histogram_add: slow ways. */
uint32_t prof_histogram_block_new(struct prof_histogram_pool *, struct prof_histogram *, uint32_t octave);
void prof_histogram_carry(struct prof_histogram_pool *, uint32_t block, uint32_t bucket);

/* Bucket of a value: 0-63 as they are, then 32 per octave. */
static inline uint32_t prof_histogram_index(uint64_t value) {
  uint32_t shift = 58u - (uint32_t)__builtin_clzll(value | 32);
  return (shift << 5) + (uint32_t)(value >> shift);
}

/* The middle of bucket `index`. */
static inline uint64_t prof_histogram_middle(uint32_t index) {
  if (index < 64)
    return index;
  uint32_t shift = (index >> 5) - 1;
  return (((uint64_t)(index & 31) + 32) << shift) + ((1ull << shift) - 1) / 2;
}

/* Both are values that were added. */
static inline void prof_histogram_reach(struct prof_histogram *histogram, uint64_t least, uint64_t most) {
  if (~least > histogram->min_inverted)
    histogram->min_inverted = ~least;
  if (most > histogram->max)
    histogram->max = most;
}

/* Adds a value but for min and max: prof_histogram_reach. */
static inline void prof_histogram_tick(struct prof_histogram_pool *pool, struct prof_histogram *histogram,
                                       uint64_t value) {
  uint32_t index = prof_histogram_index(value), octave = index >> 5;
  uint32_t block = histogram->block[octave];
  if (__builtin_expect(block == 0, 0)) {
    block = prof_histogram_block_new(pool, histogram, octave);
    if (block == 0)
      return;
  }
  if (__builtin_expect(++pool->blocks[block][index & 31] == 0, 0))
    prof_histogram_carry(pool, block, index & 31);
}

static inline void prof_histogram_add(struct prof_histogram_pool *pool, struct prof_histogram *histogram,
                                      uint64_t value) {
  prof_histogram_reach(histogram, value, value);
  prof_histogram_tick(pool, histogram, value);
}

#endif
