/*
 * tools/fold/histogram.c - see histogram.h: pools of counters, merging, quantiles.
 */
#include "fold/histogram.h"
#include "base/whole.h"

#include <stdlib.h>
#include <string.h>

/* Doubles *items (of item_bytes) when count has reached capacity; false: no memory. */
static bool grow(void **items, uint32_t count, uint32_t *capacity, size_t item_bytes) {
  if (count < *capacity)
    return true;
  uint32_t wanted = *capacity ? *capacity * 2 : 64;
  if (wanted > UINT32_MAX / PROF_HISTOGRAM_BUCKETS) /* a counter's number must fit a carry */
    return false;
  void *grown = realloc(*items, wanted * item_bytes);
  if (!grown)
    return false;
  *items = grown;
  *capacity = wanted;
  return true;
}

uint32_t prof_histogram_block_new(struct prof_histogram_pool *pool, struct prof_histogram *histogram, uint32_t octave) {
  if (pool->count == 0)
    pool->count = 1;
  if (!grow((void **)&pool->blocks, pool->count, &pool->capacity, sizeof *pool->blocks)) {
    pool->failed = true;
    return 0;
  }
  memset(pool->blocks[pool->count], 0, sizeof *pool->blocks);
  return histogram->block[octave] = pool->count++;
}

void prof_histogram_carry(struct prof_histogram_pool *pool, uint32_t block, uint32_t bucket) {
  if (!grow((void **)&pool->carries, pool->carry_count, &pool->carry_capacity, sizeof *pool->carries)) {
    pool->failed = true;
    return;
  }
  pool->carries[pool->carry_count++] = block * PROF_HISTOGRAM_BUCKETS + bucket;
}

void prof_histogram_pool_free(struct prof_histogram_pool *pool) {
  free(pool->blocks);
  free(pool->carries);
  memset(pool, 0, sizeof *pool);
}

static uint64_t counter(const struct prof_histogram_pool *pool, uint32_t block, uint32_t bucket) {
  uint64_t value = pool->blocks[block][bucket];
  for (uint32_t i = 0; i < pool->carry_count; i++)
    if (pool->carries[i] == block * PROF_HISTOGRAM_BUCKETS + bucket)
      value += 1ull << 32;
  return value;
}

uint64_t prof_histogram_at(const struct prof_histogram_pool *pool, const struct prof_histogram *histogram,
                           uint32_t index) {
  uint32_t block = histogram->block[index / PROF_HISTOGRAM_BUCKETS];
  return block ? counter(pool, block, index % PROF_HISTOGRAM_BUCKETS) : 0;
}

static void add(struct prof_histogram_pool *pool, uint32_t block, uint32_t bucket, uint64_t count) {
  uint64_t sum = pool->blocks[block][bucket] + count;
  pool->blocks[block][bucket] = (uint32_t)sum;
  for (; sum >> 32; sum -= 1ull << 32)
    prof_histogram_carry(pool, block, bucket);
}

bool prof_histogram_put(struct prof_histogram_pool *pool, struct prof_histogram *histogram, uint32_t index,
                        uint64_t count) {
  uint32_t octave = index / PROF_HISTOGRAM_BUCKETS, block = histogram->block[octave];
  if (block == 0 && (block = prof_histogram_block_new(pool, histogram, octave)) == 0)
    return false;
  add(pool, block, index % PROF_HISTOGRAM_BUCKETS, count);
  return !pool->failed;
}

void prof_histogram_merge(struct prof_histogram_pool *pool, struct prof_histogram *histogram,
                          const struct prof_histogram_pool *from_pool, const struct prof_histogram *from) {
  if (from->min_inverted > histogram->min_inverted)
    histogram->min_inverted = from->min_inverted;
  if (from->max > histogram->max)
    histogram->max = from->max;
  for (uint32_t octave = 0; octave < PROF_HISTOGRAM_OCTAVES; octave++) {
    if (from->block[octave] == 0)
      continue;
    uint32_t block = histogram->block[octave];
    if (block == 0 && (block = prof_histogram_block_new(pool, histogram, octave)) == 0)
      return;
    for (uint32_t bucket = 0; bucket < PROF_HISTOGRAM_BUCKETS; bucket++)
      add(pool, block, bucket, counter(from_pool, from->block[octave], bucket));
  }
}

uint64_t prof_histogram_count(const struct prof_histogram_pool *pool, const struct prof_histogram *histogram) {
  uint64_t count = 0;
  for (uint32_t octave = 0; octave < PROF_HISTOGRAM_OCTAVES; octave++)
    for (uint32_t bucket = 0; histogram->block[octave] && bucket < PROF_HISTOGRAM_BUCKETS; bucket++)
      count += counter(pool, histogram->block[octave], bucket);
  return count;
}

/* The value at quantile q is the one of rank ceil(q * count), counted from 1. */
static uint64_t rank_of(double q, uint64_t count) {
  double exact = q * (double)count;
  uint64_t rank = exact >= (double)count ? count : prof_whole(exact);
  if ((double)rank < exact && rank < count)
    rank++;
  return rank ? rank : 1;
}

void prof_histogram_quantiles(const struct prof_histogram_pool *pool, const struct prof_histogram *histogram,
                              const double *q, uint32_t q_count, uint64_t *values) {
  memset(values, 0, q_count * sizeof *values);
  uint64_t count = prof_histogram_count(pool, histogram), passed = 0, min = prof_histogram_min(histogram);
  if (count == 0)
    return;
  uint32_t done = 0;
  for (uint32_t octave = 0; octave < PROF_HISTOGRAM_OCTAVES && done < q_count; octave++)
    for (uint32_t bucket = 0; histogram->block[octave] && bucket < PROF_HISTOGRAM_BUCKETS; bucket++) {
      passed += counter(pool, histogram->block[octave], bucket);
      for (uint64_t rank; done < q_count && passed >= (rank = rank_of(q[done], count));) {
        uint64_t value = prof_histogram_middle(octave * PROF_HISTOGRAM_BUCKETS + bucket);
        value = value < min || rank == 1 ? min : rank == count ? histogram->max : value;
        values[done++] = value > histogram->max ? histogram->max : value;
      }
    }
}

double prof_histogram_median(const struct prof_histogram_pool *pool, const struct prof_histogram *histogram) {
  const double half = (double)prof_histogram_count(pool, histogram) / 2;
  double passed = 0;
  for (uint32_t octave = 0; half > 0 && octave < PROF_HISTOGRAM_OCTAVES; octave++)
    for (uint32_t bucket = 0; histogram->block[octave] && bucket < PROF_HISTOGRAM_BUCKETS; bucket++) {
      const double here = (double)counter(pool, histogram->block[octave], bucket);
      if (passed + here >= half) {
        const double width = octave < 2 ? 1 : (double)(1ull << (octave - 1));
        const double middle = (double)prof_histogram_middle(octave * PROF_HISTOGRAM_BUCKETS + bucket);
        return middle + width * ((half - passed) / here - 0.5);
      }
      passed += here;
    }
  return 0;
}
