/* test_plugin_arguments.c - cases of plugin-common/arguments.c, select.c and listing.c. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "arguments.h"
#include "listing.h"
#include "select.h"

static bool set(struct prof_arguments *arguments, const char *key, const char *value) {
  struct prof_text fault = {0};
  bool good = prof_arguments_set(arguments, key, value, &fault);
  assert_true(good == (fault.length == 0));
  prof_text_fini(&fault);
  return good;
}

static void good_values_are_taken(void **state) {
  struct prof_arguments arguments = {0};
  (void)state;
  assert_true(set(&arguments, "include", "a,b"));
  assert_true(set(&arguments, "include", "c"));
  assert_int_equal(arguments.include.count, 3);
  assert_true(set(&arguments, "min-statements", "4294967295"));
  assert_true(arguments.min_statements == 4294967295u);
  assert_true(set(&arguments, "probe", "annotated"));
  assert_int_equal(arguments.mode, PROF_PROBE_ANNOTATED);
  assert_true(set(&arguments, "probe", "all"));
  assert_int_equal(arguments.mode, PROF_PROBE_ALL);
  assert_int_equal(arguments.loops, PROF_LOOPS_OUTER);
  assert_true(set(&arguments, "loop-counts", "all"));
  assert_int_equal(arguments.loop_counts, PROF_LOOP_COUNTS_ALL);
  assert_true(set(&arguments, "loop-counts", "cheap"));
  assert_int_equal(arguments.loop_counts, PROF_LOOP_COUNTS_CHEAP);
  assert_false(set(&arguments, "loop-counts", "none"));
  assert_true(set(&arguments, "loops", "all"));
  assert_int_equal(arguments.loops, PROF_LOOPS_ALL);
  assert_true(set(&arguments, "loops", "none"));
  assert_int_equal(arguments.loops, PROF_LOOPS_NONE);
  assert_true(set(&arguments, "loops", "outer"));
  assert_int_equal(arguments.loops, PROF_LOOPS_OUTER);
  assert_true(set(&arguments, "loop-min-statements", "7"));
  assert_int_equal(arguments.loop_min_statements, 7);
  assert_true(set(&arguments, "lines", "count"));
  assert_false(set(&arguments, "lines", "time")); /* instead of the last one only, without a word */
  assert_int_equal(arguments.lines, PROF_LINES_COUNT);
  assert_true(set(&arguments, "lines", "none"));
  assert_true(set(&arguments, "lines", "time"));
  assert_int_equal(arguments.lines, PROF_LINES_TIME);
  assert_true(set(&arguments, "list", "x"));
  assert_true(set(&arguments, "list", "y"));
  assert_string_equal(arguments.list_path, "y");
  assert_true(set(&arguments, "help", NULL));
  assert_true(arguments.help);
  prof_arguments_fini(&arguments);
}

static void bad_values_are_named(void **state) {
  static const char *const rows[][2] = {
      {"min-statements", ""},
      {"min-statements", " 1"},
      {"min-statements", "+1"},
      {"min-statements", "4294967296"},
      {"min-statements", "1x"},
      {"probe", ""},
      {"probe", "ALL"},
      {"loops", ""},
      {"loops", "inner"},
      {"loops", NULL},
      {"loop-min-statements", "-1"},
      {"include", "a,"},
      {"exclude", "["},
      {"list", ""},
      {"help", ""},
      {"include", NULL},
      {"includes", "x"},
      {"", ""},
  };
  struct prof_arguments arguments = {0};
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (set(&arguments, rows[i][0], rows[i][1]))
      fail_msg("%s=%s was taken", rows[i][0], rows[i][1] ? rows[i][1] : "(none)");
  prof_arguments_fini(&arguments);
}

