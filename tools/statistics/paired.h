/*
 * tools/statistics/paired.h - differences of runs that followed each other, and when there are enough of them.
 *
 * Job: runs of the old and the new build took turns.  In: the logarithms of their times, pair by pair.  Out: the middle
 * of the differences (Hodges-Lehmann) with the interval of a rank test.  Few runs are outliers, and they hardly count.
 *
 * If the two runs of a pair are alike (they share the state of the machine), differences of pairs are looked at, which
 * takes slow changes out.  If they aren't, any two runs are compared: noise that only ever adds time, as other
 * programs' does, then makes intervals a quarter narrower.  How alike they are tells nothing about which side is
 * faster.
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

struct prof_turns {
  const double *values[2]; /* of the old and the new run of each pair */
  size_t count;
};

/* deviations: 1.96 for 95%.  False: no memory. */
bool prof_turns_middle(const struct prof_turns *, double deviations, struct prof_paired *out);

enum prof_pairs_end {
  PROF_PAIRS_GO_ON,
  PROF_PAIRS_PRECISE, /* the interval is within +-half */
  PROF_PAIRS_CLEAR,   /* the wide interval is beyond +-margin */
};
/* One look; *out: the interval to show.  False: no memory. */
bool prof_pairs_look(const struct prof_turns *, double half, double margin, enum prof_pairs_end *,
                     struct prof_paired *out);

/* About so many pairs give an interval of +-half, from the width of this one; 0: not known. */
size_t prof_pairs_needed(const struct prof_paired *, size_t count, double half);

#endif
