/* test_table.c - one description of rows, three forms. */
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "view/table.h"

static const struct prof_column columns[] = {
    {"calls", "CALLS", PROF_CELL_COUNT},  {"self_ns", "SELF", PROF_CELL_NS}, {"share", "SHARE", PROF_CELL_SHARE},
    {"name", "FUNCTION", PROF_CELL_TEXT}, {"line", NULL, PROF_CELL_COUNT},
};

static struct prof_table *filled(void) {
  struct prof_table *table = prof_table_new(columns, 5);
  prof_table_count(table, 12345);
  prof_table_count(table, 1500);
  prof_table_share(table, 0.75);
  prof_table_text(table, "a_function_of_thirty_characters");
  prof_table_count(table, 7);
  prof_table_count(table, 1);
  prof_table_count(table, 500);
  prof_table_share(table, 0.25);
  prof_table_text(table, "esc\x1b[31m,\"q\"");
  prof_table_count(table, 8);
  assert_false(prof_table_failed(table));
  return table;
}

static void check_table(const struct prof_table_style *style, const char *expected) {
  struct prof_table *table = filled();
  char *text;
  size_t bytes;
  FILE *file = open_memstream(&text, &bytes);
  prof_table_print(table, file, style);
  fclose(file);
  assert_string_equal(text, expected);
  free(text);
  prof_table_free(table);
}

static void table_aligns_and_escapes(void **state) {
  (void)state;
  const struct prof_table_style style = {.utf8 = true};
  check_table(&style, " CALLS     SELF  SHARE  FUNCTION\n"
                      "12,345  1.50 us  75.0%  a_function_of_thirty_characters\n"
                      "     1   500 ns  25.0%  esc\\x1b[31m,\"q\"\n");
}

static void table_fits_the_terminal(void **state) {
  (void)state;
  const struct prof_table_style style = {.utf8 = true, .width = 42};
  check_table(&style, " CALLS     SELF  SHARE  FUNCTION\n"
                      "12,345  1.50 us  75.0%  a_functio…aracters\n"
                      "     1   500 ns  25.0%  esc\\x1b[31m,\"q\"\n");
}

/* Columns go where even short texts have no room, and that is said. */
static void table_leaves_out_columns(void **state) {
  (void)state;
  const struct prof_table_style style = {.utf8 = true, .width = 26};
  check_table(&style, " CALLS     SELF  FUNCTION\n"
                      "12,345  1.50 us  a_fu…ters\n"
                      "     1   500 ns  esc\\…,\"q\"\n"
                      "... and 1 more column: --width=0 shows all\n");
}

static const struct prof_column spare_columns[] = {
    {NULL, "A", PROF_CELL_COUNT},
    {NULL, "B", PROF_CELL_COUNT, .spare = 1},
    {NULL, "C", PROF_CELL_COUNT, .spare = 2},
    {NULL, "PATH", PROF_CELL_TEXT, PROF_CUT_LEFT},
};

/* Those to spare go first, without a word. */
static void table_drops_spare_columns(void **state) {
  (void)state;
  static const char *const expected[] = {"A  B  C  PATH\n1  2  3  /a/quite/long/path/x.c:12\n",
                                         "A  B  PATH\n1  2  …/long/path/x.c:12\n", "A  PATH\n1  …/path/x.c:12\n"};
  static const size_t widths[] = {0, 26, 17};
  for (size_t i = 0; i < 3; i++) {
    struct prof_table *table = prof_table_new(spare_columns, 4);
    for (uint64_t number = 1; number <= 3; number++)
      prof_table_count(table, number);
    prof_table_text(table, "/a/quite/long/path/x.c:12");
    char *text;
    size_t bytes;
    FILE *file = open_memstream(&text, &bytes);
    prof_table_print(table, file, &(struct prof_table_style){.utf8 = true, .width = widths[i]});
    fclose(file);
    assert_string_equal(text, expected[i]);
    free(text);
    prof_table_free(table);
  }
}

static void json_has_the_keys(void **state) {
  (void)state;
  struct prof_table *table = filled();
  struct prof_json json;
  char *text;
  size_t bytes;
  FILE *file = open_memstream(&text, &bytes);
  prof_json_init(&json, file, 0);
  prof_table_json(table, &json, NULL);
  fclose(file);
  assert_string_equal(text,
                      "[{\"calls\":12345,\"self_ns\":1500,\"share\":0.75,\"name\":\"a_function_of_thirty_characters\","
                      "\"line\":7},{\"calls\":1,\"self_ns\":500,\"share\":0.25,\"name\":\"esc\\u001b[31m,\\\"q\\\"\","
                      "\"line\":8}]\n");
  free(text);
  prof_table_free(table);
}

static void csv_has_a_header(void **state) {
  (void)state;
  struct prof_table *table = filled();
  char *text;
  size_t bytes;
  FILE *file = open_memstream(&text, &bytes);
  prof_table_csv(table, file);
  fclose(file);
  assert_string_equal(text, "calls,self_ns,share,name,line\n"
                            "12345,1500,0.75,a_function_of_thirty_characters,7\n"
                            "1,500,0.25,\"esc\\x1b[31m,\"\"q\"\"\",8\n");
  free(text);
  prof_table_free(table);
}

/* What is below the clock's step says so to people; data has the figure. */
static void figures_below_a_bound(void **state) {
  (void)state;
  static const struct prof_column only[] = {{"min_ns", "MIN", PROF_CELL_NS}};
  struct prof_table *table = prof_table_new(only, 1);
  prof_table_below(table, 3, 10);
  prof_table_count(table, 10);
  char *text;
  size_t bytes;
  FILE *file = open_memstream(&text, &bytes);
  prof_table_print(table, file, &(struct prof_table_style){.width = 80});
  prof_table_csv(table, file);
  const struct prof_table_lead leads[] = {{"command", "sh"}, {"pid", "7"}};
  prof_table_csv_after(table, file, leads, 2, false);
  fclose(file);
  assert_string_equal(text, "   MIN\n<10 ns\n 10 ns\nmin_ns\n3\n10\nsh,7,3\nsh,7,10\n");
  free(text);
  prof_table_free(table);
}

int main(void) {
  setlocale(LC_CTYPE, "C.UTF-8");
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(table_aligns_and_escapes), cmocka_unit_test(table_fits_the_terminal),
      cmocka_unit_test(table_leaves_out_columns), cmocka_unit_test(table_drops_spare_columns),
      cmocka_unit_test(json_has_the_keys),        cmocka_unit_test(csv_has_a_header),
      cmocka_unit_test(figures_below_a_bound),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
