/*
 * tools/tui/terminal.h - the terminal: draws a screen, reads keys, and is as it was when the program ends.
 *
 * The only file that knows ncurses.  One terminal at a time.  While it is open, SIGINT, SIGTERM, SIGHUP, SIGQUIT and
 * faults restore it before they end the program.
 */
#ifndef PROF_TUI_TERMINAL_H
#define PROF_TUI_TERMINAL_H

#include "paint.h"
#include "prof_status.h"

enum { /* besides keys (keys.h) */
       PROF_TUI_INPUT_RESIZED = 0x2000,
       PROF_TUI_INPUT_CLOSED, /* the terminal is gone */
       PROF_TUI_INPUT_OTHER,  /* a key that means nothing */
       PROF_TUI_INPUT_NONE,   /* the time is over */
};

#define PROF_TUI_REMEDY "prof report, prof tree and prof annotate print the same figures"

/* Can it be opened?  As below, before a recording is read. */
prof_status prof_tui_terminal_check(struct prof_diag *) PROF_MUST_CHECK;

/* PROF_USAGE with a diagnostic: standard input or output is no terminal, or one of an unknown type. */
prof_status prof_tui_terminal_open(bool color, struct prof_diag *) PROF_MUST_CHECK;
void prof_tui_terminal_close(void);

void prof_tui_terminal_size(size_t *width, size_t *height);
void prof_tui_terminal_draw(const struct prof_tui_screen *);
/* Replaces the last line at once: before something slow. */
void prof_tui_terminal_note(const char *text);
int prof_tui_terminal_key(uint64_t most_ns); /* waits for one, so long; 0: for ever */

/*
 * Was Escape pressed by itself since the last call, which said no?  Other keys stay to be taken.  From any thread while
 * nobody draws or waits for a key: during something slow.
 */
bool prof_tui_terminal_escaped(void);

#endif
