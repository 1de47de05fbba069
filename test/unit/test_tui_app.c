/* test_tui_app.c - keys, panels, prompts, menus and screens of `prof tui`, without a terminal. */
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tui/keys.h"
#include "tui/paint.h"
#include "tui_rows.h"
#include "view/width.h"

static const struct made_row tree[] = {{"main", 0}, {"parse", 1}, {"größe_日本", 2}, {"idle", 0}};

static struct { /* what the world was asked for */
  struct prof_tui_request request;
  enum prof_tui_change change;
  char text[64];
  uint32_t number;
  int commits, builds;
  bool fails, changes_work; /* builders and changes fail; but for changes */
  size_t printed;
  char file[64];
} asked;

static prof_status build_tree(void *figures, const struct prof_tui_request *request, struct prof_diag *diag,
                              struct prof_tui_rows *out) {
  (void)figures;
  asked.request = *request;
  asked.builds++;
  if (asked.fails)
    return prof_diag_fill(diag, PROF_EMPTY, NULL, PROF_NO_OFFSET, "record it", "nothing is there");
  *out = made_rows((struct made){.rows = tree, .count = 4, .printed = &asked.printed});
  return PROF_OK;
}

static prof_status build_many(void *figures, const struct prof_tui_request *request, struct prof_diag *diag,
                              struct prof_tui_rows *out) {
  (void)figures;
  (void)request;
  (void)diag;
  *out = made_rows((struct made){.count = 50000, .flat = true, .printed = &asked.printed});
  return PROF_OK;
}

static prof_status build_source(void *figures, const struct prof_tui_request *request, struct prof_diag *diag,
                                struct prof_tui_rows *out) {
  prof_status status = build_tree(figures, request, diag, out);
  if (status == PROF_OK) {
    out->title = strdup(request->assembly ? "instructions" : "source lines");
    out->note = strdup("it has changed");
  }
  return status;
}

static void header(void *figures, size_t width, bool utf8, char *out, size_t size) {
  (void)figures;
  (void)utf8;
  snprintf(out, size, "%.*s", (int)width,
           "a header that is much too long for a screen of forty columns, but not for eighty");
}

static const char *warning(void *figures) {
  (void)figures;
  return "12 events lost; details: prof info";
}

static char *threads(void *figures) {
  (void)figures;
  return strdup("4711     main, 5 events\n4712     worker, 6 events\n");
}

static prof_status prepare(void *figures, enum prof_tui_change change, const char *text, uint32_t number,
                           struct prof_diag *diag) {
  (void)figures;
  asked.change = change;
  asked.number = number;
  snprintf(asked.text, sizeof asked.text, "%s", text ? text : "");
  return asked.fails && !asked.changes_work
             ? prof_diag_fill(diag, PROF_USAGE, NULL, PROF_NO_OFFSET, "did you mean main?", "no function is like it")
             : PROF_OK;
}

static void commit(void *figures) {
  (void)figures;
  asked.commits++;
}

static const char *const sorts[] = {"self", "total", "calls", NULL};
static const struct prof_tui_panel panels[] = {
    {'1', "functions", "prof report", "what each cost", PROF_TUI_ENTER_SOURCE, sorts, "tree", build_tree},
    {'2', "tree", "prof tree", "where it went", PROF_TUI_ENTER_BRANCH, NULL, "functions", build_tree},
    {'3', "many", "prof report", "a long list", PROF_TUI_ENTER_NOTHING, NULL, NULL, build_many},
    {'6', "threads", "prof report", "threads", PROF_TUI_ENTER_THREAD, NULL, NULL, build_tree},
    {0, "source", "prof annotate", "lines", PROF_TUI_ENTER_NOTHING, NULL, NULL, build_source},
};
static const struct prof_tui_world world = {.panels = panels,
                                            .panel_count = sizeof panels / sizeof *panels,
                                            .header = header,
                                            .warning = warning,
                                            .threads = threads,
                                            .prepare = prepare,
                                            .commit = commit};

static struct prof_tui app;

static int begin(void **state) {
  (void)state;
  memset(&asked, 0, sizeof asked);
  return prof_tui_init(&app, &world, NULL, NULL) != PROF_OK;
}

