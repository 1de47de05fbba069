/*
 * tools/command/field.h - a column of a table, and where in a row its cells come from.
 *
 * Job: one description per column serves tables, JSON and CSV.  In: rows of an analysis.  Out: cells (view/table.h).
 */
#ifndef PROF_COMMAND_FIELD_H
#define PROF_COMMAND_FIELD_H

#include "base/member.h"
#include "view/table.h"

struct prof_field {
  struct prof_column column;
  struct prof_member member; /* of the row: a text, uint64_t, or double; a uint32_t names something: no digit groups */
  size_t known;              /* offset of the bool that says whether it is known; 0: always */
  /* A cell computed from the member, or from the row where none is given; NULL: the member itself. */
  void (*cell)(struct prof_table *, const void *value);
};

/* The next cell of the table. */
void prof_field_cell(struct prof_table *, const struct prof_field *, const void *row);

/* Rows of row_bytes in all fields; the columns are filled and must live as long as the table.  NULL: no memory. */
struct prof_table *prof_field_table(const struct prof_field *fields, size_t field_count, const void *rows,
                                    size_t row_bytes, size_t count, struct prof_column *columns);

/* For `cell`: bytes, a uint64_t, with a unit. */
void prof_field_bytes(struct prof_table *, const void *bytes);

#endif
