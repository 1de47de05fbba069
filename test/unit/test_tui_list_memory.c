/* test_tui_list_memory.c - open branches and the cursor of `prof tui` in rows that were made anew. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(open_rows_are_open_again),
      cmocka_unit_test(a_row_that_has_gone_is_not_found),
      cmocka_unit_test(the_first_row_stays_the_first),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
