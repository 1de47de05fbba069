/*
 * test/unit/test_toml.c - the part of TOML that is read, and what is refused with its line.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/toml.h"

static struct prof_toml toml;

static prof_status parse(const char *text) {
  struct prof_diag diag;
  return prof_toml_parse(text, strlen(text), "test", &diag, &toml);
}

static const struct prof_toml_entry *entry(size_t i) {
  assert_true(i < toml.entries.count);
  return &toml.entries.items[i];
}

static void tables_and_values(void **state) {
  (void)state;
  assert_int_equal(parse("# top\r\n"
                         "first = 'it''s'\n"),
                   PROF_CORRUPT);
  assert_int_equal(parse("# top\r\n"
                         "first = 'a\\b'   # literal\r\n"
                         "[report]\n"
                         "rows = 1_000\n"
                         "\"time filter\" = \"10us \\\"\\u00e9\\\\\\n\"\n"
                         "raw=true\n"
                         "[ preset . ci.record ]\n"
                         "share = -0.5e1\n"
                         "names = [ \"a\", # one\n 'b',\n ]\n"
                         "[[rule]]\nlimit = 1\n[[rule]]\nlimit = 2\n[report.more]\nrows = false"),
                   PROF_OK);
  assert_int_equal(toml.entries.count, 9);
  assert_string_equal(entry(0)->table, "");
  assert_string_equal(entry(0)->value.text, "a\\b");
  assert_string_equal(entry(1)->table, "report");
  assert_int_equal(entry(1)->value.kind, PROF_TOML_NUMBER);
  assert_string_equal(entry(1)->value.text, "1000");
  assert_true(entry(1)->value.number == 1000);
  assert_int_equal(entry(1)->line, 4);
  assert_string_equal(entry(2)->key, "time filter");
  assert_string_equal(entry(2)->value.text, "10us \"\xc3\xa9\\\n");
  assert_true(entry(3)->value.kind == PROF_TOML_BOOL && entry(3)->value.truth);
  assert_string_equal(entry(4)->table, "preset.ci.record");
  assert_true(entry(4)->value.number == -5);
  assert_int_equal(entry(5)->value.count, 2);
  assert_string_equal(toml.parts.items[entry(5)->value.first + 1].text, "b");
  assert_true(entry(6)->table_number == 1 && entry(7)->table_number == 2 && entry(7)->value.number == 2);
  assert_string_equal(entry(8)->table, "report.more");
  assert_true(entry(8)->value.kind == PROF_TOML_BOOL && !entry(8)->value.truth);
  prof_toml_free(&toml);
}

static void nothing(void **state) {
  (void)state;
  assert_int_equal(parse(""), PROF_OK);
  assert_int_equal(parse("\n # only a remark"), PROF_OK);
  assert_int_equal(toml.entries.count, 0);
  prof_toml_free(&toml);
}

static void faults_have_their_line(void **state) {
  (void)state;
  static const char *const texts[] = {
      "a = 1\nb\n",           "a = 1\nb = \n",          "a = 1\nb = c\n",        "a = 1\na = 2\n",
      "a = 1\n[b\n",          "a = 1\n[[b]\n",          "a = 1\nb = \"c\n",      "a = 1\nb = 'c",
      "a = 1\nb = \"\\x\"\n", "a = 1\nb = \"\\ud800\"", "a = 1\nb = 1 2\n",      "a = 1\nb.c = 2\n",
      "a = 1\nb = {}\n",      "a = 1\nb = [[1]]\n",     "a = 1\nb = [1 2]\n",    "a = 1\nb = [1",
      "a = 1\nb = \"\"\"\n",  "a = 1\nb = 2020-01-01",  "a = 1\nb = 0x10\n",     "a = 1\n= 2\n",
      "a = 1\n[]\n",          "a = 1\n\xff = 1\n",      "a = 1\nb = \"\x01\"\n", "a = 1\nb = nan\n",
  };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    struct prof_diag diag;
    if (prof_toml_parse(texts[i], strlen(texts[i]), "test", &diag, &toml) != PROF_CORRUPT)
      fail_msg("%s", texts[i]);
    if (strncmp(diag.what, "line 2: ", 8) != 0)
      fail_msg("%s: %s", texts[i], diag.what);
    assert_null(toml.entries.items);
  }
  struct prof_diag diag;
  assert_int_equal(prof_toml_parse("a\0b", 3, "test", &diag, &toml), PROF_CORRUPT);
  assert_int_equal(prof_toml_read("/nowhere/prof.toml", &diag, &toml), PROF_NOT_FOUND);
}

/* Cut anywhere, it is read or refused; nothing is read beyond its end. */
static void cut_anywhere(void **state) {
  (void)state;
  static const char text[] = "[a.\"b c\"]\nkey = [1, \"t\\u00e9\", true]\n[[r]]\nx = 'y' # z\n";
  for (size_t bytes = 0; bytes < sizeof text; bytes++) {
    struct prof_diag diag;
    char *copy = malloc(bytes + 1);
    memcpy(copy, text, bytes);
    if (prof_toml_parse(copy, bytes, "test", &diag, &toml) == PROF_OK)
      prof_toml_free(&toml);
    free(copy);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tables_and_values),
      cmocka_unit_test(nothing),
      cmocka_unit_test(faults_have_their_line),
      cmocka_unit_test(cut_anywhere),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
