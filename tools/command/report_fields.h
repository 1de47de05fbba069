/*
 * tools/command/report_fields.h - the fields of `prof report`: names, columns, and the cells of a row.
 *
 * Job: one table of fields serves -f, tables, JSON, CSV and `prof tui`.  In: rows of analysis/functions.h.  Out:
 * columns and cells (view/table.h).
 */
#ifndef PROF_COMMAND_REPORT_FIELDS_H
#define PROF_COMMAND_REPORT_FIELDS_H

#include "analysis/functions.h"
#include "counter_columns.h"
#include "view/table.h"

#define PROF_REPORT_MOST_FIELDS (60 + PROF_COUNTER_MOST_COLUMNS)

struct prof_report_field;

struct prof_report_fields { /* chosen ones, in order */
  const struct prof_report_field *items[PROF_REPORT_MOST_FIELDS];
  const struct prof_counter_column *of_counters[PROF_REPORT_MOST_FIELDS]; /* where the item is NULL */
  size_t count;
  const struct prof_counter_columns *counters; /* NULL: none */
  bool waits_estimated;                        /* when threads ran, in all rows that have waits */
};

struct prof_report_shape { /* what decides which fields there are without -f */
  enum prof_group by;
  enum prof_time_kind time;
  bool table;                                  /* for people; else JSON or CSV */
  bool cpu;                                    /* running, waiting and preempted times in a table too */
  bool one_process;                            /* a table needs no process */
  const struct prof_counter_columns *counters; /* NULL: none */
  bool has_budget, has_gpu, has_samples, has_switches, has_zones; /* the recording has them */
};

extern const char *const prof_report_keys[PROF_GROUPS]; /* "functions", ...: of arrays in JSON, and plural words */
extern const char *const prof_report_sorts[];           /* words of enum prof_sort, NULL-terminated */

/* Parses a list "total,self,name".  PROF_USAGE with a diagnostic. */
prof_status prof_report_fields_parse(const char *list, enum prof_group, const struct prof_counter_columns *,
                                     struct prof_diag *, struct prof_report_fields *) PROF_MUST_CHECK;
/* In JSON and CSV all fields that are known; in a table the usual ones, the name last. */
void prof_report_fields_choose(const struct prof_report_shape *, struct prof_report_fields *);
/* Removes the column of hot lines. */
void prof_report_fields_drop_hot(struct prof_report_fields *);
/* Is a duration of single calls among them? */
bool prof_report_fields_have_durations(const struct prof_report_fields *);
/* Is a figure of a counter among them? */
bool prof_report_fields_have_counters(const struct prof_report_fields *);

/* Fills a column for each field.  wanted: chosen by -f, so that none is spare. */
void prof_report_columns(const struct prof_report_fields *, const struct prof_report_shape *, bool wanted,
                         struct prof_column columns[PROF_REPORT_MOST_FIELDS]);
/* Adds a row's cells.  step_ns: resolution of a single call's duration. */
void prof_report_cells(struct prof_table *, const struct prof_report_fields *, const struct prof_function_row *,
                       bool is_table, uint32_t step_ns);
/* The resolution of a single call's duration, at least 1 ns. */
uint32_t prof_report_step_ns(const prof_trace *);

#endif
