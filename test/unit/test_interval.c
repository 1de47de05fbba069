/* test_interval.c - intervals against values from tables, and against samples drawn from known shares. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "estimate/interval.h"

static void near(double value, double expected, double tolerance) {
  assert_true(value > expected - tolerance && value < expected + tolerance);
}

static void shares(void **state) {
  (void)state;
  static const struct {
    uint64_t count, all;
    double low, high;
  } cases[] = {{0, 10, 0, 0.27753},         {5, 10, 0.23659, 0.76341},     {10, 10, 0.72247, 1},
               {50, 100, 0.40383, 0.59617}, {1, 1000, 0.000177, 0.005642}, {0, 0, 0, 1},
               {7, 5, 0.56552, 1}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct prof_interval interval = prof_interval_share(cases[i].count, cases[i].all);
    near(interval.low, cases[i].low, 1e-5);
    near(interval.high, cases[i].high, 1e-5);
  }
}

/* Exact limits of the Poisson distribution: half the quantiles of chi squared. */
static void counts(void **state) {
  (void)state;
  static const struct {
    uint64_t count;
    double low, high;
  } cases[] = {{0, 0, 3.68888},
               {1, 0.02532, 5.57164},
               {2, 0.24221, 7.22469},
               {10, 4.79539, 18.39036},
               {100, 81.36398, 121.62664}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct prof_interval interval = prof_interval_count(cases[i].count);
    near(interval.low, cases[i].low, 0.03);
    near(interval.high, cases[i].high, 0.03);
  }
}

static double draw(uint64_t *seed) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(*seed >> 11) / 9007199254740992.0;
}

/* 95 of 100 hold the truth: 94 to 96.5 over many shares, which no wrong formula meets by chance. */
static void truth_lies_within(void **state) {
  (void)state;
  uint64_t seed = 42, held = 0, rounds = 4000;
  for (uint64_t round = 0; round < rounds; round++) {
    double share = 0.02 + 0.96 * draw(&seed);
    uint64_t count = 0, all = 200;
    for (uint64_t i = 0; i < all; i++)
      count += draw(&seed) < share;
    struct prof_interval interval = prof_interval_share(count, all);
    held += interval.low <= share && share <= interval.high;
  }
  assert_in_range(held, rounds * 940 / 1000, rounds * 965 / 1000);
}

/* The same with weights: half of the samples stand for much more. */
static void truth_lies_within_weighted(void **state) {
  (void)state;
  uint64_t seed = 7, held = 0, rounds = 3000;
  const double weights[] = {1, 5};
  for (uint64_t round = 0; round < rounds; round++) {
    double share[] = {0.1 + 0.8 * draw(&seed), 0.1 + 0.8 * draw(&seed)}, truth = 0, sum = 0;
    struct prof_weighted part = {0}, all = {0};
    for (int kind = 0; kind < 2; kind++) {
      for (int i = 0; i < 2000; i++) { /* Poisson, nearly: each is taken or not */
        if (draw(&seed) >= 0.1)
          continue;
        prof_weighted_add(&all, 1, weights[kind]);
        if (draw(&seed) < share[kind])
          prof_weighted_add(&part, 1, weights[kind]);
      }
      truth += share[kind] * weights[kind];
      sum += weights[kind];
    }
    struct prof_interval interval = prof_interval_weighted(&part, &all);
    held += interval.low <= truth / sum && truth / sum <= interval.high;
  }
  assert_in_range(held, rounds * 935 / 1000, rounds * 970 / 1000);
}

static void equal_weights_are_counts(void **state) {
  (void)state;
  struct prof_weighted part = {0}, all = {0}, none = {0};
  prof_weighted_add(&all, 70, 0.3);
  prof_weighted_add(&part, 20, 0.3);
  prof_weighted_join(&all, &part);
  struct prof_interval weighted = prof_interval_weighted(&part, &all), counted = prof_interval_share(20, 90);
  assert_true(weighted.low == counted.low && weighted.high == counted.high);
  near(prof_weighted_share(&part, &all), 20.0 / 90, 1e-12);
  assert_true(prof_weighted_share(&none, &none) == 0 && prof_interval_weighted(&none, &none).high == 1);
  prof_weighted_add(&none, 3, 0); /* weights are not known */
  assert_true(prof_weighted_share(&none, &none) == 1);
}

/* The share itself varies as that of `most` samples does: 95 of 100 hold its mean, however many samples there are. */
static void truth_lies_within_bounded(void **state) {
  (void)state;
  const uint64_t most = 1000, all = 4000;
  uint64_t seed = 3, held = 0, by_chance = 0, rounds = 2000;
  for (uint64_t round = 0; round < rounds; round++) {
    double share = 0.05 + 0.9 * draw(&seed);
    uint64_t met = 0, count = 0;
    for (uint64_t i = 0; i < most; i++)
      met += draw(&seed) < share;
    for (uint64_t i = 0; i < all; i++)
      count += draw(&seed) < (double)met / (double)most;
    struct prof_weighted part = {0}, whole = {0};
    prof_weighted_add(&part, count, 1);
    prof_weighted_add(&whole, all, 1);
    struct prof_interval bounded = prof_interval_bounded(&part, &whole, (double)most);
    struct prof_interval chance = prof_interval_weighted(&part, &whole);
    held += bounded.low <= share && share <= bounded.high;
    by_chance += chance.low <= share && share <= chance.high;
  }
  assert_in_range(held, rounds * 935 / 1000, rounds * 970 / 1000);
  assert_in_range(by_chance, 0, rounds * 750 / 1000);
}

static void a_bound_counts_beside_samples(void **state) {
  (void)state;
  struct prof_weighted part = {0}, all = {0}, none = {0};
  prof_weighted_add(&part, 30, 2);
  prof_weighted_add(&all, 100, 2);
  struct prof_interval half = prof_interval_bounded(&part, &all, 100), counted = prof_interval_share(15, 50);
  near(half.low, counted.low, 1e-12);
  near(half.high, counted.high, 1e-12);
  struct prof_interval same = prof_interval_bounded(&part, &all, INFINITY),
                       weighted = prof_interval_weighted(&part, &all);
  assert_true(same.low == weighted.low && same.high == weighted.high);
  assert_true(prof_interval_bounded(&none, &none, 100).low == 0 && prof_interval_bounded(&none, &none, 100).high == 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(shares),
      cmocka_unit_test(counts),
      cmocka_unit_test(truth_lies_within),
      cmocka_unit_test(truth_lies_within_weighted),
      cmocka_unit_test(equal_weights_are_counts),
      cmocka_unit_test(truth_lies_within_bounded),
      cmocka_unit_test(a_bound_counts_beside_samples),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
