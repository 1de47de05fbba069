/*
 * test_record_choice.c - the governor's rules: parts of the budget, credit, who is demoted and promoted, windows' gaps.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "record/governor/choice.h"

#define NEAR(a, b) assert_true((a) > (b)-1e-9 && (a) < (b) + 1e-9)

static void parts_sum_to_the_budget(void **state) {
  (void)state;
  struct prof_parts parts = prof_parts_of(0.05, 1000, 10000);
  NEAR(parts.samples, 0.01);
  NEAR(parts.windows, 0.01);
  NEAR(parts.always, 0.03);
  parts = prof_parts_of(0.01, 20000, 10000); /* samples alone would take 20% */
  assert_true(parts.samples <= 0.005 + 1e-9 && parts.always >= 0.003 - 1e-9);
  parts = prof_parts_of(0.02, 0, 10000);
  NEAR(parts.samples, 0);
  NEAR(parts.always + parts.windows, 0.02);
}

static void samples_take_half_of_a_small_budget(void **state) {
  (void)state;
  assert_int_equal(prof_choice_sample_hz(0.05, 997), 997);
  assert_int_equal(prof_choice_sample_hz(0.02, 997), 397);
  assert_int_equal(prof_choice_sample_hz(0.01, 997), 197);
  struct prof_parts parts = prof_parts_of(0.02, 397, PROF_SAMPLE_COST_NS);
  assert_true(parts.samples <= 0.01 && parts.always > 0.005);
}

static void credit_grows_with_time_to_a_limit(void **state) {
  (void)state;
  struct prof_credit credit;
  prof_credit_begin(&credit);
  double begin = credit.ns;
  assert_true(begin > 0);
  prof_credit_add(&credit, 0.04, 10e6, 400e3); /* just paid */
  NEAR(credit.ns, begin);
  prof_credit_add(&credit, 0.04, 0, 2 * begin);
  assert_true(credit.ns < 0);
  prof_credit_add(&credit, 0.04, 3600e9, 0);
  NEAR(credit.ns, 0.04 * 100e6);
  prof_credit_add(&credit, 0.04, 0, 1e12); /* a debt has a limit too */
  NEAR(credit.ns, -0.04 * 250e6);
}

static void the_recorders_own_time_has_a_limit(void **state) {
  (void)state;
  struct prof_own own;
  prof_own_begin(&own);
  prof_own_add(&own, 0.05, 50e6, 100e6); /* too little tells nothing */
  NEAR(own.scale, 1);
  prof_own_add(&own, 0.05, 0, 400e6); /* 10% of 500 ms, where 6% may be */
  NEAR(own.scale, 0.6);
  prof_own_add(&own, 0.05, 26e6, 500e6); /* 5% is near enough */
  NEAR(own.scale, 0.6);
  prof_own_add(&own, 0.05, 10e6, 500e6);
  NEAR(own.scale, 0.66);
  for (int i = 0; i < 20; i++)
    prof_own_add(&own, 0.05, 0, 500e6);
  NEAR(own.scale, 1);
  for (int i = 0; i < 20; i++)
    prof_own_add(&own, 0.05, 500e6, 500e6);
  NEAR(own.scale, 0.1);
  assert_int_equal(prof_window_gap_ns(100e3, 0.01, 1, 0.5, 0), 20000000);
}

static void the_densest_go_first(void **state) {
  (void)state;
  struct prof_rated rated[] = {{1, 0.1}, {2, 1e-6}, {3, 1e-4}, {4, 0.02}, {5, 1e-5}};
  size_t kept = prof_choice_keep(rated, 5, 10, 0.04); /* 0.028 for 1e-6 + 1e-5 + 1e-4 = 0.00111 */
  assert_int_equal(kept, 3);
  assert_int_equal(rated[0].unit, 2);
  assert_int_equal(rated[2].unit, 3);
  assert_int_equal(rated[4].unit, 1);
  assert_int_equal(prof_choice_keep(rated, 5, 10, 2), 5);
  assert_int_equal(prof_choice_keep(rated, 5, 10, 0), 0);
  assert_int_equal(prof_choice_keep(NULL, 0, 10, 1), 0);
}

static void what_costs_more_than_the_time_leaves_a_little(void **state) {
  (void)state;
  NEAR(prof_plain_ns(1000, 400), 600);
  assert_true(prof_plain_ns(1000, 5000) > 0);
}

static void quiet_functions_come_back_after_a_second(void **state) {
  (void)state;
  struct prof_comeback quiet = {.seen_calls = 0, .seen_ns = 2e6, .now_ns = 5e9, .demotions = 1};
  assert_false(prof_comeback_promote(&quiet, 10, 0.02));
  assert_true(quiet.fits_ns > 0);
  quiet.now_ns = 5.9e9;
  assert_false(prof_comeback_promote(&quiet, 10, 0.02));
  quiet.now_ns = 6.1e9;
  assert_true(prof_comeback_promote(&quiet, 10, 0.02));
  quiet.demotions = 3; /* it was dense again and again */
  assert_false(prof_comeback_promote(&quiet, 10, 0.02));
  quiet.seen_calls = 1e5;
  assert_false(prof_comeback_promote(&quiet, 10, 0.02));
  assert_true(quiet.fits_ns == 0); /* the second begins anew */
  struct prof_comeback unseen = {.now_ns = 1e9};
  assert_false(prof_comeback_promote(&unseen, 10, 0.02));
  assert_true(unseen.fits_ns == 0); /* no window: nothing is known */
}

