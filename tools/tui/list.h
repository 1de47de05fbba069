/*
 * tools/tui/list.h - the model of a panel: which rows are visible, where the cursor is, which branches are open.
 *
 * Job: everything that a key changes in a panel, without a terminal.  In: rows (rows.h).  Out: visible rows.  Nothing
 * here recurses, so a tree may have any depth.  The list owns its rows.
 */
#ifndef PROF_TUI_LIST_H
#define PROF_TUI_LIST_H

#include "base/vec.h"
#include "rows.h"

struct prof_tui_list {
  struct prof_tui_rows rows;
  PROF_VEC(struct prof_tui_row) shown; /* all rows that scrolling can reach */
  PROF_VEC(uint64_t) open;             /* a bit for each item */
  size_t cursor;                       /* index into `shown`; 0 if it is empty */
  size_t top;                          /* the first row on the screen */
  size_t left;                         /* columns that lie to the left of the screen */
};

/* Takes the rows and shows their roots; false: no memory, and the rows are freed. */
bool prof_tui_list_init(struct prof_tui_list *, struct prof_tui_rows);
void prof_tui_list_fini(struct prof_tui_list *); /* may be zeroed */

/* The row under the cursor; NULL: there are no rows. */
const struct prof_tui_row *prof_tui_list_row(const struct prof_tui_list *);
struct prof_tui_place prof_tui_list_place(const struct prof_tui_list *);

/* Moves the cursor by rows, at most to the first or the last one. */
void prof_tui_list_move(struct prof_tui_list *, int64_t by);
void prof_tui_list_home(struct prof_tui_list *);
void prof_tui_list_end(struct prof_tui_list *);
/* Scrolls so that the cursor is among `height` rows on the screen, and no line stays empty without need. */
void prof_tui_list_scroll(struct prof_tui_list *, size_t height);

bool prof_tui_list_can_open(const struct prof_tui_list *); /* the cursor's row has rows beneath it */
/* Open or close the cursor's row; whole: and all beneath it.  false: no memory, nothing changed. */
bool prof_tui_list_open(struct prof_tui_list *, bool whole);
bool prof_tui_list_close(struct prof_tui_list *, bool whole);
/* Moves the cursor to the row above in the tree; false: it is a root. */
bool prof_tui_list_parent(struct prof_tui_list *);
/* Opens all above the item and moves the cursor to it; false: no memory. */
bool prof_tui_list_reveal(struct prof_tui_list *, uint32_t item);
/* The first item about a function, in the order of the rows, also in closed branches of `deep` rows. */
uint32_t prof_tui_list_function(const struct prof_tui_list *, uint32_t function);

enum prof_tui_found { PROF_TUI_FOUND, PROF_TUI_WRAPPED, PROF_TUI_NOT_FOUND };
/*
 * Moves the cursor to the next row, or the one before, whose name has the text, upper or lower case; goes on at the
 * other end.  The cursor's own row comes last.
 */
enum prof_tui_found prof_tui_list_find(struct prof_tui_list *, const char *text, bool backward);

#endif
