/*
 * tools/statistics/median.h - the middle of some numbers.
 */
#ifndef PROF_STATISTICS_MEDIAN_H
#define PROF_STATISTICS_MEDIAN_H

#include <stddef.h>

/* Sorts them; of an even count the mean of the two in the middle; 0: there are none. */
double prof_median(double *values, size_t count);

#endif
