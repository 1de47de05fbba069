/*
 * tools/tui/keys.c - see keys.h.
 *
 * To add a key: what it does, and its row.
 */
#include "keys.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define SIDE_STEP 20 /* columns that a key scrolls */

static struct prof_tui_list *list_of(struct prof_tui *app) {
  return &prof_tui_now(app)->list;
}

static void no_memory(struct prof_tui *app) {
  prof_tui_say(app, "out of memory");
}

/* ---- the cursor ---- */

static void up(struct prof_tui *app) {
  prof_tui_list_move(list_of(app), -1);
}

static void down(struct prof_tui *app) {
  prof_tui_list_move(list_of(app), 1);
}

static void page_up(struct prof_tui *app) {
  prof_tui_list_move(list_of(app), -(int64_t)app->page);
}

static void page_down(struct prof_tui *app) {
  prof_tui_list_move(list_of(app), (int64_t)app->page);
}

static void home(struct prof_tui *app) {
  prof_tui_list_home(list_of(app));
}

static void end(struct prof_tui *app) {
  prof_tui_list_end(list_of(app));
}

/* ---- branches ---- */

static void change_branch(struct prof_tui *app, bool open, bool whole) {
  struct prof_tui_list *list = list_of(app);
  if (!prof_tui_list_can_open(list))
    prof_tui_say(app, "this row has nothing beneath it");
  else if (!(open ? prof_tui_list_open(list, whole) : prof_tui_list_close(list, whole)))
    no_memory(app);
}

static void open_row(struct prof_tui *app) {
  change_branch(app, true, false);
}

static void open_all(struct prof_tui *app) {
  change_branch(app, true, true);
}

static void close_all(struct prof_tui *app) {
  change_branch(app, false, true);
}

/* ---- other views ---- */

static void source(struct prof_tui *app) {
  struct prof_tui_view *view = prof_tui_now(app);
  const struct prof_tui_panel *panel = prof_tui_panel_find(app->world, "source");
  if (panel && view->panel == panel) { /* already there: source lines or instructions */
    view->request.assembly = !view->request.assembly;
    if (!prof_tui_rebuild(app, view))
      view->request.assembly = !view->request.assembly;
    return;
  }
  struct prof_tui_place place = prof_tui_list_place(&view->list);
  if (!panel || (place.function == PROF_TUI_NONE && !place.file)) {
    prof_tui_say(app, "this row has no source");
    return;
  }
  prof_tui_lay(app, panel,
               &(struct prof_tui_request){.function = place.function, .file = place.file, .line = place.line});
}

static void reverse(struct prof_tui *app) {
  const struct prof_tui_view *view = prof_tui_now(app);
  const struct prof_tui_panel *other = view->panel ? prof_tui_panel_find(app->world, view->panel->reversed) : NULL;
  if (!other)
    prof_tui_say(app, "only functions and call trees can be reversed");
  else
    prof_tui_go(app, (size_t)(other - app->world->panels), prof_tui_list_place(&view->list).function, true);
}

static void show_thread(struct prof_tui *app, uint32_t tid) {
  if (prof_tui_change(app, PROF_TUI_CHANGE_THREAD, NULL, tid)) {
    prof_tui_go(app, 0, PROF_TUI_NONE, true);
    if (!app->message[0] && tid)
      prof_tui_say(app, "only thread %u; t shows all", tid);
  }
}

static void enter(struct prof_tui *app) {
  struct prof_tui_view *view = prof_tui_now(app);
  struct prof_tui_place place = prof_tui_list_place(&view->list);
  if (view->choose && view->list.shown.count) {
    view->choose(app, &view->list);
    return;
  }
  switch (view->panel ? view->panel->enter : PROF_TUI_ENTER_NOTHING) {
  case PROF_TUI_ENTER_BRANCH:
    change_branch(app, prof_tui_list_row(&view->list) && !prof_tui_list_row(&view->list)->open, false);
    break;
  case PROF_TUI_ENTER_SOURCE:
    source(app);
    break;
  case PROF_TUI_ENTER_THREAD:
    if (place.tid)
      show_thread(app, place.tid);
    break;
  case PROF_TUI_ENTER_NOTHING:
    break;
  }
}

static void left(struct prof_tui *app) {
  struct prof_tui_list *list = list_of(app);
  const struct prof_tui_row *row = prof_tui_list_row(list);
  if (row && row->open && prof_tui_list_can_open(list)) {
    if (!prof_tui_list_close(list, false))
      no_memory(app);
  } else if (!prof_tui_list_parent(list) && !prof_tui_back(app)) {
    prof_tui_say(app, "q quits");
  }
}

static void right(struct prof_tui *app) {
  struct prof_tui_view *view = prof_tui_now(app);
  if (view->panel && view->panel->enter == PROF_TUI_ENTER_BRANCH)
    open_row(app);
  else
    enter(app);
}

