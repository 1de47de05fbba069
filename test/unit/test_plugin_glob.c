/* test_plugin_glob.c - cases of plugin-common/glob.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "glob.h"

struct match_row {
  const char *pattern, *string;
  bool matches;
};

static void patterns_match(void **state) {
  static const struct match_row rows[] = {
      {"", "", true},
      {"", "a", false},
      {"a", "", false},
      {"abc", "abc", true},
      {"abc", "abcd", false},
      {"*", "", true},
      {"*", "any/thing", true},
      {"a*", "a", true},
      {"*a", "ba", true},
      {"*a", "ab", false},
      {"a*b*c", "aXbYbZc", true},
      {"a*b*c", "aXbYbZ", false},
      {"*aab", "aaaaaaab", true},
      {"**", "x", true},
      {"?", "", false},
      {"?", "x", true},
      {"a?c", "abc", true},
      {"a?c", "ac", false},
      {"[abc]", "b", true},
      {"[abc]", "d", false},
      {"[a-c]x", "bx", true},
      {"[!a-c]", "b", false},
      {"[!a-c]", "z", true},
      {"[^a-c]", "z", true},
      {"[]x]", "]", true},
      {"[!]x]", "]", false},
      {"[a-]", "-", true},
      {"[\\]]", "]", true},
      {"[\\a-\\c]", "b", true},
      {"[!a]", "", false},
      {"\\*", "*", true},
      {"\\*", "x", false},
      {"\\[a]", "[a]", true},
      {"x\\?", "x?", true},
      {"[\xc3-\xc4]", "\xc3", true},
      {"gr*e",
       "gr\xc3\xb6\xc3\x9f"
       "e",
       true},
  };
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (prof_glob_match(rows[i].pattern, rows[i].string) != rows[i].matches)
      fail_msg("'%s' and '%s': expected %d", rows[i].pattern, rows[i].string, rows[i].matches);
}

/* A pattern of many stars on a string that almost matches must not take forever. */
static void many_stars_end_soon(void **state) {
  char string[4096], pattern[128];
  (void)state;
  for (size_t i = 0; i < sizeof string - 1; i++)
    string[i] = 'a';
  string[sizeof string - 1] = 0;
  for (size_t i = 0; i < sizeof pattern - 2; i++)
    pattern[i] = i % 2 ? 'a' : '*';
  pattern[sizeof pattern - 2] = 'b';
  pattern[sizeof pattern - 1] = 0;
  assert_false(prof_glob_match(pattern, string));
}

static void faults_are_found(void **state) {
  (void)state;
  assert_null(prof_glob_fault("a*[b-c]\\*?"));
  assert_non_null(prof_glob_fault(""));
  assert_non_null(prof_glob_fault("a\\"));
  assert_non_null(prof_glob_fault("[a"));
  assert_non_null(prof_glob_fault("[]"));
  assert_non_null(prof_glob_fault("x[!]"));
  assert_null(prof_glob_fault("\\["));
}

static void lists_split_at_commas(void **state) {
  struct prof_glob_list list = {0};
  (void)state;
  assert_null(prof_glob_list_add(&list, "one,two*"));
  assert_null(prof_glob_list_add(&list, "pair<int\\, int>"));
  assert_int_equal(list.count, 3);
  assert_true(prof_glob_list_match(&list, "one"));
  assert_true(prof_glob_list_match(&list, "twofold"));
  assert_true(prof_glob_list_match(&list, "pair<int, int>"));
  assert_false(prof_glob_list_match(&list, "one,two"));
  assert_non_null(prof_glob_list_add(&list, "three,"));
  assert_int_equal(list.count, 4);
  prof_glob_list_fini(&list);
  assert_int_equal(list.count, 0);
  assert_false(prof_glob_list_match(&list, "one"));
}

static void paths_match_by_their_last_part(void **state) {
  struct prof_glob_list list = {0};
  (void)state;
  assert_null(prof_glob_list_add(&list, "l*.c,src/x?.h"));
  assert_true(prof_glob_list_match_path(&list, "lapi.c"));
  assert_true(prof_glob_list_match_path(&list, "deep/in/lapi.c"));
  assert_true(prof_glob_list_match_path(&list, "src/x1.h"));
  assert_false(prof_glob_list_match_path(&list, "deep/src/x1.h"));
  assert_false(prof_glob_list_match_path(&list, "bib/other.c"));
  assert_false(prof_glob_list_match_path(&list, "x1.h"));
  prof_glob_list_fini(&list);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(patterns_match),
      cmocka_unit_test(many_stars_end_soon),
      cmocka_unit_test(faults_are_found),
      cmocka_unit_test(lists_split_at_commas),
      cmocka_unit_test(paths_match_by_their_last_part),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
