/*
 * tools/view/table.h - typed rows, shown as a table, as JSON or as CSV.
 *
 * The caller names the columns once, adds cells row by row, and chooses a form at the end.  Keys are those of
 * docs/json.md.
 */
#ifndef PROF_VIEW_TABLE_H
#define PROF_VIEW_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/json.h"
#include "fit.h"

enum prof_cell_kind {
  PROF_CELL_TEXT,  /* left-aligned; escaped in tables */
  PROF_CELL_COUNT, /* table: 12,345 */
  PROF_CELL_BYTES, /* table: 1.23 KiB; JSON and CSV: whole bytes */
  PROF_CELL_NS,    /* table: 1.23 ms; JSON and CSV: whole nanoseconds */
  PROF_CELL_SHARE, /* 0 to 1; table: 12.3%; JSON and CSV: the number */
  PROF_CELL_MEAN,  /* of counts; table: 12.5, 1,235; JSON and CSV: the number */
  PROF_CELL_PART,  /* nanoseconds with fractions; table: 0.31 ns, then as NS; JSON and CSV: the number */
  PROF_CELL_FLAG,  /* a count of 0 or 1, for JSON and CSV: false, true */
};

struct prof_column {
  const char *key;   /* JSON and CSV; NULL: only in tables */
  const char *title; /* tables; NULL: only in JSON and CSV */
  enum prof_cell_kind kind;
  enum prof_cut cut; /* how too wide texts are cut */
  unsigned spare;    /* not 0: dropped from a too wide table, the greatest first */
};

struct prof_table; /* memory: 16 bytes per cell, and the texts */

/* columns are borrowed until prof_table_free.  NULL: no memory. */
struct prof_table *prof_table_new(const struct prof_column *columns, size_t column_count);
void prof_table_free(struct prof_table *);

/*
 * Adds the next cell, in the order of the columns; after the last column a new row begins.  Texts are copied.
 * prof_table_failed reports a lack of memory.
 */
void prof_table_text(struct prof_table *, const char *);
/* The same; the first `lead` bytes are branches or an indent before the name. */
void prof_table_text_after(struct prof_table *, const char *, size_t lead);
void prof_table_count(struct prof_table *, uint64_t); /* also BYTES and NS */
void prof_table_share(struct prof_table *, double);   /* also MEAN and PART */
/* NS: a duration below the clock's step; table: <10 ns; JSON and CSV: the duration. */
void prof_table_below(struct prof_table *, uint64_t, uint32_t bound_ns);
void prof_table_unknown(struct prof_table *); /* table: -; JSON: null; CSV: an empty field.  Not for texts */
/* The number that was added last is an estimate: ~ stands before it in tables. */
void prof_table_estimated(struct prof_table *);
/* Likewise, the true number may be greater: >. */
void prof_table_at_least(struct prof_table *);
bool prof_table_failed(const struct prof_table *);

/* Widens each column's entry of `widest` to what shows everything. */
void prof_table_measure(const struct prof_table *, size_t *widest);

struct prof_table_style {
  bool color;
  bool utf8;
  size_t width;   /* columns; 0: no limit */
  size_t *widest; /* per column, the widest so far: a column is at least as wide, and it is updated; NULL: none */
};
/*
 * No line is wider than style.width.  Spare columns are dropped first, then texts are cut so that different ones stay
 * different (fit.h), then further columns are dropped, which a line below reports.
 */
void prof_table_print(const struct prof_table *, FILE *, const struct prof_table_style *);
void prof_table_json(const struct prof_table *, struct prof_json *, const char *key); /* an array of objects */
/* One row as an object; the row must exist. */
void prof_table_json_row(const struct prof_table *, size_t row, struct prof_json *, const char *key);
void prof_table_csv(const struct prof_table *, FILE *); /* with a header line */

struct prof_table_lead { /* a column before the others, the same in all rows */
  const char *key, *text;
};
void prof_table_csv_after(const struct prof_table *, FILE *, const struct prof_table_lead *, size_t leads, bool header);

#endif
