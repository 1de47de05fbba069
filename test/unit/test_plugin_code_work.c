/* test_plugin_code_work.c - plugin-common/code_work.c: what is known of calls and sums, and the bytes of an object. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "code_work.h"
#include "counts.h"
#include "work.h"

static void functions_are_known_by_name(void **state) {
  (void)state;
  assert_int_equal(prof_work_of_math("__builtin_sqrtf", false), 1);
  assert_int_equal(prof_work_of_math("sqrtl", false), 1);
  assert_int_equal(prof_work_of_math("fma", true), 2);
  assert_true(prof_work_of_math("fma", false) == PROF_WORK_UNKNOWN);
  assert_int_equal(prof_work_of_math("fabs", false), 0);
  assert_int_equal(prof_work_of_math("floorf", false), 0);
  assert_true(prof_work_of_math("sin", true) == PROF_WORK_UNKNOWN);
  assert_true(prof_work_of_math("fmaxsum", true) == PROF_WORK_UNKNOWN);
  assert_true(prof_work_is_memory_function("memcpy"));
  assert_true(prof_work_is_memory_function("strlen"));
  assert_false(prof_work_is_memory_function("printf"));
}

/* Counted in GCC 12's and Clang 19's code. */
static void lanes_are_added_up(void **state) {
  (void)state;
  assert_int_equal(prof_work_sum_of_lanes(8, 256, false), 4 + 4 + 4);
  assert_int_equal(prof_work_sum_of_lanes(4, 128, false), 8);
  assert_int_equal(prof_work_sum_of_lanes(4, 256, false), 2 + 2);
  assert_int_equal(prof_work_sum_of_lanes(8, 256, true), 4 + 4 + 1);
  assert_int_equal(prof_work_sum_of_lanes(2, 128, true), 1);
  assert_int_equal(prof_work_sum_of_lanes(1, 64, true), 0);
}

static void bytes_are_those_of_the_format(void **state) {
  static const uint8_t wanted[] = {8, 7, 6, 5,    4,    3, 2,  1, 0x01, 1, 0x11, 0, 0, 0, 0, 0, 0, 0, /* keys, flags */
                                   0, 2, 0, 0,    0,    0, 0,  0, 0,                                  /* outside */
                                   1, 0, 1, 0xac, 0x02, 0, 16, 0, 0,    3};
  struct prof_work_function function = {.key = 0x0102030405060708, .flags = PROF_WORK_CHANGES};
  struct prof_work outside = {.flops = 2}, inside = {.more_flops = 1, .loaded = 300, .stored = 16, .unknown_bytes = 3};
  struct prof_counts_object head;
  size_t word_count;
  (void)state;
  assert_int_equal(prof_work_piece_add(&function, 0, &outside), 0);
  assert_int_equal(prof_work_piece_add(&function, 0x11, &inside), 1);
  uint64_t *words = prof_work_object(&function, &word_count);
  assert_non_null(words);
  memcpy(&head, words, sizeof head);
  assert_int_equal(head.magic, PROF_WORK_MAGIC);
  assert_int_equal(head.counter_count, 2);
  assert_int_equal(head.flow_bytes, sizeof wanted);
  assert_memory_equal(words + PROF_WORK_FIRST_COUNTER + 2, wanted, sizeof wanted);
  struct prof_text text = {0};
  prof_work_add_object(&text, &function, 7);
  assert_non_null(strstr(prof_text_string(&text), ".Lprof_work7:\n\t.quad 0x314b524f57465250\n"));
  prof_text_fini(&text);
  free(words);
  prof_work_fini(&function);
}

static void bounds_are_kept_apart(void **state) {
  struct prof_work work = {0}, more = {.loaded = 4, .unknown_flops = 1};
  (void)state;
  assert_false(prof_work_is_any(&work));
  prof_work_add_flops(&work, 8, 1, 3);
  prof_work_add(&work, &more);
  assert_int_equal(work.flops, 8);
  assert_int_equal(work.more_flops, 16);
  assert_int_equal(work.loaded, 4);
  assert_int_equal(work.unknown_flops, 1);
  assert_true(prof_work_is_any(&work));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(functions_are_known_by_name),
      cmocka_unit_test(lanes_are_added_up),
      cmocka_unit_test(bytes_are_those_of_the_format),
      cmocka_unit_test(bounds_are_kept_apart),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