static int end(void **state) {
  (void)state;
  prof_tui_fini(&app);
  return 0;
}

static void keys(const char *text) {
  for (; *text; text++)
    prof_tui_key(&app, (unsigned char)*text);
}

static const char *panel_now(void) {
  const struct prof_tui_view *view = prof_tui_now(&app);
  return view->panel ? view->panel->name : "a text";
}

static const char *row_now(void) {
  const struct prof_tui_list *list = &prof_tui_now(&app)->list;
  const struct prof_tui_row *row = prof_tui_list_row(list);
  return row ? list->rows.type->name(list->rows.rows, row->item) : "";
}

/* A line of the screen. */
static void check_line(size_t width, size_t height, size_t line, const char *expected) {
  struct prof_tui_screen screen;
  assert_true(prof_tui_paint(&app, width, height, true, &screen));
  assert_string_equal(screen.lines[line].text ? screen.lines[line].text : "", expected);
  prof_tui_screen_free(&screen);
}

static void digits_choose_panels(void **state) {
  (void)state;
  assert_string_equal(panel_now(), "functions");
  keys("2");
  assert_string_equal(panel_now(), "tree");
  keys("\t");
  assert_string_equal(panel_now(), "many");
  keys("\t\t");
  assert_string_equal(panel_now(), "functions"); /* not the panel without a key */
  keys("x");
  assert_string_equal(app.message, "x is no key here; ? shows all");
  keys("j");
  assert_string_equal(app.message, "");
  keys("q");
  assert_true(app.quit);
}

static void views_lie_over_panels(void **state) {
  (void)state;
  keys("j"); /* idle */
  prof_tui_key(&app, PROF_TUI_KEY_ENTER);
  assert_string_equal(panel_now(), "source");
  assert_string_equal(app.message, "it has changed");
  assert_int_equal(asked.request.function, 3);
  assert_false(asked.request.assembly);
  keys("a");
  assert_true(asked.request.assembly);
  asked.fails = true;
  keys("a"); /* can't be built: stays */
  assert_string_equal(app.message, "nothing is there: record it");
  check_line(80, 24, 0, "instructions");
  asked.fails = false;
  keys("a");
  check_line(80, 24, 0, "source lines");
  keys("?");
  assert_string_equal(panel_now(), "a text");
  keys("q");
  assert_string_equal(panel_now(), "source");
  prof_tui_key(&app, PROF_TUI_KEY_ESCAPE);
  assert_string_equal(panel_now(), "functions");
  assert_string_equal(row_now(), "idle");
  prof_tui_key(&app, PROF_TUI_KEY_ESCAPE);
  assert_string_equal(app.message, "q quits");
  assert_false(app.quit);
  for (int i = 0; i < 3 * PROF_TUI_MOST_OVER; i++)
    keys("?");
  assert_int_equal(app.over_count, PROF_TUI_MOST_OVER);
  keys("1");
  assert_int_equal(app.over_count, 0);
}

static void reversing_keeps_the_function(void **state) {
  (void)state;
  keys("jr");
  assert_string_equal(panel_now(), "tree");
  assert_string_equal(row_now(), "idle");
  keys("r");
  assert_string_equal(panel_now(), "functions");
  keys("q");
  assert_string_equal(panel_now(), "tree");
  keys("q");
  assert_string_equal(panel_now(), "functions");
  keys("3r");
  assert_string_equal(app.message, "only functions and call trees can be reversed");
}

static void branches_have_keys(void **state) {
  (void)state;
  keys("2c");
  prof_tui_key(&app, PROF_TUI_KEY_RIGHT);
  keys("j");
  assert_string_equal(row_now(), "parse");
  keys("e");
  assert_int_equal(prof_tui_now(&app)->list.shown.count, 4);
  keys("j");
  prof_tui_key(&app, PROF_TUI_KEY_LEFT); /* a leaf: to the row above */
  assert_string_equal(row_now(), "parse");
  prof_tui_key(&app, PROF_TUI_KEY_LEFT); /* closes it */
  assert_int_equal(prof_tui_now(&app)->list.shown.count, 3);
  prof_tui_key(&app, PROF_TUI_KEY_LEFT);
  assert_string_equal(row_now(), "main");
  prof_tui_key(&app, PROF_TUI_KEY_ENTER); /* closes it */
  assert_int_equal(prof_tui_now(&app)->list.shown.count, 2);
  prof_tui_key(&app, PROF_TUI_KEY_END);
  keys("e");
  assert_string_equal(app.message, "this row has nothing beneath it");
}

