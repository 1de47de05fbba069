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

/* calls: what the bounds are of. */
void prof_bounds_add(struct prof_bounds *, const struct prof_estimated *, uint64_t calls);

struct prof_bounds_shown {
  bool calls_estimated, total_estimated, self_estimated, has_calls_high;
  uint64_t calls_low, calls_high, self_low_ticks, self_high_ticks;
};

/* Of sums. */
struct prof_bounds_shown prof_bounds_show(const struct prof_bounds *, uint64_t calls, uint64_t self_ticks);

/* Whether the shortest and the longest call can be told of so many calls, `timed` of which have durations. Durations of
 * a small part of them, from the time before they were counted in windows, are no picture of all. */
bool prof_bounds_know_extremes(const struct prof_bounds_shown *, uint64_t calls, uint64_t timed);

/* The same of a function, or of a loop by its number (loop_frames.h). */
bool prof_figures_know_extremes(const struct prof_profile *, uint32_t number, const struct prof_function_figures *);

/* The bounds of one function or node of a profile; of a recording without a budget nothing is estimated. */
struct prof_bounds_shown prof_bounds_of(const struct prof_estimated *, uint32_t index, uint64_t calls,
                                        uint64_t self_ticks);

#endif
