/*
 * tools/analysis/lines/lines.h - which source lines cost how much?
 *
 * Job: rows for `prof lines` and `prof annotate`.  In: a profile with places, and a line source.  Out: a row per file
 * and line, sorted.  Inlined code belongs to its own line or, if requested, to the line of the outermost function that
 * it was inlined into.
 *
 * Self time comes from samples, and is time when threads ran.  Time when a function waited or was preempted in its own
 * code is a row with line 0 of the function, as the line is not known.  A sample in an uninstrumented library belongs
 * to the library's function, with the library as file; the kernel is one row.  Where the callers of samples were
 * recorded, its time is also that outside of the line that led there (outside.h).
 *
 * Time in calls of a line is the time in instrumented functions called from it; nested calls count once.  It is exact:
 * it comes from calls, not from samples.  In a recording with a budget, estimated calls and their time are divided
 * among the lines of a function as windows saw them.  Calls through uninstrumented code have no line: they belong to a
 * row with line 0 of the innermost instrumented function below.
 */
#ifndef PROF_ANALYSIS_LINES_H
#define PROF_ANALYSIS_LINES_H

#include <stdbool.h>

#include "analysis/lines/line_rows.h"
#include "estimate/samples.h"
#include "names/names.h"
#include "study/line_source.h"

/* Merges gpu_ns of another profile of the same trace: sets it in rows, adds rows that only `gpu` has, then sorts.
 * False: no memory. */
bool prof_lines_add_gpu(struct prof_line_rows *, const struct prof_line_rows *gpu, enum prof_line_sort) PROF_MUST_CHECK;

/* Omits rows without cost.  samples may be NULL: none.  PROF_NO_MEMORY with a diagnostic. */
prof_status prof_lines_rank(const struct prof_profile *, const struct prof_samples *, struct prof_names *,
                            const struct prof_line_source *, const struct prof_line_options *, struct prof_diag *,
                            struct prof_line_rows *out) PROF_MUST_CHECK;
void prof_lines_free(struct prof_line_rows *);

#endif
