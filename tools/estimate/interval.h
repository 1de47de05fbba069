/*
 * tools/estimate/interval.h - confidence intervals of 95% for figures from samples.
 *
 * Job: from counts of samples to the range in which the true share, or the true expected count, lies in 19 of 20 cases.
 * Shares by E. B. Wilson (J. Am. Stat. Assoc. 22, 1927), whose range stays within 0 and 1 and is right for few samples
 * too; counts by Byar's approximation to the Poisson limits (N. E. Breslow, N. E. Day, Statistical Methods in Cancer
 * Research II, 1987, p. 69), at most 0.03 away from them.
 */
#ifndef PROF_ESTIMATE_INTERVAL_H
#define PROF_ESTIMATE_INTERVAL_H

#include <stdint.h>

#include "prof_study.h"

/* Of the share count/all, in [0, 1].  all 0: nothing is known, 0 to 1.  count above all counts as all. */
struct prof_interval prof_interval_share(uint64_t count, uint64_t all);

/* Samples of different weights: how many, the sum of their weights, and of the squares of these. */
struct prof_weighted {
  uint64_t count;
  double sum, squares;
};

static inline void prof_weighted_add(struct prof_weighted *to, uint64_t count, double weight) {
  to->count += count;
  to->sum += weight * (double)count;
  to->squares += weight * weight * (double)count;
}

static inline void prof_weighted_join(struct prof_weighted *to, const struct prof_weighted *from) {
  to->count += from->count;
  to->sum += from->sum;
  to->squares += from->squares;
}

/* Share of the part; where weights are not known (0), of the counts.  0: there is nothing. */
double prof_weighted_share(const struct prof_weighted *part, const struct prof_weighted *all);
/* Its interval: as of equal samples, so many that they vary as much. */
struct prof_interval prof_interval_weighted(const struct prof_weighted *part, const struct prof_weighted *all);
/* The same, where any number of samples is worth `most` at most, as more than chance makes the share vary. */
struct prof_interval prof_interval_bounded(const struct prof_weighted *part, const struct prof_weighted *all,
                                           double most);

/*
 * Widens an interval because recording itself changes shares.  `shadow`: the work in all functions that samples may
 * have missed, as a part of what they saw; `own_shadow`: at most in this function; `disturbed`: relative uncertainty
 * for other reasons.
 */
struct prof_interval prof_interval_widened(struct prof_interval, double shadow, double own_shadow, double disturbed);

/* Of the expected count where `count` were seen. */
struct prof_interval prof_interval_count(uint64_t count);

#endif
