/*
 * tools/analysis/loops.h - how often did each loop run, how many iterations had it, and what did they cost?
 *
 * Job: rows for `prof loops`, for the end of `prof report` and for annotated sources.  In: a profile that was folded
 * with loops.  Out: an array that the caller frees.
 *
 * An instrumented loop has times; its self time excludes calls and inner loops with times.  An uninstrumented inner
 * loop may be counted, or follow from its parent; its time is not known.  Rows mark what isn't known.  Entries without
 * iteration may be missed (the compiler tests before the loop), so they are counted separately: figures per entry are
 * of entries with at least one iteration.
 */
#ifndef PROF_ANALYSIS_LOOPS_H
#define PROF_ANALYSIS_LOOPS_H

#include "estimate/profile.h"
#include "names/names.h"
#include "prof_study.h"

/* Outer loops come before inner ones; nests are sorted by their greatest value.  never_entered: instrumented loops that
 * did not run in the part shown; they and their inner loops have no row. */
struct prof_loop_rows {
  struct prof_loop_row *rows;
  size_t count;
  uint64_t never_entered;
};

prof_status prof_loops_rank(const struct prof_profile *, struct prof_names *, enum prof_time_kind, enum prof_loop_sort,
                            struct prof_diag *, struct prof_loop_rows *out) PROF_MUST_CHECK;
void prof_loops_free(struct prof_loop_rows *);

/* The loop with the most self time of that kind; NULL: none's is known, or a loop whose isn't may have more. */
const struct prof_loop_row *prof_loops_hottest(const struct prof_loop_rows *);

/* Could the loop be in this file (a full path)?  A loop's file is the path on the compiler's command line
 * ("../src/app.c"), so that files of the same name in several folders may match. */
bool prof_loop_may_be_in(const struct prof_loop_row *, const char *file);

#endif
