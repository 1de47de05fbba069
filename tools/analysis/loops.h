/*
 * tools/analysis/loops.h - how often did each loop run, how many iterations had it, and what did they cost?
 *
 * Job: rows for `prof loops`, for the end of `prof report` and for annotated sources.  In: a profile that was folded
 * with loops.  Out: an array that the caller frees.
 *
 * A loop with probes has times; its self time is without calls and without loops in it that have times.  A loop in it
 * without probes may be counted, or follow from the one around it; its time is not known.  What isn't known is said to
 * be so.  Entries without iteration may go unseen (the compiler tests before the loop), so they stand apart: figures
 * per entry are of entries with at least one iteration.
 */
#ifndef PROF_ANALYSIS_LOOPS_H
#define PROF_ANALYSIS_LOOPS_H

#include "estimate/profile.h"
#include "names/names.h"
#include "prof_study.h"

/*
 * Nests stand together, outer loops before inner ones; nests by the greatest value among their loops.  never_entered:
 * loops with probes that did not run in what is shown; they and the loops in them have no row.
 */
struct prof_loop_rows {
  struct prof_loop_row *rows;
  size_t count;
  uint64_t never_entered;
};

prof_status prof_loops_rank(const struct prof_profile *, struct prof_names *, enum prof_time_kind, enum prof_loop_sort,
                            struct prof_diag *, struct prof_loop_rows *out) PROF_MUST_CHECK;
void prof_loops_free(struct prof_loop_rows *);

/* The loop with the most self time of that kind; NULL: none has times. */
const struct prof_loop_row *prof_loops_hottest(const struct prof_loop_rows *);

/*
 * Could the loop stand in this file, a path in full?  Compilers give a loop's file as it was on their command line
 * ("../src/app.c"), so that files of one name in several folders may all be it.
 */
bool prof_loop_may_be_in(const struct prof_loop_row *, const char *file);

#endif
