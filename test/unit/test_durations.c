/*
 * test_durations.c - figures of single durations: none, one, percentiles by rank.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analysis/durations.h"

static void none(void **state) {
  (void)state;
  struct prof_durations durations = {0};
  assert_int_equal(prof_durations_sum(&durations).count, 0);
  assert_int_equal(prof_durations_percentile(&durations, 99), 0);
}

static void ranks(void **state) {
  (void)state;
  struct prof_durations durations = {0};
  for (uint64_t i = 200; i > 0; i--)
    assert_true(prof_vec_push(&durations, i * 10));
  const struct prof_duration_figures sum = prof_durations_sum(&durations);
  assert_int_equal(sum.count, 200);
  assert_int_equal(sum.total_ns, 201000);
  assert_int_equal(sum.avg_ns, 1005);
  assert_int_equal(sum.min_ns, 10);
  assert_int_equal(sum.p50_ns, 1000);
  assert_int_equal(sum.p95_ns, 1900);
  assert_int_equal(sum.p99_ns, 1980);
  assert_int_equal(sum.max_ns, 2000);
  assert_int_equal(prof_durations_percentile(&durations, 0), 10);
  assert_int_equal(prof_durations_percentile(&durations, 99.9), 2000);
  assert_int_equal(prof_durations_percentile(&durations, 100), 2000);
  prof_vec_fini(&durations);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(none), cmocka_unit_test(ranks)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
