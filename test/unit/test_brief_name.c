/*
 * test/unit/test_brief_name.c - names that fit: short ones, cut ones with their number, no half characters.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "export/brief_name.h"

static const char *brief(const char *name, size_t most, uint32_t number, bool apart) {
  static char out[200];
  char copy[400];
  snprintf(copy, sizeof copy, "%s", name);
  memset(out, '#', sizeof out);
  prof_brief_name(out, most, copy, number, apart);
  assert_true(strlen(out) <= most);
  return out;
}

static void test_short_and_cut(void **state) {
  (void)state;
  assert_string_equal(brief("main", 24, 7, false), "main");
  assert_string_equal(
      brief("void ns::f<std::allocator<int> >(std::vector<int, std::allocator<int> > const&)", 40, 7, false),
      "ns::f<allocator<int>>");
  assert_string_equal(brief("a_name_of_thirty_characters___", 24, 123, false), "a_name_of_thirty_cha~123");
  assert_string_equal(brief("main", 24, 7, true), "main~7");
  assert_string_equal(brief("a_name_of_thirty_characters___", 24, UINT32_MAX, true), "a_name_of_thi~4294967295");
}

static void test_foreign(void **state) {
  (void)state;
  assert_string_equal(brief("quote\"back\\slash\nend", 24, 1, false), "quote_back_slash_end");
  assert_string_equal(brief("no\xff\xfe", 24, 1, false), "no__");
  /* Characters of three bytes: a cut never leaves a part of one. */
  const char *cut = brief("日本日本日本日本日本日本", 24, 5, false);
  for (const char *at = cut; *at;) {
    size_t bytes = prof_text_character(at, strlen(at));
    assert_true(bytes > 0);
    at += bytes;
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_short_and_cut), cmocka_unit_test(test_foreign)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
