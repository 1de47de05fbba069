/*
 * tools/command/field.h - a column of a table, and the member of a row that its cells show.
 *
 * Job: one description per column serves tables, JSON and CSV.  In: rows of an analysis.  Out: cells (view/table.h).
 */
#ifndef PROF_COMMAND_FIELD_H
#define PROF_COMMAND_FIELD_H

#include "base/member.h"
#include "view/table.h"

struct prof_field {
  struct prof_column column;
  struct prof_member member; /* of the row: a text, uint64_t, or double; a uint32_t is a label: no digit groups */
  size_t known;              /* offset of the bool "is known"; 0: always known */
  /* Computes the cell from the member, or from the row if there is no member; NULL: shows the member. */
  void (*cell)(struct prof_table *, const void *value);
};

/* Adds the next cell of the table. */
void prof_field_cell(struct prof_table *, const struct prof_field *, const void *row);

/* Makes a table of `count` rows.  Fills the columns, which must live as long as the table.  NULL: no memory. */
struct prof_table *prof_field_table(const struct prof_field *fields, size_t field_count, const void *rows,
                                    size_t row_bytes, size_t count, struct prof_column *columns);

/* For `cell`: a uint64_t of bytes, with a unit. */
void prof_field_bytes(struct prof_table *, const void *bytes);

#endif
