/*
 * test_burst_weights.c - windows stand for the time around them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "estimate/burst/weights.h"

enum { MANY = 320 };

static double sum_of(const double *weights, size_t count) {
  double sum = 0;
  for (size_t i = 0; i < count; i++)
    sum += weights[i];
  return sum;
}

static void evenly_spaced_ones_are_alike(void **state) {
  uint64_t begins[MANY];
  double weights[MANY];
  (void)state;
  for (size_t i = 0; i < MANY; i++)
    begins[i] = 5000 + 100 * i;
  prof_burst_weights(begins, MANY, 0, 0, weights);
  for (size_t i = 0; i < MANY; i++)
    assert_float_equal(weights[i], 100, 1e-6);
}

/* The first half takes 10 times as long as the second: so do its windows stand for 10 times as much. */
static void seldom_ones_weigh_more(void **state) {
  uint64_t begins[MANY], now = 1000;
  double weights[MANY];
  (void)state;
  for (size_t i = 0; i < MANY; i++, now += i <= MANY / 2 ? 1000 : 100)
    begins[i] = now;
  prof_burst_weights(begins, MANY, 0, 0, weights);
  const double span = (double)(begins[MANY - 1] - begins[0]);
  assert_float_equal(sum_of(weights, MANY), span * MANY / (MANY - 1), 1e-3);
  assert_float_equal(weights[16] / weights[MANY - 20], 10, 1e-6);
  assert_float_equal(sum_of(weights, MANY / 2) / sum_of(weights + MANY / 2, MANY / 2), 10, 0.5);
}

static void few_are_alike(void **state) {
  const uint64_t begins[] = {1, 2, 3, 1000};
  double weights[4] = {0};
  (void)state;
  prof_burst_weights(begins, 0, 0, 0, weights);
  assert_float_equal(weights[0], 0, 1e-6);
  prof_burst_weights(begins, 4, 0, 0, weights);
  for (size_t i = 0; i < 4; i++)
    assert_float_equal(weights[i], 333, 1e-6);
  prof_burst_weights(begins, 1, 0, 0, weights); /* nothing tells its time */
  assert_float_equal(weights[0], 1, 1e-6);
}

/* Those of a stretch of a longer recording share all of it. */
static void stretches_are_shared(void **state) {
  uint64_t begins[MANY];
  double weights[MANY], sum = 0;
  (void)state;
  for (size_t i = 0; i < MANY; i++)
    begins[i] = 5000 + 100 * i * i;
  prof_burst_weights(begins, MANY, 1000, begins[MANY - 1] + 7000, weights);
  sum = sum_of(weights, MANY);
  assert_float_equal(sum, (double)begins[MANY - 1] + 6000, 1e-3);
  prof_burst_weights(begins, 2, 1000, 9000, weights);
  assert_float_equal(weights[0], 4000, 1e-6);
  assert_float_equal(weights[1], 4000, 1e-6);
}

/* Of a damaged file. */
static void same_times_are_alike(void **state) {
  uint64_t begins[MANY] = {0};
  double weights[MANY];
  (void)state;
  prof_burst_weights(begins, MANY, 0, 0, weights);
  for (size_t i = 1; i < MANY; i++)
    assert_float_equal(weights[i], weights[0], 1e-9);
  assert_true(weights[0] > 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(evenly_spaced_ones_are_alike),
      cmocka_unit_test(seldom_ones_weigh_more),
      cmocka_unit_test(few_are_alike),
      cmocka_unit_test(stretches_are_shared),
      cmocka_unit_test(same_times_are_alike),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
