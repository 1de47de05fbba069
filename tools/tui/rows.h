/*
 * tools/tui/rows.h - rows that a panel shows: a list, or a tree whose branches open.
 *
 * Job: the interface between figures and the model (list.h).  Items are numbers that the maker of the rows chooses;
 * they stay valid until the rows are freed.  Names and texts are bytes of other people's programs; only `print` has to
 * escape them.  Single-threaded.
 */
#ifndef PROF_TUI_ROWS_H
#define PROF_TUI_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define PROF_TUI_NONE UINT32_MAX /* no item, function or thread */

struct prof_tui_row { /* a visible row */
  uint32_t item;
  uint32_t depth; /* 0: a root */
  bool open;      /* the rows beneath it are visible */
};

struct prof_tui_place { /* what a row is about; zeroed but for the numbers: nothing */
  uint32_t function;    /* index; PROF_TUI_NONE: none */
  const char *file;     /* NULL: none; lives as long as the rows */
  uint32_t line;        /* 0: none */
  uint32_t tid;         /* of a thread; 0: none */
};

struct prof_tui_look { /* how to print */
  size_t width;        /* columns, at least 1 */
  bool utf8;
};

struct prof_tui_rows_type {
  /* The first item beneath one; beneath PROF_TUI_NONE: the first root.  PROF_TUI_NONE: there is none. */
  uint32_t (*first)(void *rows, uint32_t item);
  uint32_t (*next)(void *rows, uint32_t item);     /* the next sibling; PROF_TUI_NONE: it is the last */
  uint32_t (*parent)(void *rows, uint32_t item);   /* NULL: a list, all items are roots */
  bool (*has_children)(void *rows, uint32_t item); /* without computing them; NULL: a list */
  bool deep; /* a search looks into closed branches too; their items must cost nothing */
  const char *(*name)(void *rows, uint32_t item);            /* what a search compares */
  struct prof_tui_place (*place)(void *rows, uint32_t item); /* NULL: rows are about nothing */
  double (*weight)(void *rows, uint32_t item);               /* share of all time, 0 to 1, for colours; NULL: none */
  /*
   * Writes a line of column titles, then a line for each row, escaped and cut.  Further lines are ignored.  Called for
   * the rows on the screen only.  false: no memory.
   */
  bool (*print)(void *rows, const struct prof_tui_row *, size_t count, const struct prof_tui_look *, FILE *);
  void (*free)(void *rows);
};

struct prof_tui_rows {
  const struct prof_tui_rows_type *type;
  void *rows;
  char *title;    /* one line instead of the recording's header, escaped; owned; NULL: none */
  char *note;     /* a message when they are shown first, escaped; owned; NULL: none */
  uint32_t begin; /* the item where the cursor begins; 0: the first */
};

/* Frees them; may be zeroed. */
void prof_tui_rows_free(struct prof_tui_rows *);

#endif
