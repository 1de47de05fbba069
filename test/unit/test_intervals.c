/*
 * test_intervals.c - overlapping ranges made into segments, against an array that is painted address by address.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "source/intervals.h"

static uint32_t seed = 1;
static uint32_t below(uint32_t limit) {
  seed = seed * 1664525u + 1013904223u;
  return (seed >> 8) % limit;
}

static void nested_ranges_give_way(void **state) {
  (void)state;
  struct prof_intervals intervals = {0};
  assert_true(prof_intervals_add(&intervals, 10, 100, 0, 1));
  assert_true(prof_intervals_add(&intervals, 20, 40, 1, 2));
  assert_true(prof_intervals_add(&intervals, 30, 35, 2, 3));
  assert_true(prof_intervals_add(&intervals, 50, 50, 9, 4)); /* empty */
  assert_true(prof_intervals_add(&intervals, 60, 55, 9, 5)); /* turned round */
  assert_true(prof_intervals_flatten(&intervals));
  static const struct prof_disjoint_range wanted[] = {{10, 20, 1}, {20, 30, 2}, {30, 35, 3}, {35, 40, 2}, {40, 100, 1}};
  assert_int_equal(intervals.segments.count, 5);
  for (size_t i = 0; i < 5; i++) {
    assert_int_equal(intervals.segments.items[i].low, wanted[i].low);
    assert_int_equal(intervals.segments.items[i].high, wanted[i].high);
    assert_int_equal(intervals.segments.items[i].value, wanted[i].value);
  }
  assert_null(prof_intervals_find(&intervals, 9));
  assert_int_equal(prof_intervals_find(&intervals, 39)->value, 2);
  assert_null(prof_intervals_find(&intervals, 100));
  uint64_t high = 90;
  assert_true(prof_intervals_clip(&intervals, 36, &high));
  assert_int_equal(high, 40);
  assert_false(prof_intervals_clip(&intervals, 100, &high));
  prof_intervals_fini(&intervals);
}

static void whole_address_space(void **state) {
  (void)state;
  struct prof_intervals intervals = {0};
  assert_true(prof_intervals_add(&intervals, 0, UINT64_MAX, 0, 7));
  assert_true(prof_intervals_add(&intervals, UINT64_MAX - 1, UINT64_MAX, 1, 8));
  assert_true(prof_intervals_flatten(&intervals));
  assert_int_equal(prof_intervals_find(&intervals, 0)->value, 7);
  assert_int_equal(prof_intervals_find(&intervals, UINT64_MAX - 1)->value, 8);
  assert_null(prof_intervals_find(&intervals, UINT64_MAX));
  prof_intervals_fini(&intervals);
  assert_true(prof_intervals_flatten(&intervals)); /* none at all */
  assert_null(prof_intervals_find(&intervals, 0));
  prof_intervals_fini(&intervals);
}

enum { SPACE = 300, RANGES = 40, NOBODY = UINT32_MAX };

static void any_overlap_as_painted(void **state) {
  (void)state;
  for (int round = 0; round < 500; round++) {
    struct prof_intervals intervals = {0};
    uint32_t holder[SPACE], rank[SPACE];
    for (int i = 0; i < SPACE; i++)
      holder[i] = NOBODY;
    uint32_t count = 1 + below(RANGES);
    for (uint32_t value = 0; value < count; value++) {
      uint32_t low = below(SPACE), high = low + below(SPACE - low), own = below(4);
      assert_true(prof_intervals_add(&intervals, low, high, own, value));
      for (uint32_t at = low; at < high; at++)
        if (holder[at] == NOBODY || own >= rank[at]) {
          holder[at] = value;
          rank[at] = own;
        }
    }
    assert_true(prof_intervals_flatten(&intervals));
    assert_true(intervals.segments.count <= 2 * count);
    for (uint32_t at = 0; at < SPACE; at++) {
      const struct prof_disjoint_range *segment = prof_intervals_find(&intervals, at);
      assert_int_equal(segment == NULL ? NOBODY : segment->value, holder[at]);
    }
    prof_intervals_fini(&intervals);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nested_ranges_give_way),
      cmocka_unit_test(whole_address_space),
      cmocka_unit_test(any_overlap_as_painted),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