static void prompts_edit_characters(void **state) {
  (void)state;
  keys("/gr\xc3\xb6\xc3\xb6");
  assert_string_equal(app.prompt.text, "gröö");
  prof_tui_key(&app, PROF_TUI_KEY_ERASE);
  assert_string_equal(app.prompt.text, "grö");
  check_line(80, 24, 23, "/grö");
  prof_tui_key(&app, PROF_TUI_KEY_ENTER);
  assert_null(app.prompt.title);
  assert_string_equal(row_now(), "größe_日本");
  keys("/");
  prof_tui_key(&app, PROF_TUI_KEY_ERASE); /* nothing to remove */
  prof_tui_key(&app, PROF_TUI_KEY_DOWN);  /* no character */
  prof_tui_key(&app, PROF_TUI_KEY_ESCAPE);
  assert_null(app.prompt.title);
  keys("N");
  assert_string_equal(app.message, "search went on from the end");
  keys("/");
  for (int i = 0; i < 1000; i++)
    keys("x");
  check_line(40, 10, 9, "/xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx");
  prof_tui_key(&app, PROF_TUI_KEY_ENTER);
  assert_string_equal(app.message, "no row has that name");
}

static void sorts_come_from_the_panel(void **state) {
  (void)state;
  keys("s");
  assert_string_equal(row_now(), "self");
  keys("jj");
  prof_tui_key(&app, PROF_TUI_KEY_ENTER);
  assert_string_equal(panel_now(), "functions");
  assert_int_equal(asked.request.sort, 2);
  keys("s");
  assert_string_equal(row_now(), "calls"); /* the one that holds */
  asked.fails = true;
  prof_tui_key(&app, PROF_TUI_KEY_HOME);
  prof_tui_key(&app, PROF_TUI_KEY_ENTER);
  assert_string_equal(app.message, "nothing is there: record it");
  assert_int_equal(prof_tui_now(&app)->request.sort, 2);
  asked.fails = false;
  keys("2s");
  assert_string_equal(app.message, "these rows have one order");
}

static void an_order_for_all_panels(void **state) {
  (void)state;
  struct prof_tui other;
  assert_int_equal(prof_tui_init(&other, &world, "calls", NULL), PROF_OK);
  assert_int_equal(asked.request.sort, 2);
  prof_tui_fini(&other);
  assert_int_equal(prof_tui_init(&other, &world, "p99", NULL), PROF_OK); /* the panel has no such order */
  assert_int_equal(asked.request.sort, 0);
  prof_tui_fini(&other);
}

static void changes_rebuild(void **state) {
  (void)state;
  keys("j");
  int builds = asked.builds;
  keys("w");
  assert_int_equal(asked.change, PROF_TUI_CHANGE_TIME);
  assert_int_equal(asked.commits, 1);
  assert_int_equal(asked.builds, builds + 1);
  assert_string_equal(row_now(), "idle"); /* the same function */
  keys("fpar*");
  prof_tui_key(&app, PROF_TUI_KEY_ENTER);
  assert_int_equal(asked.change, PROF_TUI_CHANGE_FILTER);
  assert_string_equal(asked.text, "par*");
  asked.fails = true;
  keys("fnone");
  prof_tui_key(&app, PROF_TUI_KEY_ENTER);
  assert_string_equal(app.message, "no function is like it: did you mean main?");
  assert_int_equal(asked.commits, 2);
  asked.fails = false;
  keys("tjj");
  prof_tui_key(&app, PROF_TUI_KEY_ENTER);
  assert_int_equal(asked.change, PROF_TUI_CHANGE_THREAD);
  assert_int_equal(asked.number, 4712);
  keys("t");
  prof_tui_key(&app, PROF_TUI_KEY_ENTER);
  assert_int_equal(asked.number, 0); /* all */
  keys("6j");
  prof_tui_key(&app, PROF_TUI_KEY_ENTER);
  assert_int_equal(asked.number, 103);
  assert_string_equal(panel_now(), "functions");
  assert_string_equal(app.message, "only thread 103; t shows all");
  keys("u");
  assert_int_equal(asked.change, PROF_TUI_CHANGE_AGAIN);
}

