/*
 * tools/command/loops/loop_table.h - rows of loops as a table, for people or as data.
 */
#ifndef PROF_COMMAND_LOOP_TABLE_H
#define PROF_COMMAND_LOOP_TABLE_H

#include "analysis/loops.h"
#include "command/counter_columns.h"
#include "command/reader.h"
#include "view/table.h"
#include "work_cells.h"

#define PROF_LOOP_COLUMNS (46 + PROF_COUNTER_MOST_COLUMNS)

extern const char *const prof_loop_sorts[]; /* words of enum prof_loop_sort, NULL-terminated */

/* people: fewer columns; place and function last, indented by nesting.  works: beside the rows, with columns of their
 * own; NULL: none.  counters: by loop; NULL: none.  Fills the columns, which must live as long as the table.  NULL: no
 * memory. */
struct prof_table *prof_loop_table(const struct prof_reader *, const struct prof_loop_row *rows,
                                   const struct prof_loop_work *works, const struct prof_counter_columns *counters,
                                   size_t count, bool people, struct prof_column columns[PROF_LOOP_COLUMNS]);

/* Fills the diagnostic why there are no rows: no loop has probes, or none ran.  PROF_EMPTY. */
prof_status prof_loop_none(const struct prof_reader *, const struct prof_loop_rows *, struct prof_diag *);

#endif
