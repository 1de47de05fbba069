/*
 * test_record_warn.c - when the user is warned, and of what.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "record/pump/warn.h"

static void slowdown(void **state) {
  (void)state;
  struct prof_warn_figures figures = {.seconds = 2, .events = 100000000, .event_ns = 10};
  assert_float_equal(prof_warn_slowdown(&figures), 2.0, 0.001);
  figures.stalled_seconds = 0.5;
  assert_float_equal(prof_warn_slowdown(&figures), 4.0, 0.001);
  figures.events = 300000000; /* more than the time that has passed: the estimate is an estimate */
  assert_float_equal(prof_warn_slowdown(&figures), 20.0, 0.001);
  figures = (struct prof_warn_figures){.seconds = 3};
  assert_float_equal(prof_warn_slowdown(&figures), 1.0, 0.001);
  figures = (struct prof_warn_figures){0};
  assert_float_equal(prof_warn_slowdown(&figures), 1.0, 0.001);
}

static void warns_once_of_each(void **state) {
  (void)state;
  struct prof_warn warn = {false, false};
  struct prof_warn_figures figures = {.seconds = 0.9, .events = 80000000, .event_ns = 10, .bytes = 200000000};
  char text[512];
  assert_false(prof_warn_next(&warn, &figures, text, sizeof text)); /* too early */
  figures.seconds = 1.1;
  assert_true(prof_warn_next(&warn, &figures, text, sizeof text));
  assert_non_null(strstr(text, "slow the program about 4 times"));
  assert_non_null(strstr(text, "min-statements"));
  assert_true(prof_warn_next(&warn, &figures, text, sizeof text));
  assert_non_null(strstr(text, "182 MB/s"));
  assert_non_null(strstr(text, "--max-size"));
  assert_false(prof_warn_next(&warn, &figures, text, sizeof text));
}

/* Few events, and a recorder that gets no processor: that isn't the probes' cost. */
static void tells_waiting_from_probes(void **state) {
  (void)state;
  struct prof_warn warn = {false, false};
  const struct prof_warn_figures starved = {.seconds = 2, .events = 2000000, .event_ns = 10, .stalled_seconds = 1.2};
  char text[512];
  assert_true(prof_warn_next(&warn, &starved, text, sizeof text));
  assert_non_null(strstr(text, "waited 60% of its time for the recorder (1 million events/s)"));
  assert_null(strstr(text, "times"));
  assert_non_null(strstr(text, "--overhead=5%"));
  assert_false(prof_warn_next(&warn, &starved, text, sizeof text));
  struct prof_warn_figures bounded = starved; /* it has that budget */
  bounded.has_budget = true;
  warn = (struct prof_warn){0};
  assert_true(prof_warn_next(&warn, &bounded, text, sizeof text));
  assert_null(strstr(text, "--overhead"));
  bounded.of_zones = true; /* which a budget doesn't switch off */
  warn = (struct prof_warn){0};
  assert_true(prof_warn_next(&warn, &bounded, text, sizeof text));
  assert_non_null(strstr(text, "zones that end in another function"));
}

static void stays_silent(void **state) {
  (void)state;
  struct prof_warn warn = {false, false};
  const struct prof_warn_figures calm = {.seconds = 10, .events = 400000000, .event_ns = 10, .bytes = 900000000};
  char text[512];
  assert_false(prof_warn_next(&warn, &calm, text, sizeof text));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(slowdown),
      cmocka_unit_test(warns_once_of_each),
      cmocka_unit_test(tells_waiting_from_probes),
      cmocka_unit_test(stays_silent),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