/* Views that a change freed are built again when they come to light. */
static void changes_reach_what_lies_beneath(void **state) {
  (void)state;
  keys("jr"); /* functions, then the tree */
  prof_tui_key(&app, PROF_TUI_KEY_ENTER);
  keys("a?w");
  assert_string_equal(panel_now(), "a text");
  keys("q");
  assert_string_equal(panel_now(), "source");
  check_line(80, 24, 0, "source lines");
  keys("q");
  assert_string_equal(panel_now(), "tree");
  check_line(80, 24, 3, "main");
  keys("wq");
  assert_string_equal(panel_now(), "functions");
  check_line(80, 24, 3, "main");
  keys("rw");
  asked.fails = true;
  keys("q"); /* no panel can be built */
  assert_true(app.quit);
}

static void a_change_that_leaves_nothing_quits(void **state) {
  (void)state;
  keys("3");
  asked.fails = asked.changes_work = true;
  keys("w"); /* this panel can be built */
  assert_false(app.quit);
  keys("1");
  assert_string_equal(panel_now(), "many");
  assert_string_equal(app.message, "nothing is there: record it");
  asked.fails = false;
  keys("2");
  asked.fails = true;
  keys("w");
  assert_true(app.quit);
  assert_string_equal(app.message, "nothing is there: record it");
}

/* Every line fits, whatever the size; the cursor is on the screen. */
static void screens_fit(void **state) {
  (void)state;
  static const size_t sizes[][2] = {{80, 24},  {40, 10}, {PROF_TUI_LEAST_WIDTH, PROF_TUI_LEAST_HEIGHT},
                                    {200, 60}, {5, 3},   {1, 1}};
  static const char *const before[] = {"", "2e", "?", "s", "t", "/find", "3", "a", "fx"};
  for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
    keys("1");
    keys(before[i]);
    for (size_t j = 0; j < sizeof sizes / sizeof *sizes; j++) {
      struct prof_tui_screen screen;
      bool seen = false;
      assert_true(prof_tui_paint(&app, sizes[j][0], sizes[j][1], true, &screen));
      for (size_t y = 0; y < screen.height; y++) {
        assert_true(!screen.lines[y].text || prof_text_width(screen.lines[y].text) <= sizes[j][0]);
        seen |= screen.lines[y].cursor;
      }
      assert_true(seen || sizes[j][0] < PROF_TUI_LEAST_WIDTH);
      prof_tui_screen_free(&screen);
    }
    prof_tui_key(&app, PROF_TUI_KEY_ESCAPE);
  }
}

static void only_visible_rows_are_printed(void **state) {
  (void)state;
  keys("3G");
  asked.printed = 0;
  check_line(80, 24, 22, "row49999");
  assert_int_equal(asked.printed, 20); /* header, warning, titles, footer */
  assert_int_equal(app.page, 20);
  check_line(80, 7, 1, "SELF  NAME"); /* a low screen has no warning */
  keys("b");
  check_line(80, 7, 2, "row49995");
}

static void footer_names_panels(void **state) {
  (void)state;
  check_line(80, 24, 23, "[1 functions]  2 tree  3 many  6 threads  ? help  q quit");
  check_line(80, 24, 1, "12 events lost; details: prof info");
  check_line(40, 10, 9, "functions  1-6 other  ? help  q quit");
  check_line(20, 4, 3, "? help  q quit");
  keys("?");
  check_line(80, 24, 23, "functions  1-6 other  ? help  q back");
}

