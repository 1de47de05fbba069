/*
 * tools/tui/paint.h - the screen as lines of text with a style each.
 *
 * In: the state (app.h) and the size of the terminal.  Out: lines fit for a terminal, none wider than the screen.  Only
 * visible rows are printed.
 */
#ifndef PROF_TUI_PAINT_H
#define PROF_TUI_PAINT_H

#include "app.h"

enum prof_tui_style {
  PROF_TUI_PLAIN,
  PROF_TUI_HEADER,
  PROF_TUI_WARNING,
  PROF_TUI_TITLES,
  PROF_TUI_WARM, /* rows with much time */
  PROF_TUI_HOT,
  PROF_TUI_FOOTER,
  PROF_TUI_STYLES,
};

struct prof_tui_line {
  char *text; /* NULL: empty */
  enum prof_tui_style style;
  bool cursor; /* the row under the cursor */
};

struct prof_tui_screen {
  struct prof_tui_line *lines; /* `height` of them */
  size_t width, height;
  size_t prompt_column; /* where a key of the prompt appears, in the last line; SIZE_MAX: no prompt is open */
};

#define PROF_TUI_LEAST_WIDTH 20
#define PROF_TUI_LEAST_HEIGHT 4

/* Fills *out; sets app->page, and scrolls.  A smaller terminal shows only that it is too small.  false: no memory. */
bool prof_tui_paint(struct prof_tui *, size_t width, size_t height, bool utf8, struct prof_tui_screen *out);
void prof_tui_screen_free(struct prof_tui_screen *); /* may be zeroed */

#endif
