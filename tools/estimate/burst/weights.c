/*
 * tools/estimate/burst/weights.c - see weights.h.
 */
#include "estimate/burst/weights.h"

#define TOGETHER 16 /* their times differ by chance, one window's by its whole length: intervals get 3% wider */

static double middle(uint64_t a, uint64_t b) {
  return (double)a + (double)(b - a) / 2;
}

void prof_burst_weights(const uint64_t *begins, size_t count, double *weights) {
  size_t groups = count / TOGETHER;
  double span = groups > 1 ? (double)(begins[count - 1] - begins[0]) : 0, mean = span / (double)(count - 1);
  for (size_t group = 0; group < groups && span > 0; group++) {
    size_t first = group * TOGETHER, end = group + 1 < groups ? first + TOGETHER : count;
    double low = first > 0 ? middle(begins[first - 1], begins[first]) : (double)begins[0] - mean / 2;
    double high = end < count ? middle(begins[end - 1], begins[end]) : (double)begins[count - 1] + mean / 2;
    for (size_t i = first; i < end; i++)
      weights[i] = (high - low) / ((double)(end - first) * mean);
  }
  for (size_t i = 0; i < count && span <= 0; i++)
    weights[i] = 1;
}
