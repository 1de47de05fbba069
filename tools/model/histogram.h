/*
 * tools/model/histogram.h - log-linear histogram of durations, relative error of a quantile <= 2%.
 *
 * Buckets as in HdrHistogram (G. Tene): 32 per octave, the middle of a bucket stands for it.
 */
#ifndef PROF_MODEL_HISTOGRAM_H
#define PROF_MODEL_HISTOGRAM_H

#include <stdint.h>

struct prof_histogram; /* definition: histogram.c / histogram_inline.h */

/* Value at quantile q in [0, 1], ticks; 0 when empty. */
uint64_t prof_histogram_quantile(const struct prof_histogram *, double q);
uint64_t prof_histogram_count(const struct prof_histogram *);

#endif
