/* test_burst_rate.c - calls from windows: simple cases by hand, and processes with known rates. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "estimate/burst/rate.h"

static void near(double value, double expected, double tolerance) {
  assert_true(value > expected - tolerance && value < expected + tolerance);
}

static void nothing(void **state) {
  (void)state;
  const double ticks[PROF_BURST_COSTS] = {1000, 1000, 1000}, none[PROF_BURST_COSTS] = {0};
  const struct prof_burst_rate rate = {0};
  struct prof_burst_estimate never = prof_burst_rate_estimate(&rate, 0, ticks, 0);
  assert_true(never.calls == 0 && never.low == 0 && isinf(never.high));
  struct prof_burst_estimate no_time = prof_burst_rate_estimate(&rate, 0, none, 0);
  assert_true(no_time.calls == 0 && no_time.high == 0);
  /* 10 windows of 10 ticks without a call: at most 3.69 expected in them, so 36.9 in 1,000 ticks. */
  struct prof_burst_estimate unseen = prof_burst_rate_estimate(&rate, 10, ticks, 10);
  assert_true(unseen.calls == 0 && unseen.low == 0);
  near(unseen.high, 36.9, 0.3);
}

/* Two windows of 100 ticks: 4 calls in all of it; 3 and 3 in a half, as 10 events cost 5 ticks each. */
static void ratios(void **state) {
  (void)state;
  const struct prof_burst_cost cost = {5, 1};
  const double ticks[PROF_BURST_COSTS] = {1000, 1000, 1000};
  struct prof_burst_rate rate = {0};
  prof_burst_rate_add(&rate, &(struct prof_burst_window){1, 1, 100, 100, 0}, &cost, 4, 0);
  prof_burst_rate_add(&rate, &(struct prof_burst_window){1, 2, 100, 100, 10}, &cost, 3, 12);
  prof_burst_rate_add(&rate, &(struct prof_burst_window){1, 2, 100, 100, 10}, &cost, 3, 8);
  struct prof_burst_estimate of = prof_burst_rate_estimate(&rate, 2, ticks, 100);
  near(of.calls, (0.04 + 0.12) / 2 * 1000, 1e-9); /* the mean of ratios; their sums give 10 / 150 */
  assert_int_equal(of.counted, 10);
  near(of.iterations, of.calls * 2, 1e-9);
  assert_true(of.low < of.calls && of.high > of.calls);
  /* A window of events only has a fifth of its time, not none or less. */
  struct prof_burst_rate dense = {0};
  prof_burst_rate_add(&dense, &(struct prof_burst_window){1, 1, 100, 100, 30}, &cost, 30, 0);
  near(prof_burst_rate_estimate(&dense, 1, ticks, 100).calls, 30 / 20.0 * 1000, 1e-6);
}

static void costs(void **state) {
  (void)state;
  const double ticks[PROF_BURST_COSTS] = {1000, 1000, 1000};
  struct prof_burst_rate sure = {0}, unsure = {0};
  for (uint64_t i = 1; i <= 1000; i++) {
    const struct prof_burst_window window = {1, i, 100, 100, 10};
    prof_burst_rate_add(&sure, &window, &(struct prof_burst_cost){3, 0}, 5, 0);
    prof_burst_rate_add(&unsure, &window, &(struct prof_burst_cost){3, 2}, 5, 0);
  }
  struct prof_burst_estimate narrow = prof_burst_rate_estimate(&sure, 1000, ticks, 100);
  struct prof_burst_estimate wide = prof_burst_rate_estimate(&unsure, 1000, ticks, 100);
  near(narrow.calls, 1000 * 5 / 70.0, 1e-6);
  near(wide.calls, narrow.calls, 1e-6);
  assert_true(wide.low <= 1000 * 5 / 90.0 && wide.high >= 1000 * 5 / 50.0);
  assert_true(narrow.low > 1000 * 5 / 90.0 && narrow.high < 1000 * 5 / 50.0);
}

/* Windows that are mostly events tell how many calls there were at least. */
static void saturated(void **state) {
  (void)state;
  const double ticks[PROF_BURST_COSTS] = {1000, 1000, 1000};
  struct prof_burst_rate rate = {0};
  for (uint64_t i = 1; i <= 1000; i++)
    prof_burst_rate_add(&rate, &(struct prof_burst_window){1, i, 100, 100, 20}, &(struct prof_burst_cost){3, 0}, 10, 0);
  struct prof_burst_estimate estimate = prof_burst_rate_estimate(&rate, 1000, ticks, 100);
  assert_true(isinf(estimate.high));
  near(estimate.low, 1000 * 10 / 100.0, 1e-6);
}

/* ---- random processes ---- */

static uint64_t seed;

/* Above 0, at most 1. */
static double uniform(void) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (double)((seed >> 11) + 1) / 9007199254740993.0;
}

/* Calls in a window: the program goes on after each one's two events. */
static uint64_t calls_in(double ticks, double calls_per_tick, double event_ticks) {
  uint64_t calls = 0;
  for (double time = -log(uniform()) / calls_per_tick; calls_per_tick > 0 && time < ticks; calls++)
    time += 2 * event_ticks - log(uniform()) / calls_per_tick;
  return calls;
}

enum { TICKS = 10000000, WINDOW = 1000, EVERY = 10000, PHASE = 500000 };

/* Calls per tick: two phases, of which one is ten times as dense, and a tenth of the time without any. */
static double rate_at(double time) {
  uint64_t phase = (uint64_t)(time / PHASE) % 10;
  return phase == 9 ? 0 : phase % 2 ? 0.02 : 0.002;
}

/* true: the interval holds the truth. */
static bool holds(uint64_t number, double event_ticks) {
  struct prof_burst_rate rate = {0};
  const struct prof_burst_cost cost = {event_ticks, event_ticks / 10};
  const double ticks[PROF_BURST_COSTS] = {TICKS, TICKS, TICKS};
  uint64_t windows = 0;
  double truth = 0;
  seed = number * 0x9e3779b97f4a7c15u;
  for (double time = 0; time < TICKS; time += PHASE)
    truth += rate_at(time) * PHASE;
  for (double time = -log(uniform()) * EVERY; time + WINDOW < TICKS; time -= log(uniform()) * EVERY) {
    uint64_t calls = calls_in(WINDOW, rate_at(time), event_ticks);
    windows++;
    if (calls)
      prof_burst_rate_add(&rate, &(struct prof_burst_window){1, windows, WINDOW, WINDOW, 2 * calls}, &cost, calls, 0);
  }
  struct prof_burst_estimate of = prof_burst_rate_estimate(&rate, windows, ticks, WINDOW);
  return of.low <= truth && truth <= of.high;
}

static void random_processes(void **state) {
  (void)state;
  unsigned free = 0, costly = 0;
  for (uint64_t i = 1; i <= 200; i++) {
    free += holds(i, 0);
    costly += holds(i + 1000, 10);
  }
  assert_in_range(free, 180, 200);
  assert_in_range(costly, 180, 200);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nothing),   cmocka_unit_test(ratios),           cmocka_unit_test(costs),
      cmocka_unit_test(saturated), cmocka_unit_test(random_processes),
  };
  return cmocka_run_group_tests_name("burst_rate", tests, NULL, NULL);
}
