/*
 * tools/tui/terminal_none.c - in place of terminal.c, in a build without ncurses.
 */
#ifndef PROF_HAS_NCURSES

#include "terminal.h"

#include "base/diag.h"
#include "keys.h"

prof_status prof_tui_terminal_check(struct prof_diag *diag) {
  return prof_diag_fill(diag, PROF_UNSUPPORTED, NULL, PROF_NO_OFFSET,
                        "install libncurses-dev and build prof again; " PROF_TUI_REMEDY,
                        "this prof was built without ncurses");
}

prof_status prof_tui_terminal_open(bool color, struct prof_diag *diag) {
  (void)color;
  return prof_tui_terminal_check(diag);
}

void prof_tui_terminal_close(void) {}

void prof_tui_terminal_size(size_t *width, size_t *height) {
  *width = *height = 0;
}

void prof_tui_terminal_draw(const struct prof_tui_screen *screen) {
  (void)screen;
}

void prof_tui_terminal_note(const char *text) {
  (void)text;
}

int prof_tui_terminal_key(uint64_t most_ns) {
  (void)most_ns;
  return PROF_TUI_INPUT_CLOSED;
}

bool prof_tui_terminal_escaped(void) {
  return false;
}

#endif
