/*
 * tools/tui/keys.h - the table of keys: what each does, and its line in the help screen and the man page.
 */
#ifndef PROF_TUI_KEYS_H
#define PROF_TUI_KEYS_H

#include "app.h"

enum { /* keys that are no byte */
       PROF_TUI_KEY_UP = 0x1000,
       PROF_TUI_KEY_DOWN,
       PROF_TUI_KEY_LEFT,
       PROF_TUI_KEY_RIGHT,
       PROF_TUI_KEY_PAGE_UP,
       PROF_TUI_KEY_PAGE_DOWN,
       PROF_TUI_KEY_HOME,
       PROF_TUI_KEY_END,
       PROF_TUI_KEY_ENTER,
       PROF_TUI_KEY_ESCAPE,
       PROF_TUI_KEY_ERASE,
};

struct prof_tui_key {
  const char *name; /* "Down, j" */
  int codes[3];     /* 0: none */
  const char *help;
  void (*act)(struct prof_tui *);
};

extern const struct prof_tui_key prof_tui_keys[]; /* name NULL: the end */

/* A key: a byte, or PROF_TUI_KEY_.  Removes the message first. */
void prof_tui_key(struct prof_tui *, int key);

/* The help screen: all keys and panels.  To be freed; NULL: no memory. */
char *prof_tui_keys_help(const struct prof_tui_world *);

#endif
