/*
 * test/unit/test_model_histogram.c - quantiles within 2% of the exact ones, merging, counters that overflow.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fold/histogram.h"
#include "model_case.h"

static void bucket_bounds(void **state) {
  (void)state;
  uint64_t seed = 42;
  for (uint64_t value = 0; value < 5000; value++)
    assert_true(prof_histogram_index(value) <= prof_histogram_index(value + 1));
  for (int i = 0; i < 100000; i++) {
    uint64_t value = case_random(&seed) >> case_random(&seed) % 64;
    uint32_t index = prof_histogram_index(value);
    uint64_t middle = prof_histogram_middle(index), off = middle > value ? middle - value : value - middle;
    assert_true(index < PROF_HISTOGRAM_OCTAVES * PROF_HISTOGRAM_BUCKETS);
    assert_true(off <= value / 64);
    assert_int_equal(prof_histogram_index(middle), index);
  }
  assert_int_equal(prof_histogram_index(UINT64_MAX), PROF_HISTOGRAM_OCTAVES * PROF_HISTOGRAM_BUCKETS - 1);
}

static int by_number(const void *a, const void *b) {
  uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
  return left < right ? -1 : left > right;
}

/* Values of one of several shapes: even, long-tailed, two humps, all the same. */
static uint64_t shaped(uint64_t *seed, int shape) {
  uint64_t dice = case_random(seed);
  if (shape == 0)
    return dice % 100000;
  if (shape == 1)
    return dice >> dice % 60;
  return shape == 2 ? (dice % 2 ? 30 : 1000000) + case_random(seed) % 20 : 777;
}

static void quantiles(void **state) {
  (void)state;
  static const double q[] = {0, 0.01, 0.25, 0.5, 0.9, 0.95, 0.99, 0.999, 1};
  enum { COUNT = 20001, Q = sizeof q / sizeof *q };
  uint64_t *values = calloc(COUNT, sizeof *values), seed = 7;
  for (int shape = 0; shape < 4; shape++) {
    struct prof_histogram_pool pool = {0}, other_pool = {0};
    struct prof_histogram all = {0}, half = {0};
    for (int i = 0; i < COUNT; i++) {
      values[i] = shaped(&seed, shape);
      if (i % 2)
        prof_histogram_add(&pool, &all, values[i]);
      else
        prof_histogram_add(&other_pool, &half, values[i]);
    }
    prof_histogram_merge(&pool, &all, &other_pool, &half);
    assert_int_equal(prof_histogram_count(&pool, &all), COUNT);
    qsort(values, COUNT, sizeof *values, by_number);
    assert_int_equal(prof_histogram_min(&all), values[0]);
    assert_int_equal(all.max, values[COUNT - 1]);
    uint64_t found[Q];
    prof_histogram_quantiles(&pool, &all, q, Q, found);
    for (int i = 0; i < Q; i++) {
      size_t rank = (size_t)(q[i] * COUNT);
      rank += (double)rank < q[i] * COUNT;
      double exact = (double)values[rank ? rank - 1 : 0], off = (double)found[i] - exact;
      assert_true((off < 0 ? -off : off) <= 0.02 * exact);
    }
    assert_int_equal(found[0], values[0]);
    assert_int_equal(found[Q - 1], values[COUNT - 1]);
    assert_false(pool.failed);
    prof_histogram_pool_free(&pool);
    prof_histogram_pool_free(&other_pool);
  }
  free(values);
}

static void empty(void **state) {
  (void)state;
  struct prof_histogram_pool pool = {0};
  struct prof_histogram histogram = {0};
  const double q[] = {0.5};
  uint64_t value = 1;
  prof_histogram_quantiles(&pool, &histogram, q, 1, &value);
  assert_int_equal(value, 0);
  assert_int_equal(prof_histogram_count(&pool, &histogram), 0);
  prof_histogram_merge(&pool, &histogram, &pool, &histogram);
  assert_int_equal(pool.count, 0);
}

/* A counter that passes 2^32 is still counted in full, merged too. */
static void overflow(void **state) {
  (void)state;
  struct prof_histogram_pool pool = {0}, sum_pool = {0};
  struct prof_histogram histogram = {0}, sum = {0};
  const double q[] = {0.3, 0.5};
  uint64_t values[2];
  prof_histogram_add(&pool, &histogram, 10);
  prof_histogram_add(&pool, &histogram, 1000);
  pool.blocks[histogram.block[0]][10] = UINT32_MAX; /* as if it had been so often */
  prof_histogram_add(&pool, &histogram, 10);
  prof_histogram_add(&pool, &histogram, 10);
  assert_int_equal(prof_histogram_count(&pool, &histogram), (1ull << 32) + 2);
  for (int i = 0; i < 2; i++)
    prof_histogram_merge(&sum_pool, &sum, &pool, &histogram);
  assert_int_equal(prof_histogram_count(&sum_pool, &sum), 2 * ((1ull << 32) + 2));
  prof_histogram_quantiles(&sum_pool, &sum, q, 2, values);
  assert_int_equal(values[1], 10);
  prof_histogram_pool_free(&pool);
  prof_histogram_pool_free(&sum_pool);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bucket_bounds),
      cmocka_unit_test(quantiles),
      cmocka_unit_test(empty),
      cmocka_unit_test(overflow),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
