/*
 * tools/decide/diff.h - two groups of runs: which functions, loops, lines, commands became faster or slower?
 *
 * Job: rows with a ratio, its 95% interval and a verdict.  In: runs of the old and of the new side.  Out: rows in
 * display order: what changed first, by the time that it is.
 *
 * The unit is a run.  A row's value is the logarithm of its raw running self time per call; for many calls, of the
 * median self time of a call.  What all rows of a run have in common (the run factor) is removed and tested as a row of
 * its own, "everything".  Then a moderated t-test against a margin, with at most 5% of the rows called wrongly
 * (statistics/moderated.h, discoveries.h).  The ratio shown is that of the time without probes: probes cost the same on
 * both sides, so the difference as measured is a part of that.
 */
#ifndef PROF_DECIDE_DIFF_H
#define PROF_DECIDE_DIFF_H

#include "decide/diff_rows.h"

/* PROF_NO_MEMORY with a diagnostic. */
prof_status prof_diff_make(const struct prof_run_group groups[2], const struct prof_diff_options *, struct prof_diag *,
                           struct prof_diff *out) PROF_MUST_CHECK;
void prof_diff_fini(struct prof_diff *);

#endif
