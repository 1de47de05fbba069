/*
 * tools/statistics/paired.h - differences of runs that followed each other, and when there are enough of them.
 *
 * Job: a run of the old build and one of the new, one after the other, share the state of the machine.  In: the
 * logarithm of new by old for each pair.  Out: the middle of the differences (Hodges-Lehmann) with the interval of the
 * signed-rank test.  Few runs are outliers, and they hardly count.
 *
 * Stopping: looking at the result after each run would call noise a difference in a fifth of the cases.  So pairs stop
 * when the interval is narrow, or when a far wider one is clear of the margin.
 */
#ifndef PROF_STATISTICS_PAIRED_H
#define PROF_STATISTICS_PAIRED_H

#include <stdbool.h>
#include <stddef.h>

#define PROF_PAIRS_FIRST 10u /* that a first look needs */
#define PROF_PAIRS_STEP 4u   /* between looks */

struct prof_paired {
  double estimate, low, high; /* infinite bounds: too few pairs */
};

/* deviations: 1.96 for 95%.  False: no memory. */
bool prof_paired_middle(const double *differences, size_t count, double deviations, struct prof_paired *out);

enum prof_pairs_end {
  PROF_PAIRS_GO_ON,
  PROF_PAIRS_PRECISE, /* the interval is within +-half */
  PROF_PAIRS_CLEAR,   /* the wide interval is beyond +-margin */
};
/* One look; *out: the interval to show.  False: no memory. */
bool prof_pairs_look(const double *differences, size_t count, double half, double margin, enum prof_pairs_end *,
                     struct prof_paired *out);

/* About so many pairs give an interval of +-half, from the width of this one; 0: not known. */
size_t prof_pairs_needed(const struct prof_paired *, size_t count, double half);

#endif
