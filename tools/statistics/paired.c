/*
 * tools/statistics/paired.c - see paired.h.
 *
 * Sources: J. Hodges, E. Lehmann, "Estimates of location based on rank tests" (1963); the normal approximation of the
 * signed-rank distribution.
 */
#include "statistics/paired.h"

#include <math.h>
#include <stdlib.h>

#include "base/order.h"

#define USUAL 1.96
#define CAUTIOUS 3.5 /* for looks that are repeated */

static int ascending(const void *left, const void *right) {
  return prof_order(*(const double *)left, *(const double *)right);
}

bool prof_paired_middle(const double *differences, size_t count, double deviations, struct prof_paired *out) {
  const size_t all = count * (count + 1) / 2;
  double *means = malloc((all ? all : 1) * sizeof *means);
  size_t used = 0;
  if (!means)
    return false;
  for (size_t i = 0; i < count; i++)
    for (size_t j = i; j < count; j++)
      means[used++] = (differences[i] + differences[j]) / 2;
  qsort(means, used, sizeof *means, ascending);
  const double n = (double)count;
  const double rank = floor(n * (n + 1) / 4 - deviations * sqrt(n * (n + 1) * (2 * n + 1) / 24));
  out->estimate = used ? (means[(used - 1) / 2] + means[used / 2]) / 2 : 0;
  const bool known = count >= 6 && rank >= 0;
  out->low = known ? means[(size_t)rank] : -INFINITY;
  out->high = known ? means[used - 1 - (size_t)rank] : INFINITY;
  free(means);
  return true;
}

bool prof_pairs_look(const double *differences, size_t count, double half, double margin, enum prof_pairs_end *end,
                     struct prof_paired *out) {
  struct prof_paired wide;
  *end = PROF_PAIRS_GO_ON;
  if (!prof_paired_middle(differences, count, USUAL, out) || !prof_paired_middle(differences, count, CAUTIOUS, &wide))
    return false;
  if (count < PROF_PAIRS_FIRST)
    return true;
  if ((out->high - out->low) / 2 <= half) {
    *end = PROF_PAIRS_PRECISE;
  } else if (wide.low > margin || wide.high < -margin) {
    *end = PROF_PAIRS_CLEAR;
    *out = wide;
  }
  return true;
}

size_t prof_pairs_needed(const struct prof_paired *paired, size_t count, double half) {
  const double now = (paired->high - paired->low) / 2;
  if (!isfinite(now) || half <= 0)
    return 0;
  const double needed = ceil((double)count * (now / half) * (now / half));
  return needed > 1e6 ? 0 : (size_t)needed;
}