static void back(struct prof_tui *app) {
  if (!prof_tui_back(app))
    prof_tui_say(app, "q quits");
}

static void quit(struct prof_tui *app) {
  if (!prof_tui_back(app))
    app->quit = true;
}

static void next_panel(struct prof_tui *app) {
  size_t next = app->now;
  do
    next = (next + 1) % app->world->panel_count;
  while (!app->world->panels[next].key);
  prof_tui_go(app, next, PROF_TUI_NONE, false);
}

/* ---- menus ---- */

static void choose_sort(struct prof_tui *app, const struct prof_tui_list *menu) {
  unsigned sort = menu->shown.items[menu->cursor].item;
  prof_tui_back(app);
  struct prof_tui_view *view = prof_tui_now(app);
  unsigned before = view->request.sort;
  view->request.sort = sort;
  if (prof_tui_rebuild(app, view))
    prof_tui_list_home(&view->list);
  else
    view->request.sort = before;
}

static void sort(struct prof_tui *app) {
  const struct prof_tui_view *view = prof_tui_now(app);
  if (!view->panel || !view->panel->sorts) {
    prof_tui_say(app, "these rows have one order");
    return;
  }
  char *text = NULL;
  size_t bytes;
  unsigned chosen = view->request.sort;
  FILE *file = open_memstream(&text, &bytes);
  if (!file) {
    no_memory(app);
    return;
  }
  fputs("SORT BY (Enter chooses, q leaves it)\n", file);
  for (size_t i = 0; view->panel->sorts[i]; i++)
    fprintf(file, "%s\n", view->panel->sorts[i]);
  fclose(file);
  prof_tui_lay_text(app, text, choose_sort);
  free(text);
  prof_tui_list_move(list_of(app), chosen);
}

static void choose_thread(struct prof_tui *app, const struct prof_tui_list *menu) {
  uint32_t item = menu->shown.items[menu->cursor].item;
  const char *line = menu->rows.type->name(menu->rows.rows, item);
  uint32_t tid = item ? (uint32_t)strtoul(line, NULL, 10) : 0; /* the first row: all */
  prof_tui_back(app);
  show_thread(app, tid);
}

static void thread(struct prof_tui *app) {
  char *threads = app->world->threads(app->world->figures), *text = NULL;
  if (threads && asprintf(&text, "SHOW ONLY THREAD (Enter chooses, q leaves it)\nall threads\n%s", threads) < 0)
    text = NULL;
  prof_tui_lay_text(app, text, choose_thread);
  free(text);
  free(threads);
}

static void help(struct prof_tui *app) {
  char *text = prof_tui_keys_help(app->world);
  prof_tui_lay_text(app, text, NULL);
  free(text);
}

/* ---- search, filter, time ---- */

static void find(struct prof_tui *app, bool backward) {
  if (!app->search[0]) {
    prof_tui_say(app, "/ searches");
    return;
  }
  enum prof_tui_found found = prof_tui_list_find(list_of(app), app->search, backward);
  if (found == PROF_TUI_NOT_FOUND)
    prof_tui_say(app, "no row has that name");
  else if (found == PROF_TUI_WRAPPED)
    prof_tui_say(app, backward ? "search went on from the end" : "search went on from the top");
}

static void take_search(struct prof_tui *app, const char *text) {
  if (text[0])
    snprintf(app->search, sizeof app->search, "%s", text);
  find(app, false);
}

static void search(struct prof_tui *app) {
  prof_tui_ask(app, "/", take_search);
}

static void find_next(struct prof_tui *app) {
  find(app, false);
}

static void find_before(struct prof_tui *app) {
  find(app, true);
}

static void take_filter(struct prof_tui *app, const char *text) {
  prof_tui_change(app, PROF_TUI_CHANGE_FILTER, text, 0);
}

static void filter(struct prof_tui *app) {
  prof_tui_ask(app, "only functions like (-F, empty: all): ", take_filter);
}

static void next_time(struct prof_tui *app) {
  prof_tui_change(app, PROF_TUI_CHANGE_TIME, NULL, 0);
}

static void again(struct prof_tui *app) {
  prof_tui_change(app, PROF_TUI_CHANGE_AGAIN, NULL, 0);
}

static void scroll_right(struct prof_tui *app) {
  list_of(app)->left += SIDE_STEP; /* drawing stops at the end of the longest line */
}

static void scroll_left(struct prof_tui *app) {
  struct prof_tui_list *list = list_of(app);
  list->left -= list->left < SIDE_STEP ? list->left : SIDE_STEP;
}

