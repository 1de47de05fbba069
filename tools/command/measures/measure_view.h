/*
 * tools/command/measures/measure_view.h - shows rows of a measure in the three forms.
 */
#ifndef PROF_COMMAND_MEASURE_VIEW_H
#define PROF_COMMAND_MEASURE_VIEW_H

#include "command/field.h"
#include "command/ranked.h"

#define PROF_MEASURE_MOST_FIELDS 24

struct prof_measure_view {
  const char *key; /* of the rows in JSON */
  const char *row; /* word for one row */
  const struct prof_field *fields;
  size_t field_count;
  const void *rows;
  size_t row_bytes, count;
  void (*above)(const void *context, const struct prof_output *); /* one line above the table */
  void (*members)(const void *context, struct prof_json *);       /* JSON before the rows */
  /* JSON of a row, if its fields aren't all; then fields serve tables and CSV only.  NULL: the fields */
  void (*row_json)(const void *context, size_t row, struct prof_json *);
  /* Makes the table of so many rows, where its columns depend on the recording; NULL: from the fields.  The result
   * NULL: no memory. */
  struct prof_table *(*table)(const void *context, size_t count);
  /* More tables below this one, which is left out without rows; more JSON.  NULL: none.  false: no memory. */
  bool (*below)(const void *context, const struct prof_output *);
  bool (*more)(const void *context, struct prof_json *);
  const void *context;
};

prof_status prof_measure_show(const struct prof_ranked *, const struct prof_reader *, const struct prof_measure_view *,
                              int *result, struct prof_diag *) PROF_MUST_CHECK;

/* Fills the diagnostic for a recording without this measure; PROF_EMPTY.  what: "allocations"; option: "--memory". */
prof_status prof_measure_missing(const prof_trace *, const char *what, const char *option, struct prof_diag *);

#endif
