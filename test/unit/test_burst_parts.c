/* test_burst_parts.c - parts of the calls of an edge: as the caller's calls, until samples contradict. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "estimate/burst/parts.h"

enum { MOST = 16 };

static void near(double value, double expected, double tolerance) {
  assert_true(fabs(value - expected) <= tolerance);
}

static void check_sum(const struct prof_burst_part *parts, size_t count) {
  double sum = 0;
  for (size_t i = 0; i < count; i++)
    sum += parts[i].part;
  near(sum, 1, 1e-12);
}

/* 30 and 10 samples are expected: 26 and 14 are no contradiction. */
static void samples_by_chance(void **state) {
  (void)state;
  struct prof_burst_part parts[] = {{300, 26, 0}, {100, 14, 0}};
  prof_burst_parts(parts, 2);
  near(parts[0].part, 0.75, 1e-12);
  check_sum(parts, 2);
  /* Nor are so few, wherever they lie. */
  struct prof_burst_part few[] = {{1000, 3, 0}, {1000, 0, 0}, {0, 1, 0}};
  prof_burst_parts(few, 3);
  near(few[0].part, 0.5, 1e-12);
  near(few[2].part, 0, 1e-12);
}

/* A caller that makes the call in some nodes only. */
static void samples_contradict(void **state) {
  (void)state;
  struct prof_burst_part parts[] = {{100, 200, 0}, {100, 20, 0}};
  prof_burst_parts(parts, 2);
  near(parts[0].part, 200 / 220.0, 0.01);
  check_sum(parts, 2);
  struct prof_burst_part none[] = {{500, 0, 0}, {500, 300, 0}};
  prof_burst_parts(none, 2);
  assert_true(none[0].part < 0.01);
}

/* A recursion's levels: the calls of each are twice those of the one before. */
static void levels(void **state) {
  (void)state;
  struct prof_burst_part parts[MOST];
  for (int i = 0; i < MOST; i++)
    parts[i] = (struct prof_burst_part){1000, pow(2, i), 0};
  prof_burst_parts(parts, MOST);
  for (int i = 6; i < MOST; i++)
    near(parts[i].part / parts[i - 1].part, 2, 0.1);
  check_sum(parts, MOST);
}

static void calls_not_known(void **state) {
  (void)state;
  struct prof_burst_part parts[] = {{0, 3, 0}, {0, 1, 0}}, nothing[] = {{0, 0, 0}, {0, 0, 0}};
  prof_burst_parts(parts, 2);
  near(parts[0].part, 0.75, 1e-12);
  prof_burst_parts(nothing, 2);
  near(nothing[0].part, 0.5, 1e-12);
}

/* Without samples the calls alone tell; a single node has all. */
static void no_samples(void **state) {
  (void)state;
  struct prof_burst_part parts[] = {{10, 0, 0}, {30, 0, 0}}, one[] = {{7, 5, 0}};
  prof_burst_parts(parts, 2);
  near(parts[1].part, 0.75, 1e-12);
  prof_burst_parts(one, 1);
  near(one[0].part, 1, 1e-12);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(samples_by_chance), cmocka_unit_test(samples_contradict), cmocka_unit_test(levels),
      cmocka_unit_test(calls_not_known),   cmocka_unit_test(no_samples),
  };
  return cmocka_run_group_tests_name("burst_parts", tests, NULL, NULL);
}
