/*
 * tools/command/counter_columns.h - columns of hardware counters beside the others of a table.
 *
 * Job: what `prof counters` shows, as columns of `report`, `lines`, `loops`, `tree` and `annotate`.  In: a recording,
 * and what a row is (analysis/counter_sums.h).  Out: columns, cells, members of JSON, an order of rows.  A recording
 * without counters that counted has no such columns.
 */
#ifndef PROF_COMMAND_COUNTER_COLUMNS_H
#define PROF_COMMAND_COUNTER_COLUMNS_H

#include "analysis/counter_sums.h"
#include "analysis/lines/line_rows.h"
#include "base/arena.h"
#include "base/csv.h"
#include "base/json.h"
#include "study/recording.h"
#include "view/table.h"
#include "view/units.h"

#define PROF_COUNTER_MOST 32         /* counters that get columns */
#define PROF_COUNTER_MOST_COLUMNS 80 /* two each, and ratios */

struct prof_counter_column {
  struct prof_column column;
  const char *word; /* for -f and -s: "cycles", "cycles-total", "ipc" */
  uint32_t counter; /* index; of a ratio PROF_NONE */
  const struct prof_counter_ratio *ratio;
  bool total; /* with callees: in data, and in a table that asks for it */
};

struct prof_counter_columns {
  const prof_trace *trace;
  struct prof_counter_column items[PROF_COUNTER_MOST_COLUMNS];
  size_t count; /* 0: no columns */
  struct prof_counter_sums sums;
  struct prof_arena texts;
};

/* A counter's name in a head line: in capitals, and safe for a terminal (base/text.h).  It is cut if it doesn't fit. */
void prof_counter_title(char *out, size_t out_bytes, const char *name);

/* The columns, without figures.  totals: rows have callees.  Free it, after a failure too. */
prof_status prof_counter_columns_init(struct prof_counter_columns *, const prof_trace *, bool totals,
                                      struct prof_diag *) PROF_MUST_CHECK;
/* Sums up the figures, if there are columns. */
prof_status prof_counter_columns_sum(struct prof_counter_columns *, const struct prof_recording *,
                                     const struct prof_counter_keys *, struct prof_diag *) PROF_MUST_CHECK;
void prof_counter_columns_free(struct prof_counter_columns *);

/* NULL: no column has this word. */
const struct prof_counter_column *prof_counter_column_find(const struct prof_counter_columns *, const char *word);

/*
 * Appends the columns of a table for people, or of data, to `count` others; returns the new number.  On a narrow
 * terminal the others' spare columns are dropped first.
 */
size_t prof_counter_columns_add(const struct prof_counter_columns *, bool people, struct prof_column *, size_t count);
/* Adds the cells of these columns.  key: of sums; PROF_NONE: nothing was counted there. */
void prof_counter_cells(const struct prof_counter_columns *, struct prof_table *, bool people, uint32_t key);
void prof_counter_cell(const struct prof_counter_columns *, const struct prof_counter_column *, struct prof_table *,
                       uint32_t key);
/* The same as members of an open object; ratios without a value are null. */
void prof_counter_json(const struct prof_counter_columns *, struct prof_json *, uint32_t key);

/* The same as fields of a line of CSV; key_line: its head instead. */
void prof_counter_csv(const struct prof_counter_columns *, struct prof_csv *, bool key_line, uint32_t key);
/* A figure as text; "": none, or 0.  Returns `out`. */
const char *prof_counter_text(const struct prof_counter_columns *, const struct prof_counter_column *, uint32_t key,
                              char out[PROF_UNITS_BYTES + 1]);

/* ---- -s ---- */

/*
 * The column that -s names.  words: the command's own, for the message.  PROF_USAGE with a diagnostic: the recording
 * has no such column.
 */
prof_status prof_counter_sort_find(struct prof_counter_columns *, const char *word, const char *const *words,
                                   struct prof_diag *, const struct prof_counter_column **out) PROF_MUST_CHECK;

struct prof_counter_rows_of { /* rows of any kind */
  void *rows;
  size_t count, row_bytes;
  uint32_t (*key)(const struct prof_counter_columns *, const void *row);
  bool (*is_first)(const void *row); /* of rows that stay together, the greatest counts; NULL: each is alone */
};
/* Sorts, the greatest first; equal rows keep their order. */
prof_status prof_counter_sort(const struct prof_counter_columns *, const struct prof_counter_column *,
                              const struct prof_counter_rows_of *, struct prof_diag *) PROF_MUST_CHECK;

/* ---- keys ---- */

static inline uint32_t prof_counter_key_of_line(const struct prof_counter_columns *columns,
                                                const struct prof_line_row *row) {
  return columns->count ? prof_counter_line_key(&columns->sums, row->file, row->line, row->function) : PROF_NONE;
}

#endif
