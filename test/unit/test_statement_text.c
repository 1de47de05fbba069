/*
 * test_statement_text.c - statements without their values: each kind of literal, lists, what is left open, long ones.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "statement_text.h"

static void expect(const char *statement, const char *wanted) {
  char out[PROF_STATEMENT_BYTES];
  char *copy = strdup(statement); /* so that a sanitizer sees what is read behind its end */
  assert_non_null(copy);
  prof_statement_normalise(copy, out);
  free(copy);
  assert_string_equal(out, wanted);
}

static void values_become_question_marks(void **state) {
  (void)state;
  expect("SELECT * FROM t WHERE id = 5 AND name='it''s'", "SELECT * FROM t WHERE id = ? AND name=?");
  expect("set v=v+1.5e-3, w=x'0f', u=$$a'b$$, q=E'\\'z'", "set v=v+?, w=?, u=?, q=?");
  expect("a = $tag$ $$ 'x' $tag$ AND b = .5", "a = ? AND b = ?");
  expect("x = -1 and y < +2 and z = a - 1", "x = ? and y < ? and z = a - ?");
  expect("limit 10 offset 20", "limit ? offset ?");
}

static void names_and_parameters_stay(void **state) {
  (void)state;
  expect("select \"a 1\", `c2`, [d 3], t1.x2", "select \"a 1\", `c2`, [d 3], t1.x2");
  expect("where id=$1 and n=:name2 and m=@p and k=?12", "where id=$1 and n=:name2 and m=@p and k=?");
  expect("sélect ü1", "sélect ü1");
}

static void lists_and_rows_are_folded(void **state) {
  (void)state;
  expect("x in (1,2,3)", "x in (?, ...)");
  expect("x in (?, ?)", "x in (?, ...)");
  expect("values (1,'a'),(2,'b'),(3,'c') on conflict", "values (?, ...), ... on conflict");
  expect("values (1),(2)", "values (?), ...");
  expect("f(1, x, 2)", "f(?, x, ?)");
}

static void white_space_and_comments_are_one_blank(void **state) {
  (void)state;
  expect("  select a,b\n\tfrom t -- 5\n where /* 6 */ c ;; ", "select a, b from t where c");
  expect("", "");
  expect(" ;", "");
  expect("/* open", "");
  expect("-- open", "");
}

static void what_is_open_lasts_to_the_end(void **state) {
  (void)state;
  expect("a = 'open", "a = ?");
  expect("a = 'open''", "a = ?");
  expect("a = E'\\", "a = ?");
  expect("a = $x$ open", "a = ?");
  expect("\"open", "\"open");
  expect("[open", "[open");
}

static void long_ones_are_cut(void **state) {
  (void)state;
  char out[PROF_STATEMENT_BYTES];
  enum { BYTES = 64 * 1024 };
  char *text = malloc(BYTES + 1);
  assert_non_null(text);
  for (int shift = 0; shift < 4; shift++) {
    for (size_t i = 0; i < BYTES; i++)
      text[i] = i < (size_t)shift ? 'a' : "\xe2\x82\xac"[(i - (size_t)shift) % 3];
    text[BYTES] = 0;
    prof_statement_normalise(text, out);
    const size_t bytes = strlen(out);
    assert_in_range(bytes, PROF_STATEMENT_BYTES - 8, PROF_STATEMENT_BYTES - 1);
    assert_string_equal(out + bytes - 3, "...");
    assert_int_equal((bytes - 3 - (size_t)shift) % 3, 0); /* no half letter */
  }
  free(text);
}

static void any_bytes_are_valid(void **state) {
  (void)state;
  static const char alphabet[] = "'\"$()?,;-/*[]`eExa1. \n\\";
  char out[PROF_STATEMENT_BYTES], text[40];
  uint32_t random = 1;
  for (int turn = 0; turn < 20000; turn++) {
    size_t bytes = 0;
    for (; bytes < sizeof text - 1 && (random = random * 1664525 + 1013904223) >> 27; bytes++)
      text[bytes] = alphabet[(random >> 16) % (sizeof alphabet - 1)];
    text[bytes] = 0;
    prof_statement_normalise(text, out);
    assert_in_range(strlen(out), 0, PROF_STATEMENT_BYTES - 1);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(values_become_question_marks),  cmocka_unit_test(names_and_parameters_stay),
      cmocka_unit_test(lists_and_rows_are_folded),     cmocka_unit_test(white_space_and_comments_are_one_blank),
      cmocka_unit_test(what_is_open_lasts_to_the_end), cmocka_unit_test(long_ones_are_cut),
      cmocka_unit_test(any_bytes_are_valid),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
