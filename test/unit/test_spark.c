/*
 * test_spark.c - numbers as a line: levels, blanks, the bytes of each; values of a counter in equal parts of the time.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/counter_tracks.h"
#include "view/spark.h"

static const char *drawn(const double *numbers, size_t count, double least, double most, bool utf8) {
  static char out[64 * PROF_SPARK_BYTES + 1];
  prof_spark(numbers, count, least, most, utf8, out);
  return out;
}

static void levels_lie_between_least_and_most(void **state) {
  (void)state;
  const double eight[] = {0, 1, 2, 3, 4, 5, 6, 7, 8}, beyond[] = {-9, 99, NAN, INFINITY, -INFINITY};
  assert_string_equal(drawn(eight, 9, 0, 8, false), "_.:-=+*##");
  assert_string_equal(drawn(eight, 2, 0, 1, true), "\xe2\x96\x81\xe2\x96\x88");
  assert_string_equal(drawn(beyond, 5, 0, 1, false), "_# #_");
  assert_string_equal(drawn(eight, 3, 5, 5, false), "___");
  assert_string_equal(drawn(eight, 3, -1e308, 1e308, false), "===");
  assert_string_equal(drawn(eight, 0, 0, 1, true), "");
}

/* ---- parts ---- */

static void add(struct prof_track *track, uint64_t time_ns, double value) {
  const struct prof_track_item item = {.begin_ns = time_ns, .end_ns = time_ns, .value = value, .count = 1};
  assert_true(prof_vec_push(&track->items, item));
}

static void a_value_holds_until_the_next_one(void **state) {
  (void)state;
  struct prof_track track = {.kind = PROF_TRACK_COUNTER};
  const struct prof_counter_track row = {.track = &track};
  const struct prof_counter_tracks all = {.begin_ns = 100, .end_ns = 200};
  double parts[10], one;
  add(&track, 115, 3);
  add(&track, 131, 9);
  add(&track, 139, 1); /* the greatest of a part is shown */
  add(&track, 150, NAN);
  add(&track, 172, -4);
  add(&track, 250, 7); /* beyond the time: in its last part */
  prof_counter_track_parts(&all, &row, 10, parts);
  assert_true(isnan(parts[0]));
  const double expected[] = {3, 3, 9, 1, 1, 1, 1, -4, 7};
  for (size_t i = 0; i < 9; i++)
    assert_true(parts[i + 1] == expected[i]);
  prof_counter_track_parts(&all, &row, 1, &one);
  assert_true(one == 9);
  prof_vec_fini(&track.items);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(levels_lie_between_least_and_most),
      cmocka_unit_test(a_value_holds_until_the_next_one),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
