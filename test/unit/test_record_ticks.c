/*
 * test_record_ticks.c - the clock's step from made-up readings, and its frequency.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "record/clock/ticks.h"

enum { COUNT = 2000 };

/* Differences of readings of a clock with this step, in ticks, when the reading itself takes about `cost` ticks. */
static uint32_t found(double step, double cost, double jitter) {
  uint32_t differences[COUNT], seed = 3;
  double now = 1e6;
  for (size_t i = 0; i < COUNT; i++) {
    seed = seed * 1664525u + 1013904223u;
    double passed = cost + (double)(i % 7) * 3 + jitter * (seed >> 8) / (1 << 24);
    uint64_t before = (uint64_t)((double)(uint64_t)(now / step) * step);
    now += passed;
    uint64_t after = (uint64_t)((double)(uint64_t)(now / step) * step);
    differences[i] = (uint32_t)(after - before);
    now += 1000.25;
  }
  differences[COUNT / 2] = 90000; /* an interrupt */
  if (step >= 10)
    differences[COUNT / 3] = 1; /* a clock that was a tick off */
  return prof_clock_step_find(differences, COUNT);
}

static void fine_clock(void **state) {
  (void)state;
  assert_int_equal(found(1, 25, 6), 1);
  assert_int_equal(found(1, 60, 20), 1);
}

static void coarse_clocks(void **state) {
  (void)state;
  assert_int_equal(found(22.5, 27, 8), 23); /* 10 ns at 2.25 GHz: no whole number of ticks */
  assert_int_equal(found(16, 25, 8), 16);
  assert_int_equal(found(36, 40, 12), 36);
  assert_int_equal(found(100, 30, 10), 100);
  assert_int_equal(found(25.961, 25, 400), 26); /* up to 15 steps, which are 389 or 390 ticks */
}

static void small_steps(void **state) {
  (void)state;
  assert_int_equal(found(2, 25, 6), 2);
  assert_int_equal(found(4, 25, 9), 4);
}

static void nothing_to_go_by(void **state) {
  (void)state;
  uint32_t none[4] = {0}, same[4] = {22, 22, 22, 22};
  assert_int_equal(prof_clock_step_find(none, 4), 1);
  assert_int_equal(prof_clock_step_find(none, 0), 1);
  assert_int_equal(prof_clock_step_find(same, 4), 22);
}

static void frequency(void **state) {
  (void)state;
  struct prof_clock_pair first = {.ticks = 1000, .monotonic_ns = 500}, last = first;
  assert_int_equal(prof_clock_frequency(&first, &last), 0);
  last.ticks += 2250000000u;
  last.monotonic_ns += 1000000000u;
  assert_int_equal(prof_clock_frequency(&first, &last), 2250000000u);
  last.ticks = 10; /* back */
  assert_int_equal(prof_clock_frequency(&first, &last), 0);
}

static void this_machine(void **state) {
  (void)state;
  for (enum prof_ticks_of of = PROF_TICKS_TSC; of <= PROF_TICKS_OS; of++) {
    struct prof_clock_pair first = prof_clock_pair_read(of), second = prof_clock_pair_read(of);
    assert_true(second.ticks > first.ticks);
    assert_true(second.monotonic_ns >= first.monotonic_ns);
    assert_true(first.realtime_ns > 1600000000ull * 1000000000u);
    assert_true(prof_clock_step_measure(of) >= 1);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(fine_clock),       cmocka_unit_test(coarse_clocks), cmocka_unit_test(small_steps),
      cmocka_unit_test(nothing_to_go_by), cmocka_unit_test(frequency),     cmocka_unit_test(this_machine),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
