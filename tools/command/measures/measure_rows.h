/*
 * tools/command/measures/measure_rows.h - what the commands of measures share: from the open recording to shown rows.
 */
#ifndef PROF_COMMAND_MEASURE_ROWS_H
#define PROF_COMMAND_MEASURE_ROWS_H

#include "analysis/measures/measured_place.h"
#include "command/reader.h"
#include "study/symbols.h"

struct prof_measure_found { /* by an analysis */
  bool recorded;            /* there was such an event */
  size_t count;             /* of rows */
  const char *remedy;       /* when there are none; NULL: wider filters */
};

struct prof_measure_work {
  const char *what;   /* "allocations", for messages */
  const char *option; /* of prof record: "--memory" */
  prof_status (*rank)(void *context, const struct prof_reader *, struct prof_symbols *, struct prof_diag *,
                      struct prof_measure_found *);
  prof_status (*show)(void *context, const struct prof_reader *, int *result, struct prof_diag *);
  void (*forget)(void *context);            /* what rank made, after a failure too */
  bool (*shows_lines)(const void *context); /* lines of the source, which may be missing; NULL: it does */
};

/* Ranks, shows and forgets.  PROF_EMPTY with a diagnostic: there is nothing to show. */
prof_status prof_measure_run(const struct prof_measure_work *, void *context, const struct prof_reader *, int *result,
                             struct prof_diag *) PROF_MUST_CHECK;

struct prof_shown_place { /* the first member of a row that shows a place */
  const char *function, *file, *via;
  uint64_t number; /* of the line, 0: unknown */
  char *line;      /* as tables name it */
};

/* Rows with their places filled: place_of(rows_context, i) gives that of row i.  NULL: no memory. */
void *prof_shown_rows_new(size_t count, size_t row_bytes,
                          const struct prof_measured_place *(*place_of)(const void *context, size_t row),
                          const void *context, struct prof_shown_paths *paths);
void prof_shown_rows_free(void *rows, size_t count, size_t row_bytes);

#endif
