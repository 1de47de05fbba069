/*
 * tools/statistics/two_groups.h - what is known of two groups of runs: a number for each row in each run.
 */
#ifndef PROF_STATISTICS_TWO_GROUPS_H
#define PROF_STATISTICS_TWO_GROUPS_H

#include <stdbool.h>
#include <stddef.h>

struct prof_two_groups {
  size_t rows, runs[2];         /* runs of each side: at least 1, and 3 in all */
  const double *values[2];      /* [row * runs + run] */
  const double *least_variance; /* per row, of one run: known from elsewhere (clock, samples); NULL: none */
  bool shared_noise;            /* noise that rows share is found and removed (shared.h) */
};

#endif
