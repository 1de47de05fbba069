/* test_tui_list_memory.c - open branches and the cursor of `prof tui` in rows that were made anew. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tui/keys.h"
#include "tui/list_memory.h"
#include "tui_rows.h"

static const struct made_row before[] = {{"main", 0}, {"parse", 1}, {"read", 2}, {"run", 1}, {"read", 2}, {"idle", 0}};
/* Other rows and another order: `parse` has gone, `start` is new. */
static const struct made_row after[] = {{"idle", 0}, {"start", 0}, {"read", 1}, {"main", 0}, {"run", 1}, {"read", 2}};

static struct prof_tui_list list_of(const struct made_row *rows) {
  struct prof_tui_list list;
  assert_true(prof_tui_list_init(&list, made_rows((struct made){.rows = rows, .count = 6})));
  return list;
}

static void check(const struct prof_tui_list *list, const struct made_row *rows, const char *expected) {
  char text[200] = "";
  for (size_t i = 0; i < list->shown.count; i++)
    snprintf(text + strlen(text), sizeof text - strlen(text), i == list->cursor ? "%s[%s]" : "%s%s", i ? " " : "",
             rows[list->shown.items[i].item].name);
  assert_string_equal(text, expected);
}

static void open_rows_are_open_again(void **state) {
  (void)state;
  struct prof_tui_list list = list_of(before), fresh = list_of(after);
  struct prof_tui_list_memory memory = {0};
  assert_true(prof_tui_list_open(&list, true));
  prof_tui_list_move(&list, 4);
  check(&list, before, "main parse read run [read] idle");
  prof_tui_list_memorise(&memory, &list);
  assert_true(prof_tui_list_recall(&memory, &fresh));
  check(&fresh, after, "idle start main run [read]"); /* not that of `start` */
  check(&list, before, "main parse read run [read] idle");
  prof_tui_list_fini(&list);
  prof_tui_list_fini(&fresh);
}

static void a_row_that_has_gone_is_not_found(void **state) {
  (void)state;
  struct prof_tui_list list = list_of(before), fresh = list_of(after);
  struct prof_tui_list_memory memory = {0};
  assert_true(prof_tui_list_open(&list, false));
  prof_tui_list_move(&list, 1);
  prof_tui_list_memorise(&memory, &list);
  assert_false(prof_tui_list_recall(&memory, &fresh));
  check(&fresh, after, "[idle] start main run");
  assert_false(prof_tui_list_recall(&memory, &fresh)); /* it is empty now */
  prof_tui_list_fini(&list);
  prof_tui_list_fini(&fresh);
}

static void the_first_row_stays_the_first(void **state) {
  (void)state;
  struct prof_tui_list list = list_of(before), fresh = list_of(after);
  struct prof_tui_list_memory memory = {0};
  prof_tui_list_memorise(&memory, &list);
  assert_true(prof_tui_list_recall(&memory, &fresh));
  check(&fresh, after, "[idle] start main");
  prof_tui_list_memorise(&memory, &fresh);
  prof_tui_list_memory_fini(&memory);
  prof_tui_list_fini(&list);
  prof_tui_list_fini(&fresh);
}

static struct { /* a world that changes */
  const struct made_row *rows;
  int commits;
  bool fails;
} world_now;

static prof_status build(void *figures, const struct prof_tui_request *request, struct prof_diag *diag,
                         struct prof_tui_rows *out) {
  (void)figures, (void)request, (void)diag;
  *out = made_rows((struct made){.rows = world_now.rows, .count = 6});
  return PROF_OK;
}

static prof_status prepare(void *figures, enum prof_tui_change change, const char *text, uint32_t number,
                           struct prof_diag *diag) {
  (void)figures, (void)text, (void)number;
  assert_int_equal(change, PROF_TUI_CHANGE_AGAIN);
  return world_now.fails ? prof_diag_fill(diag, PROF_EMPTY, NULL, PROF_NO_OFFSET, "record it", "nothing is there")
                         : PROF_OK;
}

static void commit(void *figures) {
  (void)figures;
  world_now.commits++;
  world_now.rows = after;
}

static void a_refresh_keeps_what_is_open(void **state) {
  (void)state;
  static const struct prof_tui_panel panels[] = {
      {'1', "tree", "prof tree", "where it went", PROF_TUI_ENTER_BRANCH, NULL, NULL, build}};
  const struct prof_tui_world world = {.panels = panels, .panel_count = 1, .prepare = prepare, .commit = commit};
  struct prof_tui app;
  world_now.rows = before;
  assert_int_equal(prof_tui_init(&app, &world, NULL, NULL), PROF_OK);
  prof_tui_key(&app, 'e');
  prof_tui_list_move(&prof_tui_now(&app)->list, 3);
  check(&prof_tui_now(&app)->list, before, "main parse read [run] read idle");
  prof_tui_refresh(&app);
  check(&prof_tui_now(&app)->list, after, "idle start main [run] read");
  prof_tui_key(&app, '?');
  prof_tui_refresh(&app);
  assert_int_equal(world_now.commits, 1); /* a text lies over it */
  prof_tui_key(&app, 'q');
  world_now.fails = true;
  prof_tui_refresh(&app);
  check(&prof_tui_now(&app)->list, after, "idle start main [run] read");
  assert_string_equal(app.message, "nothing is there: record it");
  prof_tui_fini(&app);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(open_rows_are_open_again),
      cmocka_unit_test(a_row_that_has_gone_is_not_found),
      cmocka_unit_test(the_first_row_stays_the_first),
      cmocka_unit_test(a_refresh_keeps_what_is_open),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
