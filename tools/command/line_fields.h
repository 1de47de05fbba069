/*
 * tools/command/line_fields.h - the fields of `prof lines`: columns, and the cells of a row.
 *
 * Job: one table of fields serves tables, CSV, JSON and `prof tui`.  In: rows of analysis/lines/lines.h.  Out: columns
 * and cells (view/table.h).
 */
#ifndef PROF_COMMAND_LINE_FIELDS_H
#define PROF_COMMAND_LINE_FIELDS_H

#include "analysis/lines/lines.h"
#include "counter_columns.h"
#include "reader.h"
#include "view/table.h"

#define PROF_LINE_MOST_FIELDS 32

extern const char *const prof_line_sorts[]; /* words of enum prof_line_sort, NULL-terminated */

struct prof_line_field;

struct prof_line_fields { /* chosen ones, in order; the columns must live as long as a table of them */
  const struct prof_line_field *items[PROF_LINE_MOST_FIELDS];
  size_t count;
  struct prof_column columns[PROF_LINE_MOST_FIELDS + 2 + PROF_COUNTER_MOST_COLUMNS];
  size_t column_count;
  const struct prof_counter_columns *counters; /* NULL: none */
  bool table;                                  /* for people: place and function come last */
};

/* Chooses by what the recording and these rows have.  counters: by line; NULL: no columns of theirs. */
void prof_line_fields_choose(const struct prof_reader *, const struct prof_line_rows *,
                             const struct prof_counter_columns *counters, bool table, struct prof_line_fields *out);
void prof_line_cells(struct prof_table *, const struct prof_line_fields *, const struct prof_reader *,
                     const struct prof_line_row *);

#endif
