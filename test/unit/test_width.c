/* test_width.c - columns of a text, and cutting between characters. */
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "view/width.h"

static void check_cut(const char *text, size_t width, const char *expected) {
  char buffer[64];
  strcpy(buffer, text);
  prof_text_cut(buffer, width, true);
  assert_string_equal(buffer, expected);
}

static void width_counts_characters(void **state) {
  (void)state;
  assert_int_equal(prof_text_width(""), 0);
  assert_int_equal(prof_text_width("abc"), 3);
  assert_int_equal(prof_text_width("größe"), 5);
  assert_int_equal(prof_text_width("\\x1b[31m"), 8);
  assert_int_equal(prof_text_width("日本"), 4);
}

static void cut_marks_what_is_missing(void **state) {
  (void)state;
  check_cut("abcdef", 6, "abcdef");
  check_cut("abcdef", 4, "abc…");
  check_cut("größenwahn", 4, "grö…");
  check_cut("abcdef", 1, "…");
  check_cut("abc", 2, "…"); /* it takes the bytes of two more */
  check_cut("abcd", 3, "a…");
  check_cut("ab", 1, "|"); /* there is no room for more */
}

static void cut_without_utf8(void **state) {
  (void)state;
  char buffer[] = "abcdef";
  prof_text_cut(buffer, 3, false);
  assert_string_equal(buffer, "ab|");
}

static void cut_keeps_a_wide_character_whole(void **state) {
  (void)state;
  check_cut("日本語", 3, "日…");
  check_cut("日本語", 4, "日…");
}

static void cut_out_keeps_both_ends(void **state) {
  (void)state;
  char name[] = "std::vector<int>::push_back", wide[] = "日本語の名前です", path[] = "/source/project/src/table.c:12",
       single[] = "/averyveryverylongfilename.c:12";
  prof_text_cut_middle(name, 15, true);
  assert_string_equal(name, "std::ve…sh_back");
  prof_text_cut_middle(wide, 8, true);
  assert_string_equal(wide, "日本…す");
  prof_text_cut_left(path, 20, true);
  assert_string_equal(path, "…/src/table.c:12");
  prof_text_cut_left(single, 10, true);
  assert_string_equal(single, "…name.c:12");
  char few[] = "abcdef"; /* a mark has three bytes: one character more goes */
  prof_text_cut_middle(few, 5, true);
  assert_string_equal(few, "ab…f");
}

static void escaped_copy_grows_as_needed(void **state) {
  (void)state;
  char *escaped = prof_text_escaped("\x1b[2J\xff");
  assert_string_equal(escaped, "\\x1b[2J\\xff");
  free(escaped);
}

int main(void) {
  setlocale(LC_CTYPE, "C.UTF-8");
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(width_counts_characters), cmocka_unit_test(cut_marks_what_is_missing),
      cmocka_unit_test(cut_without_utf8),        cmocka_unit_test(cut_keeps_a_wide_character_whole),
      cmocka_unit_test(cut_out_keeps_both_ends), cmocka_unit_test(escaped_copy_grows_as_needed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
