/*
 * tools/statistics/moderated.h - two groups of runs, many rows: what changed in each row?
 *
 * Job: with three to ten runs a side, a row's own variance is hardly known.  It is shrunk to what the variances of all
 * rows have in common, as far as they have it (empirical Bayes), and the degrees of freedom grow by that.  In:
 * logarithms of a row's value in each run.  Out: the difference of the means and its uncertainty.
 *
 * Source: G. Smyth, "Linear models and empirical Bayes methods for assessing differential expression" (2004): the prior
 * is fitted by the moments of the logarithms of the variances.
 */
#ifndef PROF_STATISTICS_MODERATED_H
#define PROF_STATISTICS_MODERATED_H

#include "statistics/two_groups.h"

struct prof_difference {
  double estimate; /* mean of the second group less mean of the first */
  double error;    /* its standard error; never 0 */
  double freedom;
  double deviation; /* standard deviation of a run, as it was used */
};

struct prof_bounds_of_effect {
  double low, high;
};

/* False: no memory.  `out` has an element for each row. */
bool prof_moderated(const struct prof_two_groups *, struct prof_difference *out);

/* Probability of an estimate that far away, or further, if the effect is within +-margin. */
double prof_effect_chance(const struct prof_difference *, double margin);

/* The interval that misses the effect with this probability. */
struct prof_bounds_of_effect prof_effect_bounds(const struct prof_difference *, double missed);

/* So many runs a side show an effect of this size beyond the margin, in nine of ten trials; SIZE_MAX: it is within. */
size_t prof_effect_runs(const struct prof_difference *, double size, double margin);

#endif
