/*
 * tools/tui/panel.h - a panel: a row in a table.  Help, footer and the list in the man page come from the rows.
 *
 * To add a panel: its builder and a row in the owner's table (tools/command/tui/panels.c).
 */
#ifndef PROF_TUI_PANEL_H
#define PROF_TUI_PANEL_H

#include "prof_status.h"
#include "rows.h"

enum prof_tui_enter { /* what Enter does with a row */
                      PROF_TUI_ENTER_NOTHING,
                      PROF_TUI_ENTER_SOURCE, /* shows the source of the row's function or line */
                      PROF_TUI_ENTER_BRANCH, /* opens or closes the row */
                      PROF_TUI_ENTER_THREAD, /* shows only this thread */
};

struct prof_tui_request { /* what a panel is asked for */
  unsigned sort;          /* index into `sorts` */
  uint32_t function;      /* PROF_TUI_NONE: none */
  const char *file;       /* NULL: none */
  uint32_t line;
  bool assembly; /* instructions instead of source lines */
};

struct prof_tui_panel {
  char key;            /* chooses it; 0: rows of other panels lead to it */
  const char *name;    /* one word */
  const char *command; /* that prints the same figures */
  const char *columns; /* a sentence on what it shows */
  enum prof_tui_enter enter;
  const char *const *sorts; /* words of the sort menu, NULL-terminated; the first is the default; NULL: one order */
  const char *reversed;     /* name of the panel with callers and callees exchanged; NULL: none */
  prof_status (*build)(void *figures, const struct prof_tui_request *, struct prof_diag *,
                       struct prof_tui_rows *) PROF_MUST_CHECK;
};

enum prof_tui_change {                         /* of what is shown */
                       PROF_TUI_CHANGE_TIME,   /* the next kind of time */
                       PROF_TUI_CHANGE_FILTER, /* text: the pattern of -F; "": as on the command line */
                       PROF_TUI_CHANGE_THREAD, /* number: the thread's id; 0: as on the command line */
                       PROF_TUI_CHANGE_AGAIN,  /* reads the recording again */
};

/* The owner of the figures, as the model sees it. */
struct prof_tui_world {
  void *figures;
  const struct prof_tui_panel *panels; /* the first one is shown first; those with a key come first */
  size_t panel_count;
  /* A line on what the figures cover, of at most `width` columns, escaped. */
  void (*header)(void *figures, size_t width, bool utf8, char *out, size_t size);
  /* A line on what is missing; "" or NULL: nothing. */
  const char *(*warning)(void *figures);
  /* Lines "TID  text", escaped, of all threads; to be freed; NULL: no memory. */
  char *(*threads)(void *figures);
  /* Prepares a change while rows of the old figures still live. */
  prof_status (*prepare)(void *figures, enum prof_tui_change, const char *text, uint32_t number,
                         struct prof_diag *) PROF_MUST_CHECK;
  /* Makes the prepared change; all rows are freed.  A change of time keeps the functions' numbers. */
  void (*commit)(void *figures);
};

/* The panel with this name; NULL: none. */
const struct prof_tui_panel *prof_tui_panel_find(const struct prof_tui_world *, const char *name);

#endif
