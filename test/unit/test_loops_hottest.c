/*
 * test/unit/test_loops_hottest.c - no loop is called the hottest while one whose time isn't known may have more.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analysis/loops.h"

static const struct prof_loop_row *hottest_of(double share, double other, bool in_bursts) {
  static struct prof_loop_row rows[3];
  rows[0] = (struct prof_loop_row){.estimated = in_bursts, .has_entries = true, .entries = 5};
  rows[1] = (struct prof_loop_row){
      .has_times = true, .has_self = true, .self_share = share, .self_ns = (uint64_t)(share * 1000)};
  rows[2] = (struct prof_loop_row){
      .has_times = true, .has_self = true, .self_share = other, .self_ns = (uint64_t)(other * 1000)};
  const struct prof_loop_row *row = prof_loops_hottest(&(struct prof_loop_rows){.rows = rows, .count = 3});
  assert_true(!row || row == &rows[share >= other ? 1 : 2]);
  return row;
}

static void all_known(void **state) {
  (void)state;
  assert_non_null(hottest_of(0.01, 0.02, false));
  assert_non_null(hottest_of(0.02, 0.01, false));
}

static void some_in_bursts(void **state) {
  (void)state;
  assert_null(hottest_of(0.3, 0.1, true));
  assert_non_null(hottest_of(0.6, 0.1, true));
  assert_non_null(hottest_of(0.4, 0.3, true)); /* at most 0.3 is left */
}

/* Its own time is estimated: it may be the hottest. */
static void timed_in_bursts(void **state) {
  (void)state;
  struct prof_loop_row rows[] = {{.has_times = true, .has_self = true, .self_share = 0.1, .self_ns = 100},
                                 {.estimated = true, .has_self = true, .self_share = 0.2, .self_ns = 200},
                                 {.estimated = true, .has_self = true}};
  assert_ptr_equal(prof_loops_hottest(&(struct prof_loop_rows){.rows = rows, .count = 3}), &rows[1]);
  assert_null(prof_loops_hottest(&(struct prof_loop_rows){.rows = rows + 2, .count = 1})); /* no sample met it */
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(all_known), cmocka_unit_test(some_in_bursts),
                                     cmocka_unit_test(timed_in_bursts)};
  return cmocka_run_group_tests_name("loops_hottest", tests, NULL, NULL);
}
