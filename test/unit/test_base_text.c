/*
 * test/unit/test_base_text.c - other people's bytes on a terminal, and in a diagnostic.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/diag.h"
#include "base/text.h"

static void escapes(const char *in, size_t in_bytes, const char *expected) {
  char out[256];
  assert_int_equal(prof_text_escape(out, sizeof out, in, in_bytes), strlen(expected));
  assert_string_equal(out, expected);
}
#define ESCAPES(literal, expected) escapes(literal, sizeof(literal) - 1, expected)

static void what_may_stay(void **state) {
  (void)state;
  ESCAPES("", "");
  ESCAPES("operator<<(std::ostream&, char const*)", "operator<<(std::ostream&, char const*)");
  ESCAPES("gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x99\x82 \\", "gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x99\x82 \\");
}

static void what_may_not(void **state) {
  (void)state;
  ESCAPES("\033[2J\007", "\\x1b[2J\\x07");
  ESCAPES("a\nb\r\tc\0d\177", "a\\x0ab\\x0d\\x09c\\x00d\\x7f");
  ESCAPES("\xc2\x9b"
          "31m",
          "\\xc2\\x9b31m"); /* C1's CSI */
  ESCAPES("\xe2\x80\xae"
          "cod.exe",
          "\\xe2\\x80\\xaecod.exe"); /* right-to-left override */
  ESCAPES("\xe2\x81\xa6", "\\xe2\\x81\\xa6");
}

static void what_is_no_utf8(void **state) {
  (void)state;
  ESCAPES("\x80", "\\x80");
  ESCAPES("\xff\xfe", "\\xff\\xfe");
  ESCAPES("\xc0\x80", "\\xc0\\x80");                   /* overlong NUL */
  ESCAPES("\xe0\x80\x9b", "\\xe0\\x80\\x9b");          /* overlong CSI */
  ESCAPES("\xed\xa0\x80", "\\xed\\xa0\\x80");          /* surrogate */
  ESCAPES("\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"); /* beyond U+10FFFF */
  ESCAPES("x\xe2\x82", "x\\xe2\\x82");                 /* cut */
  ESCAPES("\xe2\x82y", "\\xe2\\x82y");
}

static void cut_at_whole_characters(void **state) {
  (void)state;
  char out[7];
  assert_int_equal(prof_text_escape(out, sizeof out, "abcd\xe2\x82\xac", 7), 4);
  assert_string_equal(out, "abcd");
  assert_int_equal(prof_text_escape(out, sizeof out, "abc\033", 4), 3);
  assert_string_equal(out, "abc");
  assert_int_equal(prof_text_escape(out, 1, "abc", 3), 0);
  assert_string_equal(out, "");
}

static void diagnostics_are_safe_to_print(void **state) {
  (void)state;
  struct prof_diag diag;
  assert_int_equal(prof_diag_fill(&diag, PROF_CORRUPT, "a\nb", 77, NULL, "the name %s is odd", "\033c"), PROF_CORRUPT);
  assert_int_equal(diag.status, PROF_CORRUPT);
  assert_string_equal(diag.what, "the name \\x1bc is odd");
  assert_string_equal(diag.file, "a\\x0ab");
  assert_string_equal(diag.remedy, "");
  assert_int_equal(diag.offset, 77);
  assert_int_equal(prof_diag_fill(NULL, PROF_USAGE, NULL, 0, NULL, "nobody asks"), PROF_USAGE);
  char longer[1000];
  memset(longer, 'x', sizeof longer - 1);
  longer[sizeof longer - 1] = 0;
  (void)prof_diag_fill(&diag, PROF_IO, longer, PROF_NO_OFFSET, longer, "%s", longer);
  assert_int_equal(strlen(diag.what), sizeof diag.what - 1);
  assert_int_equal(strlen(diag.file), sizeof diag.file - 1);
}

static void diagnostics_of_the_system(void **state) {
  (void)state;
  struct prof_diag diag;
  assert_int_equal(prof_diag_system(&diag, ENOENT, "f", "cannot open it", "make it"), PROF_NOT_FOUND);
  assert_string_equal(diag.what, "cannot open it: No such file or directory");
  assert_string_equal(diag.remedy, "make it");
  assert_int_equal(prof_diag_system(&diag, EACCES, "f", "cannot open it", NULL), PROF_IO);
  assert_int_equal(prof_diag_system(&diag, ENOMEM, "f", "cannot open it", NULL), PROF_NO_MEMORY);
  assert_int_equal(prof_diag_memory(&diag), PROF_NO_MEMORY);
  assert_string_equal(diag.what, "out of memory");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_may_stay),
      cmocka_unit_test(what_may_not),
      cmocka_unit_test(what_is_no_utf8),
      cmocka_unit_test(cut_at_whole_characters),
      cmocka_unit_test(diagnostics_are_safe_to_print),
      cmocka_unit_test(diagnostics_of_the_system),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
