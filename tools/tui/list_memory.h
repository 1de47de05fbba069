/*
 * tools/tui/list_memory.h - which branches of a list are open and where its cursor is, while its rows are made anew.
 *
 * Rows are known by their names and those above them: numbers of items may differ between two readings of a recording.
 */
#ifndef PROF_TUI_LIST_MEMORY_H
#define PROF_TUI_LIST_MEMORY_H

#include "list.h"

struct prof_tui_list_memory { /* zeroed: of nothing */
  PROF_VEC(uint64_t) open;    /* of each open row: a hash of its names */
  uint64_t cursor;
  size_t below;      /* rows between the top of the screen and the cursor */
  bool known, first; /* first: the cursor was at the first row, and stays there */
};

/* Without memory less is opened again. */
void prof_tui_list_memorise(struct prof_tui_list_memory *, const struct prof_tui_list *);
/* Opens the same rows in fresh ones, and empties the memory.  True: the cursor is where it was. */
bool prof_tui_list_recall(struct prof_tui_list_memory *, struct prof_tui_list *);
void prof_tui_list_memory_fini(struct prof_tui_list_memory *); /* may be zeroed */

#endif
