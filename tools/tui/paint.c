/*
 * tools/tui/paint.c - see paint.h.
 *
 *   3,428,496 calls in 1 thread: 329 ms in your functions       header, or the title of a page
 *     CALLS    TOTAL     SELF  FUNCTION                         titles
 *   1,000,000  295 ms  294 ms  table_add                        rows
 *   [1 functions]  2 tree  3 callers  ? help  q quit            footer: panels, a message or a prompt
 */
#include "paint.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "view/width.h"

#define HEADER_WIDTH 80
#define HOT 0.10  /* as in annotated sources */
#define WARM 0.02 /* likewise */
#define ALIKE (1 + 5e-10)
#define ROOM_FOR_WARNING 8 /* lines of a screen that has one */

static bool put(struct prof_tui_screen *screen, size_t line, enum prof_tui_style style, const char *text, bool utf8) {
  char *copy = strdup(text);
  if (!copy)
    return false;
  prof_text_cut(copy, screen->width, utf8);
  screen->lines[line] = (struct prof_tui_line){copy, style, false};
  return true;
}

static bool put_header(struct prof_tui *app, struct prof_tui_screen *screen, bool utf8) {
  char text[1024] = "";
  const struct prof_tui_rows *rows = &prof_tui_now(app)->list.rows;
  size_t width = screen->width < HEADER_WIDTH ? screen->width : HEADER_WIDTH;
  if (rows->title)
    return put(screen, 0, PROF_TUI_HEADER, rows->title, utf8);
  app->world->header(app->world->figures, width, utf8, text, sizeof text);
  return put(screen, 0, PROF_TUI_HEADER, text, utf8);
}

/* ---- the footer ---- */

/* "[1 functions]  2 tree ..."; on a narrow screen only the panel's name, or how to get help. */
static void write_panels(const struct prof_tui *app, size_t width, char *out, size_t size) {
  static const char end[] = "  ? help  q ";
  const char *quit = app->over_count || app->before_count ? "back" : "quit";
  const struct prof_tui_world *world = app->world;
  const struct prof_tui_panel *over = app->over_count ? app->over[app->over_count - 1].panel : NULL;
  size_t used = 0;
  char last = 0;
  out[0] = 0;
  for (size_t i = 0; i < world->panel_count && used < size; i++) {
    const struct prof_tui_panel *panel = &world->panels[i];
    bool now = i == app->now && !app->over_count;
    if (panel->key < '1' || panel->key > '9') /* help has the others */
      continue;
    last = panel->key;
    used += (size_t)snprintf(out + used, size - used, now ? "%s[%c %s]" : "%s%c %s", used ? "  " : "", panel->key,
                             panel->name);
  }
  if (used < size)
    used += (size_t)snprintf(out + used, size - used, "%s%s", end, quit);
  if (used > width || app->over_count)
    used = (size_t)snprintf(out, size, "%s  %c-%c other%s%s", over ? over->name : world->panels[app->now].name,
                            world->panels[0].key, last, end, quit);
  if (used > width)
    snprintf(out, size, "? help  q %s", quit);
}

static bool put_footer(struct prof_tui *app, struct prof_tui_screen *screen, bool utf8) {
  char text[PROF_TUI_MESSAGE_BYTES + 4 * PROF_TUI_TEXT_BYTES];
  const struct prof_tui_prompt *prompt = &app->prompt;
  screen->prompt_column = SIZE_MAX;
  if (prompt->title) {
    size_t used = (size_t)snprintf(text, sizeof text, "%s", prompt->title);
    prof_text_escape(text + used, sizeof text - used, prompt->text, prompt->bytes);
    while (prof_text_width(text + used) > 1 && prof_text_width(text) >= screen->width) /* its end stays in sight */
      memmove(text + used, text + used + prof_text_character(text + used, strlen(text + used)),
              strlen(text + used + prof_text_character(text + used, strlen(text + used))) + 1);
    screen->prompt_column = prof_text_width(text) < screen->width ? prof_text_width(text) : screen->width - 1;
  } else if (app->message[0]) {
    snprintf(text, sizeof text, "%s", app->message);
  } else {
    write_panels(app, screen->width, text, sizeof text);
  }
  return put(screen, screen->height - 1, PROF_TUI_FOOTER, text, utf8);
}

