/*
 * tools/analysis/bounds.h - bounds of sums of estimated figures, in recordings with a budget.
 *
 * The errors of the summands are taken as independent: squares of distances add up.
 */
#ifndef PROF_ANALYSIS_BOUNDS_H
#define PROF_ANALYSIS_BOUNDS_H

#include "estimate/profile.h"

struct prof_bounds {
  uint8_t what;                                                /* PROF_ESTIMATED_ of any summand */
  double calls_below2, calls_above2, self_below2, self_above2; /* squares of the distances, in calls and ticks */
};

/* calls, self_ticks: what the bounds are of. */
void prof_bounds_add(struct prof_bounds *, const struct prof_estimated *, uint64_t calls, uint64_t self_ticks);

struct prof_bounds_shown {
  bool calls_estimated, total_estimated, self_estimated, has_calls_high;
  uint64_t calls_low, calls_high, self_low_ticks, self_high_ticks;
};

/* Of sums. */
struct prof_bounds_shown prof_bounds_show(const struct prof_bounds *, uint64_t calls, uint64_t self_ticks);

#endif
