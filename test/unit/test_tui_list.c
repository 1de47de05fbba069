/* test_tui_list.c - visible rows, the cursor, branches and search of `prof tui`, without a terminal. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tui/texts.h"
#include "tui_rows.h"

/* main { parse { next { read } }, run { step { Parse } } }, idle */
static const struct made_row tree[] = {{"main", 0}, {"parse", 1}, {"next", 2},  {"read", 3},
                                       {"run", 1},  {"step", 2},  {"Parse", 3}, {"idle", 0}};

static struct prof_tui_list list_of(struct made made) {
  struct prof_tui_list list;
  assert_true(prof_tui_list_init(&list, made_rows(made)));
  return list;
}

static struct prof_tui_list list_of_tree(void) {
  return list_of((struct made){.rows = tree, .count = 8});
}

/* The visible names, with the cursor's row in brackets. */
static void check(const struct prof_tui_list *list, const char *expected) {
  char text[400] = "";
  for (size_t i = 0; i < list->shown.count; i++) {
    const char *name = tree[list->shown.items[i].item].name;
    size_t used = strlen(text);
    snprintf(text + used, sizeof text - used, i == list->cursor ? "%s[%s]" : "%s%s", i ? " " : "", name);
    assert_int_equal(list->shown.items[i].depth, tree[list->shown.items[i].item].depth);
  }
  assert_string_equal(text, expected);
}

static void branches_open_and_close(void **state) {
  (void)state;
  struct prof_tui_list list = list_of_tree();
  check(&list, "[main] idle");
  assert_true(prof_tui_list_can_open(&list));
  assert_true(prof_tui_list_open(&list, false));
  check(&list, "[main] parse run idle");
  prof_tui_list_move(&list, 2);
  assert_true(prof_tui_list_open(&list, true));
  check(&list, "main parse [run] step Parse idle");
  prof_tui_list_end(&list);
  assert_false(prof_tui_list_can_open(&list));
  assert_true(prof_tui_list_open(&list, true)); /* not its siblings */
  check(&list, "main parse run step Parse [idle]");
  prof_tui_list_home(&list);
  assert_true(prof_tui_list_close(&list, false));
  check(&list, "[main] idle");
  assert_true(prof_tui_list_open(&list, false)); /* what was open beneath it still is */
  check(&list, "[main] parse run step Parse idle");
  assert_true(prof_tui_list_close(&list, true));
  assert_true(prof_tui_list_open(&list, false));
  check(&list, "[main] parse run idle");
  prof_tui_list_fini(&list);
}

static void cursor_keeps_its_row(void **state) {
  (void)state;
  struct prof_tui_list list = list_of_tree();
  assert_true(prof_tui_list_open(&list, true));
  check(&list, "[main] parse next read run step Parse idle");
  prof_tui_list_move(&list, 6);
  assert_true(prof_tui_list_parent(&list));
  check(&list, "main parse next read run [step] Parse idle");
  assert_true(prof_tui_list_parent(&list));
  assert_true(prof_tui_list_parent(&list));
  assert_false(prof_tui_list_parent(&list));
  check(&list, "[main] parse next read run step Parse idle");
  assert_true(prof_tui_list_close(&list, true));
  assert_true(prof_tui_list_reveal(&list, 5));
  check(&list, "main parse run [step] idle");
  assert_int_equal(prof_tui_list_function(&list, 3), 3); /* also in a closed branch */
  assert_int_equal(prof_tui_list_function(&list, 9), PROF_TUI_NONE);
  assert_int_equal(prof_tui_list_function(&list, PROF_TUI_NONE), PROF_TUI_NONE);
  assert_int_equal(prof_tui_list_place(&list).function, 5);
  prof_tui_list_fini(&list);
}

static void moves_end_at_the_edges(void **state) {
  (void)state;
  struct prof_tui_list list = list_of((struct made){.count = 50000, .flat = true});
  prof_tui_list_move(&list, -1);
  assert_int_equal(list.cursor, 0);
  prof_tui_list_move(&list, INT64_MAX);
  assert_int_equal(list.cursor, 49999);
  prof_tui_list_scroll(&list, 20);
  assert_int_equal(list.top, 49980);
  prof_tui_list_move(&list, -19);
  prof_tui_list_scroll(&list, 20);
  assert_int_equal(list.top, 49980);
  prof_tui_list_move(&list, -1);
  prof_tui_list_scroll(&list, 20);
  assert_int_equal(list.top, 49979);
  prof_tui_list_scroll(&list, 40); /* a taller screen stays full */
  assert_int_equal(list.top, 49960);
  prof_tui_list_move(&list, INT64_MIN + 1);
  assert_int_equal(list.cursor, 0);
  prof_tui_list_scroll(&list, 0);
  assert_int_equal(list.top, 0);
  prof_tui_list_fini(&list);
}

