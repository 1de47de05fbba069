/* test_csv.c - the CSV writer: quoting, formulas, bytes that are no text. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/csv.h"

static void check(const char *field, const char *expected) {
  char *text;
  size_t bytes;
  FILE *file = open_memstream(&text, &bytes);
  struct prof_csv csv;
  prof_csv_init(&csv, file);
  prof_csv_text(&csv, field);
  fclose(file);
  assert_string_equal(text, expected);
  free(text);
}

static void fields_are_quoted_when_needed(void **state) {
  (void)state;
  check("plain name", "plain name");
  check("", "");
  check("f(int, char)", "\"f(int, char)\"");
  check("operator\"\"_s", "\"operator\"\"\"\"_s\"");
  check("two\nlines", "two\\x0alines");
  check("\x1b[2J", "\\x1b[2J");
}

static void formulas_are_disarmed(void **state) {
  (void)state;
  check("=HYPERLINK(\"x\")", "\"'=HYPERLINK(\"\"x\"\")\"");
  check("-1", "'-1");
  check("@sum", "'@sum");
  check("a=b", "a=b");
}

static void other_bytes_are_replaced(void **state) {
  (void)state;
  check("a\xff"
        "b",
        "a\\xffb");
}

static void records_end(void **state) {
  (void)state;
  char *text;
  size_t bytes;
  FILE *file = open_memstream(&text, &bytes);
  struct prof_csv csv;
  prof_csv_init(&csv, file);
  prof_csv_count(&csv, UINT64_MAX);
  prof_csv_number(&csv, 0.5);
  prof_csv_number(&csv, INFINITY);
  prof_csv_number(&csv, 12345678901.0);
  prof_csv_end(&csv);
  prof_csv_text(&csv, "next");
  prof_csv_end(&csv);
  fclose(file);
  assert_string_equal(text, "18446744073709551615,0.5,,12345678901\nnext\n");
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(fields_are_quoted_when_needed),
      cmocka_unit_test(formulas_are_disarmed),
      cmocka_unit_test(other_bytes_are_replaced),
      cmocka_unit_test(records_end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
