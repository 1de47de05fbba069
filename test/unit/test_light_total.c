/*
 * test/unit/test_light_total.c - what a thread with light slices would have taken: made-up figures of which the answer
 * is known.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "estimate/light_total.h"

static void assert_near(double value, double expected) {
  assert_true(value > expected - 1e-6 && value < expected + 1e-6);
}

/* A program that takes 20 ticks for an event, 1,000 events in slices and 3,000 outside, and samples that tell. */
static void what_both_say_is_it(void **state) {
  (void)state;
  struct prof_thread_part light = {1000 * 25, 0, 20. / 25, 1000}, rest = {3000 * 50, 0, 20. / 50, 3000};
  struct prof_light_total total = prof_light_total_of(&light, &rest);
  assert_near(total.ticks, 4000 * 20);
  assert_near(total.error, 0);
}

static void the_middle_of_too_much_and_too_little(void **state) {
  (void)state;
  struct prof_thread_part light = {1000 * 30, 0, 24. / 30, 1000}, rest = {3000 * 50, 0, 16. / 50, 3000};
  struct prof_light_total total = prof_light_total_of(&light, &rest);
  assert_near(total.ticks, 4000 * 20);
  assert_near(total.error, 0.2);
  /* whichever is which */
  total = prof_light_total_of(&(struct prof_thread_part){1000 * 30, 0, 16. / 30, 1000},
                              &(struct prof_thread_part){3000 * 50, 0, 24. / 50, 3000});
  assert_near(total.ticks, 4000 * 20);
  assert_near(total.error, 0.2);
}

/* Interrupts are in the processor time but in no sample. */
static void what_sampling_took_is_not_the_programs(void **state) {
  (void)state;
  struct prof_thread_part light = {1000 * 30, 1000 * 5, 20. / 25, 1000}, rest = {3000 * 52, 3000 * 2, 20. / 50, 3000};
  struct prof_light_total total = prof_light_total_of(&light, &rest);
  assert_near(total.ticks, 4000 * 20);
  assert_near(total.error, 0);
}

/* In a range of time that is all slices, say. */
static void without_a_rest_slices_alone_tell(void **state) {
  (void)state;
  const struct prof_thread_part light = {1000 * 30, 0, 0.5, 1000};
  const struct prof_thread_part rest[] = {{50000, 0, 0, 1000}, {50000, 0, 0.5, 0}};
  for (size_t i = 0; i < sizeof rest / sizeof *rest; i++) {
    struct prof_light_total total = prof_light_total_of(&light, &rest[i]);
    assert_near(total.ticks, 15 * (1000 + rest[i].events));
    assert_near(total.error, 1);
  }
}

static void nothing_is_known_without_slices(void **state) {
  (void)state;
  const struct prof_thread_part rest = {1000 * 30, 0, 0.5, 1000};
  const struct prof_thread_part light[] = {
      {0, 0, 0.5, 1000}, {1000, 0, 0, 1000}, {1000, 0, 0.5, 0}, {1000, 2000, 0.5, 1000}};
  for (size_t i = 0; i < sizeof light / sizeof *light; i++) {
    assert_true(prof_light_total_of(&light[i], &rest).ticks == 0);
    assert_true(prof_light_total_of(&light[i], &rest).error == 0);
  }
}

static void no_program_took_more_than_the_thread_ran(void **state) {
  (void)state;
  const struct prof_thread_part light = {1000, 100, 0.9, 10}, rest = {100, 0, 0.9, 990};
  assert_near(prof_light_total_of(&light, &rest).ticks, 1000);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_both_say_is_it),
      cmocka_unit_test(the_middle_of_too_much_and_too_little),
      cmocka_unit_test(what_sampling_took_is_not_the_programs),
      cmocka_unit_test(without_a_rest_slices_alone_tell),
      cmocka_unit_test(nothing_is_known_without_slices),
      cmocka_unit_test(no_program_took_more_than_the_thread_ran),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
