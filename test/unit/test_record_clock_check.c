/*
 * test_record_clock_check.c - which clock is taken on which machine; what two clocks' readings prove.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "record/clock/clock_check.h"
#include "record/clock/ticks.h"

static const struct prof_clock_facts steady = {.invariant = true,
                                               .kernel_known = true,
                                               .kernel_has_tsc = true,
                                               .kernel_clock = "tsc",
                                               .compared = true,
                                               .skew_ns = 40};

static void steady_counter(void **state) {
  (void)state;
  const char *why = "";
  assert_true(prof_clock_choose_tsc(&steady, PROF_CLOCK_AUTO, &why));
  assert_null(why);
  assert_false(prof_clock_choose_tsc(&steady, PROF_CLOCK_OS, &why));
  assert_null(why);
}

/* Nothing is known but the processor's word: it is taken. */
static void silent_kernel(void **state) {
  (void)state;
  const char *why = "";
  struct prof_clock_facts facts = {.invariant = true};
  assert_true(prof_clock_choose_tsc(&facts, PROF_CLOCK_AUTO, &why));
  assert_null(why);
}

static void unsteady_counters(void **state) {
  (void)state;
  struct prof_clock_facts stops = steady, distrusted = steady, skewed = steady;
  stops.invariant = false;
  distrusted.kernel_has_tsc = false;
  skewed.skew_ns = 1500;
  const struct prof_clock_facts *all[] = {&stops, &distrusted, &skewed};
  static const char *const words[] = {"rate", "kernel", "differ"};
  for (int i = 0; i < 3; i++) {
    const char *why = NULL;
    assert_false(prof_clock_choose_tsc(all[i], PROF_CLOCK_AUTO, &why));
    assert_non_null(strstr(why, words[i]));
    assert_true(prof_clock_choose_tsc(all[i], PROF_CLOCK_TSC, &why));
    assert_non_null(why); /* it is taken, and the user told */
    assert_false(prof_clock_choose_tsc(all[i], PROF_CLOCK_OS, &why));
    assert_null(why);
  }
}

static void brackets(void **state) {
  (void)state;
  assert_int_equal(prof_clock_skew_of(100, 150, 200), 0);
  assert_int_equal(prof_clock_skew_of(100, 100, 100), 0);
  assert_int_equal(prof_clock_skew_of(100, 90, 200), 10);
  assert_int_equal(prof_clock_skew_of(100, 230, 200), 30);
}

static void this_machine(void **state) {
  (void)state;
  struct prof_clock_facts facts;
  prof_clock_facts_find(&facts);
  assert_int_equal(facts.invariant, prof_clock_is_invariant());
  assert_null(strpbrk(facts.kernel_clock, " \n"));
  assert_true(facts.kernel_known || !facts.kernel_has_tsc);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(steady_counter), cmocka_unit_test(silent_kernel), cmocka_unit_test(unsteady_counters),
      cmocka_unit_test(brackets),       cmocka_unit_test(this_machine),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
