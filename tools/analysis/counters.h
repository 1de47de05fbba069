/*
 * tools/analysis/counters.h - how many events of hardware counters did each function, loop or line make?
 *
 * Job: rows for `prof counters`.  In: a recording made with --counters.  Out: figures per row and counter
 * (counter_sums.h): a function's own part, and with its callees.
 */
#ifndef PROF_ANALYSIS_COUNTERS_H
#define PROF_ANALYSIS_COUNTERS_H

#include "analysis/counter_sums.h"

struct prof_counter_row {
  const char *name;    /* of the function, the loop's or line's function, or the module; never NULL */
  const char *file;    /* "": not known */
  uint32_t line;       /* 0: not known */
  uint32_t index;      /* of the function or loop in the trace; else PROF_NONE */
  const double *self;  /* by counter */
  const double *total; /* with callees; NULL: by line and module */
};

struct prof_counter_rows {
  struct prof_counter_row *rows; /* the greatest of the chosen counter first */
  size_t count;
  struct prof_counter_sums sums; /* what rows point to */
};

/*
 * by_counter: index of the counter to sort by.  Texts live as long as names and source.  PROF_EMPTY: no calls are left.
 * Free *out, after a failure too.
 */
prof_status prof_counters_rank(const prof_trace *, const struct prof_filter *, struct prof_names *,
                               const struct prof_line_source *, enum prof_counters_by, uint32_t by_counter,
                               struct prof_diag *, struct prof_counter_rows *out) PROF_MUST_CHECK;
void prof_counters_free(struct prof_counter_rows *);

#endif
