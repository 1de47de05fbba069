/*
 * tools/analysis/lines/line_rows.h - from the costs of lines to rows, sorted.  For lines.c.
 */
#ifndef PROF_ANALYSIS_LINE_ROWS_H
#define PROF_ANALYSIS_LINE_ROWS_H

#include <stdbool.h>

#include "analysis/lines/line_parts.h"
#include "analysis/lines/line_times.h"
#include "estimate/interval.h"
#include "estimate/profile.h"
#include "prof_study.h"

struct prof_line_options {
  bool inlined_at; /* inlined code belongs to where it was inlined */
  bool raw;        /* keep the cost of the measurement in measured times */
  bool within;     /* only samples in frames that are shown */
  enum prof_time_kind time;
  enum prof_line_sort sort;
  const uint64_t *gpu_ticks; /* by node: GPU time that it launched itself (gpu_moments.h); NULL: not wanted */
};

struct prof_line_rows { /* texts live as long as these, names, trace and source */
  struct prof_line_row *rows;
  size_t count;
  uint64_t samples;
  struct prof_time_ns self; /* of all rows */
  enum prof_time_kind time;
  struct prof_line_times times;
};

/* Fills all but `times`.  PROF_NO_MEMORY. */
prof_status prof_line_rows_make(const struct prof_line_parts *, const struct prof_profile *,
                                const struct prof_line_options *, struct prof_line_rows *out) PROF_MUST_CHECK;
/* Sorts them anew. */
void prof_line_rows_sort(struct prof_line_rows *, enum prof_line_sort);

#endif
