/*
 * tools/tui/app.h - the state of `prof tui`: panels, what lies over them, the prompt, a message.
 *
 * Job: what keys (keys.h) do to panels.  In: a world of figures (panel.h).  Out: state, which paint.h turns into
 * lines.  It knows no terminal, so tests drive it.  Single-threaded.
 */
#ifndef PROF_TUI_APP_H
#define PROF_TUI_APP_H

#include "list.h"
#include "list_memory.h"
#include "panel.h"

#define PROF_TUI_TEXT_BYTES 256 /* of a prompt */
#define PROF_TUI_MESSAGE_BYTES 640
#define PROF_TUI_MOST_OVER 8    /* views over a panel */
#define PROF_TUI_MOST_BEFORE 16 /* panels to go back to */

struct prof_tui;

struct prof_tui_view {
  const struct prof_tui_panel *panel; /* NULL: a menu or a page of text */
  struct prof_tui_request request;    /* owns its file */
  struct prof_tui_list list;
  struct prof_tui_list_memory memory; /* of the rows before, while the next ones are not built */
  bool built;
  void (*choose)(struct prof_tui *, const struct prof_tui_list *); /* what Enter does in a menu; NULL: no menu */
};

struct prof_tui_prompt {
  const char *title; /* "/"; NULL: no prompt is open */
  char text[PROF_TUI_TEXT_BYTES];
  size_t bytes;
  void (*done)(struct prof_tui *, const char *text);
};

struct prof_tui {
  const struct prof_tui_world *world;
  struct prof_tui_view *panels; /* a view for each of the world's panels */
  size_t now;                   /* index of the panel */
  size_t before[PROF_TUI_MOST_BEFORE], before_count;
  struct prof_tui_view over[PROF_TUI_MOST_OVER];
  size_t over_count;
  struct prof_tui_prompt prompt;
  char search[PROF_TUI_TEXT_BYTES];     /* the last one; "": none */
  char message[PROF_TUI_MESSAGE_BYTES]; /* until the next key */
  size_t page;                          /* rows on the screen, at least 1 */
  bool quit;
#define PROF_TUI_READING "reading the recording ... (Escape stops it)"
  void (*busy)(void *context, const char *text); /* called before something slow; may be NULL */
  void *busy_context;
};

/* Builds the first panel; a failure is its builder's.  The world must outlive it.  sort: a word; panels that have it
 * begin with this order; NULL: each with its own. */
prof_status prof_tui_init(struct prof_tui *, const struct prof_tui_world *, const char *sort,
                          struct prof_diag *) PROF_MUST_CHECK;
void prof_tui_fini(struct prof_tui *); /* may be zeroed */

/* The view that keys go to; it is built. */
struct prof_tui_view *prof_tui_now(struct prof_tui *);

/* ---- what keys do (keys.c) ---- */

void prof_tui_say(struct prof_tui *, const char *format, ...) __attribute__((format(printf, 2, 3)));
void prof_tui_say_diag(struct prof_tui *, const struct prof_diag *);
void prof_tui_ask(struct prof_tui *, const char *title, void (*done)(struct prof_tui *, const char *));

/* Shows a panel; the row about `function` gets the cursor, if there is one.  back: `q` returns to the one before. */
void prof_tui_go(struct prof_tui *, size_t panel, uint32_t function, bool back);
/* Closes the topmost view, or returns to the panel before; false: there is neither. */
bool prof_tui_back(struct prof_tui *);
/* Lays a panel's view over the others; the request is copied.  Says why if it can't be built. */
void prof_tui_lay(struct prof_tui *, const struct prof_tui_panel *, const struct prof_tui_request *);
/* Lays a text or, with `choose`, a menu over the others. */
void prof_tui_lay_text(struct prof_tui *, const char *text,
                       void (*choose)(struct prof_tui *, const struct prof_tui_list *));
/* Builds the view anew, on the same function if it is still there.  false: it can't be, and nothing changed. */
bool prof_tui_rebuild(struct prof_tui *, struct prof_tui_view *);
/* Changes what is shown in all panels; says so if it fails, and nothing changes then.  false: it failed. */
bool prof_tui_change(struct prof_tui *, enum prof_tui_change, const char *text, uint32_t number);
/* Shows what the figures are now, with the same branches open.  Does nothing while a menu, a source or a prompt is
 * open, and says why where it can't be done. */
void prof_tui_refresh(struct prof_tui *);

#endif
