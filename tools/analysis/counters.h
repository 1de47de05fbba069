/*
 * tools/analysis/counters.h - how many events of hardware counters did each function, loop or line make?
 *
 * Job: rows for `prof counters`.  In: a recording made with --counters.  Out: figures per row and counter, from
 * samples: a function's own part, and with its callees.  Figures that follow from two counters (instructions per cycle)
 * are ratios of these sums, in prof_counter_ratios.
 */
#ifndef PROF_ANALYSIS_COUNTERS_H
#define PROF_ANALYSIS_COUNTERS_H

#include "estimate/counted.h"
#include "names/names.h"
#include "study/line_source.h"

enum prof_counters_by {
  PROF_COUNTERS_BY_FUNCTION,
  PROF_COUNTERS_BY_LOOP,
  PROF_COUNTERS_BY_LINE,
  PROF_COUNTERS_BY_MODULE
};

struct prof_counter_row {
  const char *name;    /* of the function, the loop's or line's function, or the module; never NULL */
  const char *file;    /* "": not known */
  uint32_t line;       /* 0: not known */
  uint32_t index;      /* of the function or loop in the trace; else PROF_NONE */
  const double *self;  /* by counter */
  const double *total; /* with callees; NULL: by line and module */
};

struct prof_counter_sum {
  double shown; /* in rows */
  double own;   /* in the profiler's code in the program */
  double other; /* in threads without events, outside of calls, and by loop outside of loops */
};

struct prof_counter_rows {
  struct prof_counter_row *rows; /* the greatest of the chosen counter first */
  size_t count;
  struct prof_counter_sum *sums; /* by counter */
  const struct prof_pmu *counters;
  uint32_t counter_count;
  double *figures; /* what rows point to */
};

/*
 * by_counter: index of the counter to sort by.  Texts live as long as names and source.  PROF_EMPTY: no calls are left.
 * Free *out, after a failure too.
 */
prof_status prof_counters_rank(const prof_trace *, const struct prof_filter *, struct prof_names *,
                               const struct prof_line_source *, enum prof_counters_by, uint32_t by_counter,
                               struct prof_diag *, struct prof_counter_rows *out) PROF_MUST_CHECK;
void prof_counters_free(struct prof_counter_rows *);

/* ---- ratios ---- */

struct prof_counter_ratio {
  const char *key, *title;
  const char *above, *below; /* names of counters */
  double times;              /* 1: a ratio of two; 1000: per thousand */
  bool is_share;
};
/* By index; NULL: no more. */
const struct prof_counter_ratio *prof_counter_ratio(uint32_t index);
/* The index of a counter that counted, by name, whatever follows ":"; UINT32_MAX: none. */
uint32_t prof_counter_find(const struct prof_pmu *, uint32_t count, const char *name);

#endif