/* ---- titles and rows ---- */

static enum prof_tui_style style_of(const struct prof_tui_list *list, const struct prof_tui_row *row) {
  const struct prof_tui_rows_type *type = list->rows.type;
  double weight = type->weight ? ALIKE * type->weight(list->rows.rows, row->item) : 0;
  return weight >= HOT ? PROF_TUI_HOT : weight >= WARM ? PROF_TUI_WARM : PROF_TUI_PLAIN;
}

/* The longest line's columns. */
static size_t width_of(const char *text) {
  size_t widest = 0;
  while (text) {
    const char *end = strchr(text, '\n');
    char *line = end ? strndup(text, (size_t)(end - text)) : strdup(text);
    size_t width = line ? prof_text_width(line) : 0;
    widest = width > widest ? width : widest;
    free(line);
    text = end ? end + 1 : NULL;
  }
  return widest;
}

/* Puts the lines of a text from `first` on: titles, then rows; without their columns to the left of the screen. */
static bool put_lines(struct prof_tui_screen *screen, size_t first, const struct prof_tui_list *list, size_t count,
                      char *text, bool utf8) {
  for (size_t i = 0; i <= count && text; i++) {
    char *end = strchr(text, '\n');
    if (end)
      *end = 0;
    const struct prof_tui_row *row = i ? &list->shown.items[list->top + i - 1] : NULL;
    const char *seen = text + prof_text_fitting(text, list->left);
    if (!put(screen, first + i, row ? style_of(list, row) : PROF_TUI_TITLES, seen, utf8))
      return false;
    screen->lines[first + i].cursor = row && list->top + i - 1 == list->cursor;
    text = end ? end + 1 : NULL;
  }
  return true;
}

static bool put_rows(struct prof_tui *app, struct prof_tui_screen *screen, size_t first, bool utf8) {
  struct prof_tui_list *list = &prof_tui_now(app)->list;
  size_t room = screen->height > first + 2 ? screen->height - first - 2 : 1;
  app->page = room;
  prof_tui_list_scroll(list, room);
  size_t count = list->shown.count - list->top < room ? list->shown.count - list->top : room;
  const struct prof_tui_look look = {.width = screen->width + list->left, .utf8 = utf8};
  char *text = NULL;
  size_t bytes;
  FILE *file = open_memstream(&text, &bytes);
  if (!file)
    return false;
  bool good = list->rows.type->print(list->rows.rows, list->shown.items + list->top, count, &look, file);
  good &= fclose(file) == 0;
  size_t widest = good ? width_of(text) : 0, most = widest > screen->width ? widest - screen->width : 0;
  list->left = list->left < most ? list->left : most;
  good = good && put_lines(screen, first, list, count, text, utf8);
  free(text);
  return good;
}

bool prof_tui_paint(struct prof_tui *app, size_t width, size_t height, bool utf8, struct prof_tui_screen *out) {
  *out = (struct prof_tui_screen){.width = width ? width : 1, .height = height ? height : 1};
  out->lines = calloc(out->height, sizeof *out->lines);
  out->prompt_column = SIZE_MAX;
  if (!out->lines)
    return false;
  if (width < PROF_TUI_LEAST_WIDTH || height < PROF_TUI_LEAST_HEIGHT)
    return put(out, 0, PROF_TUI_PLAIN, "too small", utf8);
  const char *warning = app->world->warning ? app->world->warning(app->world->figures) : NULL;
  bool warns = warning && warning[0] && height >= ROOM_FOR_WARNING;
  return put_header(app, out, utf8) && (!warns || put(out, 1, PROF_TUI_WARNING, warning, utf8)) &&
         put_rows(app, out, warns ? 2 : 1, utf8) && put_footer(app, out, utf8);
}

void prof_tui_screen_free(struct prof_tui_screen *screen) {
  for (size_t i = 0; screen->lines && i < screen->height; i++)
    free(screen->lines[i].text);
  free(screen->lines);
  *screen = (struct prof_tui_screen){0};
}
