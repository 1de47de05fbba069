/*
 * tools/statistics/discoveries.h - which of many rows may be called different.
 *
 * Source: Y. Benjamini, Y. Hochberg, "Controlling the false discovery rate" (1995), and for the intervals of the rows
 * called, Y. Benjamini, D. Yekutieli, "False discovery rate-adjusted multiple confidence intervals" (2005).
 */
#ifndef PROF_STATISTICS_DISCOVERIES_H
#define PROF_STATISTICS_DISCOVERIES_H

#include <stdbool.h>
#include <stddef.h>

/* Sets called[i] so that at most `rate` of the rows called are called wrongly.  Returns how many are; `chances` may
 * have any order.  SIZE_MAX: no memory. */
size_t prof_discoveries(const double *chances, size_t count, double rate, bool *called);

#endif
