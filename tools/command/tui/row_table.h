/*
 * tools/command/tui/row_table.h - prints the visible rows of a panel as the table of its command.
 *
 * Job: one place for a table's look.  Widths of columns only grow, so that they don't jump while rows scroll.
 */
#ifndef PROF_COMMAND_TUI_ROW_TABLE_H
#define PROF_COMMAND_TUI_ROW_TABLE_H

#include "proftrace.h"
#include "tui/rows.h"
#include "view/table.h"

#define PROF_TUI_MOST_COLUMNS 48

struct prof_tui_columns {
  const struct prof_column *items;
  size_t count;
  size_t widest[PROF_TUI_MOST_COLUMNS];
  uint32_t levels; /* of a tree that are indented; deeper rows show their level as a number */
};

/* Adds the cells of a visible row. */
typedef void prof_tui_add_cells(void *rows, const struct prof_tui_row *, struct prof_table *);

/* Writes titles and rows.  false: no memory. */
bool prof_tui_table_print(struct prof_tui_columns *, void *rows, prof_tui_add_cells *, const struct prof_tui_row *,
                          size_t count, const struct prof_tui_look *, FILE *);

/* Makes columns of a tree spare, so that narrow screens keep total, share and self time longest. */
void prof_tui_branch_columns(struct prof_column *, size_t count);

/* Source of a tree's row: of its function, or of its loop (--loops); a process (--by) has none. */
struct prof_tui_place prof_tui_branch_place(const prof_trace *, uint32_t frame);

/* Adds the last cell of a tree's row: its indent, a mark (+ opens, - is open), its name. */
void prof_tui_branch_cell(struct prof_table *, const struct prof_tui_row *, bool has_children, const char *name,
                          uint32_t levels);

#endif