static void styles_show_hot_rows(void **state) {
  (void)state;
  struct prof_tui_screen screen;
  keys("2e");
  assert_true(prof_tui_paint(&app, 80, 24, true, &screen));
  assert_int_equal(screen.lines[2].style, PROF_TUI_TITLES);
  assert_int_equal(screen.lines[3].style, PROF_TUI_HOT);
  assert_true(screen.lines[3].cursor);
  assert_int_equal(screen.lines[4].style, PROF_TUI_WARM);
  assert_int_equal(screen.lines[5].style, PROF_TUI_PLAIN);
  assert_true(screen.prompt_column == SIZE_MAX);
  prof_tui_screen_free(&screen);
}

/* Any keys in any order, with failures in between, on screens of any size. */
static void any_keys_keep_it_whole(void **state) {
  (void)state;
  static const int codes[] = {PROF_TUI_KEY_UP,    PROF_TUI_KEY_DOWN,    PROF_TUI_KEY_LEFT,
                              PROF_TUI_KEY_RIGHT, PROF_TUI_KEY_PAGE_UP, PROF_TUI_KEY_END,
                              PROF_TUI_KEY_ENTER, PROF_TUI_KEY_ESCAPE,  PROF_TUI_KEY_ERASE};
  static const char letters[] = "jkgGecarstwf/nNu?q1236 \t\xc3\xb6x";
  uint32_t random = 7;
  for (int i = 0; i < 20000; i++) {
    struct prof_tui_screen screen;
    random = random * 1664525 + 1013904223;
    uint32_t choice = random >> 16;
    asked.fails = choice % 11 == 0;
    asked.changes_work = choice % 2;
    prof_tui_key(&app, choice % 3 ? (unsigned char)letters[choice / 3 % (sizeof letters - 1)] : codes[choice / 3 % 9]);
    assert_true(prof_tui_now(&app)->built || app.quit);
    assert_true(app.quit || prof_tui_paint(&app, choice % 100, choice / 100 % 30, true, &screen));
    if (!app.quit)
      prof_tui_screen_free(&screen);
    if (app.quit) {
      prof_tui_fini(&app);
      asked.fails = false;
      assert_int_equal(prof_tui_init(&app, &world, NULL, NULL), PROF_OK);
    }
  }
}

static void help_has_every_key(void **state) {
  (void)state;
  char *help = prof_tui_keys_help(&world);
  for (const struct prof_tui_key *row = prof_tui_keys; row->name; row++) {
    assert_non_null(strstr(help, row->name));
    assert_non_null(strstr(help, row->help));
    assert_true(prof_text_width(row->help) <= 62); /* fits 80 columns */
    for (const struct prof_tui_key *other = row + 1; other->name; other++)
      for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
          assert_true(!row->codes[i] || row->codes[i] != other->codes[j]);
  }
  for (size_t i = 0; i < world.panel_count; i++)
    assert_non_null(strstr(help, panels[i].columns));
  free(help);
}

static void failures_at_the_start_are_reported(void **state) {
  (void)state;
  struct prof_tui other;
  struct prof_diag diag = {0};
  asked.fails = true;
  assert_int_equal(prof_tui_init(&other, &world, NULL, &diag), PROF_EMPTY);
  assert_string_equal(diag.what, "nothing is there");
  prof_tui_fini(&other);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, begin, end)
int main(void) {
  setlocale(LC_CTYPE, "C.UTF-8");
  const struct CMUnitTest tests[] = {
      CASE(digits_choose_panels),
      CASE(views_lie_over_panels),
      CASE(reversing_keeps_the_function),
      CASE(branches_have_keys),
      CASE(prompts_edit_characters),
      CASE(sorts_come_from_the_panel),
      CASE(an_order_for_all_panels),
      CASE(changes_rebuild),
      CASE(changes_reach_what_lies_beneath),
      CASE(a_change_that_leaves_nothing_quits),
      CASE(screens_fit),
      CASE(only_visible_rows_are_printed),
      CASE(footer_names_panels),
      CASE(styles_show_hot_rows),
      CASE(any_keys_keep_it_whole),
      CASE(help_has_every_key),
      CASE(failures_at_the_start_are_reported),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