static void empty_lists_have_no_row(void **state) {
  (void)state;
  struct prof_tui_list list = list_of((struct made){.flat = true});
  assert_null(prof_tui_list_row(&list));
  prof_tui_list_move(&list, 3);
  prof_tui_list_end(&list);
  prof_tui_list_scroll(&list, 5);
  assert_false(prof_tui_list_can_open(&list));
  assert_true(prof_tui_list_open(&list, true));
  assert_false(prof_tui_list_parent(&list));
  assert_int_equal(prof_tui_list_find(&list, "a", false), PROF_TUI_NOT_FOUND);
  assert_int_equal(prof_tui_list_place(&list).function, PROF_TUI_NONE);
  prof_tui_list_fini(&list);
}

static void search_goes_on_at_the_other_end(void **state) {
  (void)state;
  struct prof_tui_list list = list_of_tree();
  assert_int_equal(prof_tui_list_find(&list, "PARSE", false), PROF_TUI_FOUND);
  check(&list, "main [parse] run idle");
  assert_int_equal(prof_tui_list_find(&list, "parse", false), PROF_TUI_FOUND);
  check(&list, "main parse run step [Parse] idle");
  assert_int_equal(prof_tui_list_find(&list, "parse", false), PROF_TUI_WRAPPED);
  check(&list, "main [parse] run step Parse idle");
  assert_int_equal(prof_tui_list_find(&list, "parse", true), PROF_TUI_WRAPPED);
  check(&list, "main parse run step [Parse] idle");
  assert_int_equal(prof_tui_list_find(&list, "parse", true), PROF_TUI_FOUND);
  assert_int_equal(prof_tui_list_find(&list, "idle", false), PROF_TUI_FOUND);
  assert_int_equal(prof_tui_list_find(&list, "idle", false), PROF_TUI_WRAPPED); /* its own row, at last */
  check(&list, "main parse run step Parse [idle]");
  assert_int_equal(prof_tui_list_find(&list, "no such", false), PROF_TUI_NOT_FOUND);
  assert_int_equal(prof_tui_list_find(&list, "", false), PROF_TUI_NOT_FOUND);
  check(&list, "main parse run step Parse [idle]");
  prof_tui_list_fini(&list);
}

static void any_depth_opens(void **state) {
  (void)state;
  struct prof_tui_list list = list_of((struct made){.count = 65536});
  assert_int_equal(list.shown.count, 1);
  assert_true(prof_tui_list_open(&list, true));
  assert_int_equal(list.shown.count, 65536);
  prof_tui_list_end(&list);
  assert_int_equal(prof_tui_list_row(&list)->depth, 65535);
  prof_tui_list_home(&list);
  assert_true(prof_tui_list_close(&list, true));
  assert_int_equal(prof_tui_list_find(&list, "row65535", false), PROF_TUI_FOUND);
  assert_int_equal(list.cursor, 65535);
  prof_tui_list_fini(&list);
}

static void texts_are_lines(void **state) {
  (void)state;
  struct prof_tui_rows rows;
  struct prof_tui_list list;
  const double weights[] = {0, 0.5, 0};
  char out[100] = "";
  assert_true(prof_tui_texts_make("TITLE\none\n\nthree\n", weights, &rows));
  assert_true(prof_tui_list_init(&list, rows));
  assert_int_equal(list.shown.count, 3);
  assert_string_equal(rows.type->name(rows.rows, 2), "three");
  assert_true(rows.type->weight(rows.rows, 1) == 0.5);
  FILE *file = fmemopen(out, sizeof out, "w");
  const struct prof_tui_look look = {.width = 3};
  assert_true(rows.type->print(rows.rows, list.shown.items, 3, &look, file));
  fclose(file);
  assert_string_equal(out, "TI|\none\n\nth|\n");
  prof_tui_list_fini(&list);
  assert_true(prof_tui_texts_make("", NULL, &rows));
  assert_true(prof_tui_list_init(&list, rows));
  assert_int_equal(list.shown.count, 0);
  prof_tui_list_fini(&list);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(branches_open_and_close),
      cmocka_unit_test(cursor_keeps_its_row),
      cmocka_unit_test(moves_end_at_the_edges),
      cmocka_unit_test(empty_lists_have_no_row),
      cmocka_unit_test(search_goes_on_at_the_other_end),
      cmocka_unit_test(any_depth_opens),
      cmocka_unit_test(texts_are_lines),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
