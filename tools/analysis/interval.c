/*
 * tools/analysis/interval.c - see interval.h.
 */
#include "analysis/interval.h"

#include <math.h>

#define Z95 1.959963984540054 /* 97.5% of the normal distribution lie below */

struct prof_interval prof_interval_share(uint64_t count, uint64_t all) {
  if (all == 0)
    return (struct prof_interval){0, 1};
  if (count > all)
    count = all;
  double n = (double)all, share = (double)count / n, z2 = Z95 * Z95;
  double middle = (share + z2 / (2 * n)) / (1 + z2 / n);
  double half = Z95 * sqrt(share * (1 - share) / n + z2 / (4 * n * n)) / (1 + z2 / n);
  double low = middle - half, high = middle + half;
  return (struct prof_interval){count == 0 || low < 0 ? 0 : low, count == all || high > 1 ? 1 : high};
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
