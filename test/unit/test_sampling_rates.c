/*
 * test/unit/test_sampling_rates.c - a budget that changes while a program runs changes how often it is sampled.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "record/sampling/rates.h"

enum { LOOK_CPU_NS = 100000000, SWITCHES = 10000, PERIOD_NS = 100000 };

/* As prof_rates_start leaves it, where it got no thread. */
static void begin(struct prof_rates *rates, struct prof_perf *perf, double budget) {
  *rates = (struct prof_rates){.perf = perf, .is_open = true, .share = 1, .budget = budget};
  rates->parts = prof_parts_of(budget, 1000, 25000);
  perf->layout.extra_ns = PERIOD_NS;
  assert_int_equal(pthread_mutex_init(&rates->beat.lock, NULL), 0);
}

/* The part of the budget that is left, and the share of stretches, after one look more. */
static double look(struct prof_rates *rates, unsigned times, double *left) {
  prof_rates_look(rates, (uint64_t)times * SWITCHES, (uint64_t)times * LOOK_CPU_NS);
  *left = prof_rates_left(rates);
  return rates->share;
}

static void a_smaller_budget_is_followed(void **state) {
  (void)state;
  struct prof_rates changed, fresh;
  struct prof_perf perf = {0};
  double left, left_fresh;
  begin(&changed, &perf, 0.05);
  begin(&fresh, &perf, 0.01);
  double before = look(&changed, 1, &left);
  const struct prof_parts parts = prof_parts_of(0.01, 1000, 25000);
  prof_rates_set_budget(&changed, 0.01, &parts);
  double after = look(&changed, 2, &left), wanted = look(&fresh, 1, &left_fresh);
  assert_true(after < before);
  assert_true(after > 0.9 * wanted && after < 1.1 * wanted);
  assert_true(left > 0.9 * left_fresh && left < 1.1 * left_fresh);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_smaller_budget_is_followed)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
