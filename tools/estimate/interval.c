/*
 * tools/estimate/interval.c - see interval.h.
 */
#include "estimate/interval.h"

#include <math.h>
#include <stdbool.h>

#define Z95 1.959963984540054 /* 97.5% of the normal distribution lie below */

/* share, among n samples. */
static struct prof_interval wilson(double share, double n) {
  double z2 = Z95 * Z95;
  double middle = (share + z2 / (2 * n)) / (1 + z2 / n);
  double half = Z95 * sqrt(share * (1 - share) / n + z2 / (4 * n * n)) / (1 + z2 / n);
  double low = middle - half, high = middle + half;
  return (struct prof_interval){share <= 0 || low < 0 ? 0 : low, share >= 1 || high > 1 ? 1 : high};
}

struct prof_interval prof_interval_share(uint64_t count, uint64_t all) {
  if (all == 0)
    return (struct prof_interval){0, 1};
  if (count > all)
    count = all;
  return wilson((double)count / (double)all, (double)all);
}

double prof_weighted_share(const struct prof_weighted *part, const struct prof_weighted *all) {
  if (all->sum > 0)
    return part->sum / all->sum;
  return all->count ? (double)part->count / (double)all->count : 0;
}

/* So many samples of one weight vary as these do. */
static double equal_samples(const struct prof_weighted *part, const struct prof_weighted *all, double share) {
  double rest = all->squares - part->squares;
  /* Counts vary as Poisson's: a part of so much, and the rest of the sum that it is divided by. */
  double variance =
      ((1 - share) * (1 - share) * part->squares + share * share * (rest > 0 ? rest : 0)) / (all->sum * all->sum);
  bool inside = share > 0 && share < 1 && variance > 0;
  return inside ? share * (1 - share) / variance : all->sum * all->sum / all->squares;
}

struct prof_interval prof_interval_bounded(const struct prof_weighted *part, const struct prof_weighted *all,
                                           double most) {
  if (all->count == 0)
    return prof_interval_share(0, 0);
  double share = fmin(prof_weighted_share(part, all), 1), n = (double)all->count;
  if (all->sum > 0 && all->squares > all->sum * all->sum / n * (1 + 1e-9)) /* they differ in weight */
    n = equal_samples(part, all, share);
  return wilson(share, isinf(most) ? n : 1 / (1 / n + 1 / most));
}

struct prof_interval prof_interval_weighted(const struct prof_weighted *part, const struct prof_weighted *all) {
  return prof_interval_bounded(part, all, INFINITY);
}

struct prof_interval prof_interval_widened(struct prof_interval share, double shadow, double own_shadow,
                                           double disturbed) {
  double low = share.low / (1 + shadow) / (1 + disturbed), high = (share.high + own_shadow) * (1 + disturbed);
  return (struct prof_interval){low, high < 1 ? high : 1};
}

/* count * (1 - 1 / (9 count) +- z / (3 sqrt(count)))^3: cubes of gamma variates are nearly normal. */
static double cubed(double count, double z) {
  double root = 1 - 1 / (9 * count) + z / (3 * sqrt(count));
  return root > 0 ? count * root * root * root : 0;
}

struct prof_interval prof_interval_count(uint64_t count) {
  double seen = (double)count;
  return (struct prof_interval){count ? cubed(seen, -Z95) : 0, cubed(seen + 1, Z95)};
}
