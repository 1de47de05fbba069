/*
 * tools/analysis/lines/lines.h - which source lines cost how much?
 *
 * Job: rows for `prof lines` and `prof annotate`.  In: a profile whose calls are told apart by place, and who knows the
 * source.  Out: a row per file and line, sorted.  Code that was inlined belongs to the line that it came from, or, when
 * asked for, to the line of the outermost function that it was inlined into.
 *
 * Self time comes from samples, and is time in which threads ran.  What a function waited or was preempted in its own
 * code is a row with line 0 of the function, as nobody knows the line.  A sample in a library without probes counts for
 * the library's function, the file being the library, and all of the kernel is one row: they are no cost of the line
 * that called.
 *
 * Time in calls of a line: in probed functions that were called from it, counted once where such calls lie within each
 * other.  It is exact: it comes from calls, not from samples.  What was called by way of code without probes has no
 * line: it belongs to a row with line 0 of the innermost probed function below.
 */
#ifndef PROF_ANALYSIS_LINES_H
#define PROF_ANALYSIS_LINES_H

#include <stdbool.h>

#include "analysis/lines/line_times.h"
#include "estimate/interval.h"
#include "estimate/profile.h"
#include "estimate/samples.h"
#include "names/names.h"
#include "prof_study.h"
#include "study/line_source.h"

struct prof_line_options {
  bool inlined_at; /* inlined code belongs to where it was inlined */
  bool raw;        /* measured times as they are; else without what it cost to measure them */
  bool within;     /* only samples in frames that are shown */
  enum prof_time_kind time;
  enum prof_line_sort sort;
  const uint64_t *gpu_ticks; /* by node: the GPU's time asked for in it itself (gpu_moments.h); NULL: not wanted */
};

struct prof_line_rows { /* texts live as long as these, names, trace and source */
  struct prof_line_row *rows;
  size_t count;
  uint64_t samples;
  struct prof_time_ns self; /* of all rows */
  enum prof_time_kind time;
  struct prof_line_times times;
};

/*
 * Takes gpu_ns of the rows of another profile of the same trace over, and rows that are only there; then sorts anew.
 * False: no memory.
 */
bool prof_lines_add_gpu(struct prof_line_rows *, const struct prof_line_rows *gpu, enum prof_line_sort) PROF_MUST_CHECK;

/* Rows without any cost are not there.  samples may be NULL: none.  PROF_NO_MEMORY with a diagnostic. */
prof_status prof_lines_rank(const struct prof_profile *, const struct prof_samples *, struct prof_names *,
                            const struct prof_line_source *, const struct prof_line_options *, struct prof_diag *,
                            struct prof_line_rows *out) PROF_MUST_CHECK;
void prof_lines_free(struct prof_line_rows *);

#endif
