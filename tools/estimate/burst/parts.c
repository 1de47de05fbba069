/*
 * tools/estimate/burst/parts.c - see parts.h.
 */
#include "estimate/burst/parts.h"

#include <math.h>

#define Z99 2.326347874040841
#define LEAST_EXPECTED 0.5 /* samples: fewer would make one sample contradict */

struct sums {
  double calls, samples;
};

static struct sums sum_up(const struct prof_burst_part *parts, size_t count) {
  struct sums sums = {0, 0};
  for (size_t i = 0; i < count; i++) {
    sums.calls += parts[i].calls;
    sums.samples += parts[i].samples;
  }
  return sums;
}

/* Samples beneath the node, if all its calls are alike. */
static double expected(const struct prof_burst_part *part, const struct sums *sums) {
  return fmax(sums->samples * part->calls / sums->calls, LEAST_EXPECTED);
}

/* What chance exceeds once in a hundred, of `count` degrees of freedom (E. B. Wilson, M. M. Hilferty, PNAS 17, 1931).
 */
static double most_by_chance(double count) {
  double part = 2 / (9 * count), root = 1 - part + Z99 * sqrt(part);
  return count * root * root * root;
}

/* Of the factors between nodes; 0: samples don't contradict that all are 1. */
static double variance(const struct prof_burst_part *parts, size_t count, const struct sums *sums) {
  double chance = (double)count - 1, statistic = 0, all = 0, squares = 0;
  for (size_t i = 0; i < count; i++) {
    double of = expected(&parts[i], sums);
    statistic += (parts[i].samples - of) * (parts[i].samples - of) / of;
    all += of;
    squares += of * of;
  }
  double weight = all - squares / all;
  return chance > 0 && weight > 0 && statistic > most_by_chance(chance) ? (statistic - chance) / weight : 0;
}

void prof_burst_parts(struct prof_burst_part *parts, size_t count) {
  const struct sums sums = sum_up(parts, count);
  double spread = sums.calls > 0 && sums.samples > 0 ? variance(parts, count, &sums) : 0, all = 0;
  for (size_t i = 0; i < count; i++) {
    if (sums.calls <= 0)
      parts[i].part = sums.samples > 0 ? parts[i].samples : 1;
    else if (spread > 0)
      parts[i].part =
          expected(&parts[i], &sums) * (1 + spread * parts[i].samples) / (1 + spread * expected(&parts[i], &sums));
    else
      parts[i].part = parts[i].calls;
    all += parts[i].part;
  }
  for (size_t i = 0; i < count; i++)
    parts[i].part /= all;
}
