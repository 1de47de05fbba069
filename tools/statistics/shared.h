/*
 * tools/statistics/shared.h - noise that several rows share.
 *
 * Job: a slow second of the machine makes all functions slower that ran then, in one run of several.  These rows
 * scatter together, and what they share can be told from their other noise.  In: two groups of runs.  Out: how strongly
 * each row takes part, and how much of it lies between the two groups, where it would be taken for a change.
 *
 * Only scatter within the groups tells who takes part, so changed rows don't.  How much lies between the groups is a
 * robust line through all rows: few changed ones don't move it.
 *
 * Source: J. Wang, Q. Zhao, T. Hastie, A. Owen, "Confounder adjustment in multiple hypothesis testing" (2017).
 */
#ifndef PROF_STATISTICS_SHARED_H
#define PROF_STATISTICS_SHARED_H

#include "statistics/two_groups.h"

#define PROF_SHARED_FREEDOM 2 /* degrees that finding it costs each row */

struct prof_shared {
  double *loadings; /* per row; NULL: rows share nothing that is known */
  double between;   /* a row's difference has this times its loading */
  double variance;  /* of `between` */
};

/* False: no memory. */
bool prof_shared_find(const struct prof_two_groups *, struct prof_shared *out);
void prof_shared_fini(struct prof_shared *);

#endif