static void windows_are_sparse_and_within_their_part(void **state) {
  (void)state;
  NEAR(prof_window_share(0.001), 1);
  NEAR(prof_window_share(0.024), 0.25);
  assert_true(prof_window_share(100) > 0);
  assert_int_equal(prof_window_gap_ns(20e3, 0, 1, 1, 0), 0);
  assert_int_equal(prof_window_gap_ns(100e3, 0.01, 1, 1, 0), 10000000);
  assert_int_equal(prof_window_gap_ns(100e3, 0.01, 2, 1, 0), 5000000);
  assert_true(prof_window_gap_ns(1, 0.1, 8, 1, 0) >= 1000000); /* the recorder's own time */
  assert_true(prof_window_gap_ns(1e9, 0.01, 0, 1, 0) < 1000000000);
  /* With a budget for the recorder too: a program that hardly runs has few windows, an idle one the fewest. */
  assert_int_equal(prof_window_gap_ns(1, 0.01, 1, 1, 0.05), prof_window_gap_ns(1, 0.01, 1, 1, 0));
  assert_int_equal(prof_window_gap_ns(1, 0.01, 0.1, 1, 0.05), 5000000);
  assert_int_equal(prof_window_gap_ns(1, 0.01, 0, 1, 0.05), prof_window_gap_ns(1e9, 0.01, 0, 1, 0));
}

static void many_switches_put_samples_into_stretches(void **state) {
  (void)state;
  assert_false(prof_stretch_wanted(0, 0.01, false));
  assert_false(prof_stretch_wanted(1e-6, 0.01, false)); /* 1,000 a second of CPU time */
  assert_true(prof_stretch_wanted(100e-6, 0.01, false));
  assert_true(prof_stretch_wanted(1e-6, 0.01, true)); /* not back and forth */
  assert_false(prof_stretch_wanted(0.1e-6, 0.01, true));
  double share = prof_stretch_share(100e-6, 125000, 0.05);
  NEAR(share * (100e-6 * (PROF_TIMER_COST_NS + PROF_SWITCH_RECORD_COST_NS) + PROF_SAMPLE_COST_NS / 125000), 0.05);
  assert_true(prof_stretch_share(1, 125000, 0.01) > 0); /* samples are never given up */
  assert_true(prof_stretch_share(0, 125000, 0.5) <= 0.5);
}

static void records_of_switches_go_into_stretches_too(void **state) {
  (void)state;
  assert_false(prof_sparse_wanted(0, 0.05, false));
  assert_false(prof_sparse_wanted(10e-6, 0.05, false)); /* 0.2% of CPU time */
  assert_true(prof_sparse_wanted(100e-6, 0.05, false));
  assert_true(prof_sparse_wanted(20e-6, 0.05, true)); /* not back and forth */
  assert_false(prof_sparse_wanted(1e-6, 0.05, true));
}

static void switches_are_paid_first(void **state) {
  (void)state;
  NEAR(prof_left_beside_switches(0.05, 0, false), 1);
  NEAR(prof_left_beside_switches(0.05, 50e-6, false), 1 - 50e-6 * 400 / 0.05);
  NEAR(prof_left_beside_switches(0.05, 50e-6, true), 1 - 50e-6 * 175 / 0.05);
  NEAR(prof_left_beside_switches(0.05, 1, true), 0.3);
}

static void windows_come_before_samples(void **state) {
  (void)state;
  const struct prof_parts parts = {.samples = 0.025, .windows = 0.01, .always = 0.015};
  struct prof_parts whole = prof_parts_beside(&parts, 1), half = prof_parts_beside(&parts, 0.5);
  NEAR(whole.samples, 0.025);
  NEAR(whole.windows, 0.01);
  NEAR(whole.always, 0.015);
  NEAR(half.windows, 0.01); /* four tenths of what is left */
  NEAR(half.samples, 0.009375);
  NEAR(half.always, 0.005625);
  NEAR(prof_parts_beside(&parts, 0.3).windows, 0.006);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(parts_sum_to_the_budget),
      cmocka_unit_test(samples_take_half_of_a_small_budget),
      cmocka_unit_test(credit_grows_with_time_to_a_limit),
      cmocka_unit_test(the_recorders_own_time_has_a_limit),
      cmocka_unit_test(the_densest_go_first),
      cmocka_unit_test(what_costs_more_than_the_time_leaves_a_little),
      cmocka_unit_test(quiet_functions_come_back_after_a_second),
      cmocka_unit_test(windows_are_sparse_and_within_their_part),
      cmocka_unit_test(many_switches_put_samples_into_stretches),
      cmocka_unit_test(records_of_switches_go_into_stretches_too),
      cmocka_unit_test(switches_are_paid_first),
      cmocka_unit_test(windows_come_before_samples),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