const struct prof_tui_key prof_tui_keys[] = {
    {"Down, j", {PROF_TUI_KEY_DOWN, 'j'}, "next row", down},
    {"Up, k", {PROF_TUI_KEY_UP, 'k'}, "row before", up},
    {"PageDown, Space", {PROF_TUI_KEY_PAGE_DOWN, ' '}, "next page", page_down},
    {"PageUp, b", {PROF_TUI_KEY_PAGE_UP, 'b'}, "page before", page_up},
    {"Home, g", {PROF_TUI_KEY_HOME, 'g'}, "first row", home},
    {"End, G", {PROF_TUI_KEY_END, 'G'}, "last row", end},
    {"Enter", {PROF_TUI_KEY_ENTER}, "open a branch, a function's source, a thread's functions", enter},
    {"Right, l", {PROF_TUI_KEY_RIGHT, 'l'}, "open likewise", right},
    {"Left, h", {PROF_TUI_KEY_LEFT, 'h'}, "close the branch; else to the row above it; else back", left},
    {">", {'>'}, "scroll to the right: the rest of long lines, and more columns", scroll_right},
    {"<", {'<'}, "scroll back to the left", scroll_left},
    {"e", {'e'}, "expand the row and all beneath it", open_all},
    {"c", {'c'}, "collapse the row and all beneath it", close_all},
    {"a", {'a'}, "annotate: source of the function; again: its instructions", source},
    {"r", {'r'}, "reverse: callers of the function, or what it calls", reverse},
    {"s", {'s'}, "sort: a menu of orders", sort},
    {"t", {'t'}, "thread: a menu; shows only one thread, or all", thread},
    {"w", {'w'}, "switch between running, waiting and elapsed time (--time)", next_time},
    {"f", {'f'}, "filter: only functions like a pattern and what they call (-F)", filter},
    {"/", {'/'}, "search a name in this panel, in upper or lower case", search},
    {"n", {'n'}, "next match", find_next},
    {"N", {'N'}, "match before", find_before},
    {"u", {'u'}, "update: read the recording again, if it is still written", again},
    {"Tab", {'\t'}, "next panel", next_panel},
    {"?", {'?'}, "this help", help},
    {"Esc", {PROF_TUI_KEY_ESCAPE}, "back", back},
    {"q", {'q'}, "back; in the first view: quit", quit},
    {0},
};

/* ---- a key ---- */

/* Removes the last character. */
static void erase(struct prof_tui_prompt *prompt) {
  while (prompt->bytes > 0 && ((unsigned char)prompt->text[--prompt->bytes] & 0xc0) == 0x80)
    ;
  prompt->text[prompt->bytes] = 0;
}

static void prompt_key(struct prof_tui *app, int key) {
  struct prof_tui_prompt *prompt = &app->prompt;
  if (key == PROF_TUI_KEY_ENTER) {
    struct prof_tui_prompt closed = *prompt;
    prompt->title = NULL;
    closed.done(app, closed.text);
  } else if (key == PROF_TUI_KEY_ESCAPE) {
    prompt->title = NULL;
  } else if (key == PROF_TUI_KEY_ERASE) {
    erase(prompt);
  } else if (key >= ' ' && key < 0x100 && prompt->bytes + 1 < sizeof prompt->text) {
    prompt->text[prompt->bytes++] = (char)key;
    prompt->text[prompt->bytes] = 0;
  }
}

static void take(struct prof_tui *app, int key) {
  for (size_t i = 0; i < app->world->panel_count; i++)
    if (app->world->panels[i].key && key == app->world->panels[i].key) {
      prof_tui_go(app, i, PROF_TUI_NONE, false);
      return;
    }
  for (const struct prof_tui_key *row = prof_tui_keys; row->name; row++)
    for (size_t i = 0; i < sizeof row->codes / sizeof *row->codes; i++)
      if (row->codes[i] && row->codes[i] == key) {
        row->act(app);
        return;
      }
  if (key > ' ' && key < 0x7f)
    prof_tui_say(app, "%c is no key here; ? shows all", key);
}

void prof_tui_key(struct prof_tui *app, int key) {
  app->message[0] = 0;
  if (app->prompt.title)
    prompt_key(app, key);
  else
    take(app, key);
}

char *prof_tui_keys_help(const struct prof_tui_world *world) {
  char *text = NULL;
  size_t bytes;
  FILE *file = open_memstream(&text, &bytes);
  if (!file)
    return NULL;
  fputs("KEYS AND PANELS (q goes back)\n", file);
  for (const struct prof_tui_key *row = prof_tui_keys; row->name; row++)
    fprintf(file, "%-16s %s\n", row->name, row->help);
  fputs(" \n", file);
  for (size_t i = 0; i < world->panel_count; i++)
    fprintf(file, "%-2c %-13s %s (%s)\n", world->panels[i].key ? world->panels[i].key : 'a', world->panels[i].name,
            world->panels[i].columns, world->panels[i].command);
  fputs(" \n"
        "~ marks estimates, of recordings with a budget.  - means: not known.\n"
        "A wider terminal shows more columns.\n",
        file);
  fclose(file);
  return text;
}