static void near_words_are_proposed(void **state) {
  static const char *const rows[][2] = {
      {"includ", "did you mean 'include'?"},
      {"exlude-file", "did you mean 'exclude-file'?"},
      {"min_statements", "did you mean 'min-statements'?"},
      {"loop", "did you mean 'loops'?"},
      {"lst", "did you mean 'list'?"},
  };
  struct prof_arguments arguments = {0};
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct prof_text fault = {0};
    assert_false(prof_arguments_set(&arguments, rows[i][0], "x", &fault));
    assert_non_null(strstr(prof_text_string(&fault), rows[i][1]));
    prof_text_fini(&fault);
  }
  struct prof_text fault = {0};
  assert_false(prof_arguments_set(&arguments, "a-word-that-is-far-longer-than-any-key-there-is", "x", &fault));
  assert_null(strstr(prof_text_string(&fault), "did you mean"));
  prof_text_fini(&fault);
}

static void reasons_come_in_order(void **state) {
  struct prof_arguments arguments = {0};
  struct prof_candidate function = {.assembler_name = "_ZN2ns1fEi", .names = {"f", NULL, "ns::f"}, .file = "d/a.cc"};
  (void)state;
  assert_int_equal(prof_select(&arguments, &function), PROF_REASON_PROBED);
  function.statements = 4;
  arguments.min_statements = 5;
  assert_int_equal(prof_select(&arguments, &function), PROF_REASON_FEW_STATEMENTS);
  assert_true(set(&arguments, "include-file", "*.c"));
  assert_int_equal(prof_select(&arguments, &function), PROF_REASON_FILE_NOT_INCLUDED);
  assert_true(set(&arguments, "include", "ns::g"));
  assert_int_equal(prof_select(&arguments, &function), PROF_REASON_NOT_INCLUDED);
  arguments.mode = PROF_PROBE_ANNOTATED;
  assert_int_equal(prof_select(&arguments, &function), PROF_REASON_NOT_ANNOTATED);
  function.annotated = true;
  assert_int_equal(prof_select(&arguments, &function), PROF_REASON_PROBED);
  assert_true(set(&arguments, "exclude-file", "a.cc"));
  assert_int_equal(prof_select(&arguments, &function), PROF_REASON_FILE_EXCLUDED);
  assert_true(set(&arguments, "exclude", "ns::*"));
  assert_int_equal(prof_select(&arguments, &function), PROF_REASON_EXCLUDED);
  function.obstacles = PROF_OBSTACLE_RESOLVER | PROF_OBSTACLE_NO_INSTRUMENT;
  assert_int_equal(prof_select(&arguments, &function), PROF_REASON_RESOLVER);
  function.assembler_name = "__prof_start_v1";
  assert_int_equal(prof_select(&arguments, &function), PROF_REASON_OWN);
  for (int reason = 0; reason < PROF_REASON_COUNT; reason++)
    assert_non_null(prof_reason_text((enum prof_reason)reason));
  prof_arguments_fini(&arguments);
}

static void listings_are_appended(void **state) {
  char path[] = "/tmp/prof-listing-XXXXXX", line[256] = "";
  struct prof_candidate function = {.assembler_name = "f", .file = "a\tb.c", .line = 3};
  struct prof_text text = {0};
  (void)state;
  close(mkstemp(path));
  prof_listing_add(&text, &function, PROF_REASON_NAKED);
  assert_int_equal(prof_listing_append(path, &text), 0);
  assert_int_equal(prof_listing_append(path, &text), 0);
  FILE *file = fopen(path, "r");
  for (int i = 0; i < 2; i++) {
    assert_non_null(fgets(line, sizeof line, file));
    assert_string_equal(line, "f\ta\\x09b.c:3\tskipped\tattribute naked\n");
  }
  assert_null(fgets(line, sizeof line, file));
  fclose(file);
  unlink(path);
  assert_int_equal(prof_listing_append("/no/such/folder/list", &text), ENOENT);
  assert_int_equal(prof_listing_append("/dev/full", &text), ENOSPC);
  prof_text_fini(&text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(good_values_are_taken),   cmocka_unit_test(bad_values_are_named),
      cmocka_unit_test(near_words_are_proposed), cmocka_unit_test(reasons_come_in_order),
      cmocka_unit_test(listings_are_appended),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
