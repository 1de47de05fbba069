/*
 * tools/statistics/discoveries.c - see discoveries.h.
 */
#include "statistics/discoveries.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/order.h"

static int ascending(const void *left, const void *right) {
  return prof_order(*(const double *)left, *(const double *)right);
}

size_t prof_discoveries(const double *chances, size_t count, double rate, bool *called) {
  if (count == 0)
    return 0;
  double *sorted = malloc(count * sizeof *sorted), bound = -1;
  if (!sorted)
    return SIZE_MAX;
  memcpy(sorted, chances, count * sizeof *sorted);
  qsort(sorted, count, sizeof *sorted, ascending);
  size_t all = 0;
  for (size_t i = 0; i < count; i++)
    if (sorted[i] <= rate * (double)(i + 1) / (double)count)
      bound = sorted[i], all = i + 1;
  free(sorted);
  for (size_t i = 0; i < count; i++)
    called[i] = chances[i] <= bound;
  return all;
}
