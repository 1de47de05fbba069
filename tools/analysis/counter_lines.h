/*
 * tools/analysis/counter_lines.h - adds to rows of lines those with counted events alone.
 *
 * In: rows of lines.h, sums by line.  Out: more rows, whose only cost is what counters counted there.
 */
#ifndef PROF_ANALYSIS_COUNTER_LINES_H
#define PROF_ANALYSIS_COUNTER_LINES_H

#include "analysis/counter_sums.h"
#include "analysis/lines/lines.h"

/* Sorts the rows anew.  The sums must live as long as the rows.  PROF_NO_MEMORY with a diagnostic. */
prof_status prof_counter_lines_add(const struct prof_counter_sums *, enum prof_line_sort, struct prof_diag *,
                                   struct prof_line_rows *) PROF_MUST_CHECK;

#endif
