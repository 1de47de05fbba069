/*
 * tools/statistics/median.c - see median.h.
 */
#include "statistics/median.h"

#include <stdlib.h>

#include "base/order.h"

static int ascending(const void *left, const void *right) {
  return prof_order(*(const double *)left, *(const double *)right);
}

double prof_median(double *values, size_t count) {
  if (!count)
    return 0;
  qsort(values, count, sizeof *values, ascending);
  return (values[(count - 1) / 2] + values[count / 2]) / 2;
}
