/*
 * tools/estimate/burst/weights.c - see weights.h.
 */
#include "estimate/burst/weights.h"

#define TOGETHER 16 /* their times differ by chance, one window's by its whole length: intervals get 3% wider */

static double middle(uint64_t a, uint64_t b) {
  return (double)a + (double)(b - a) / 2;
}

void prof_burst_weights(const uint64_t *begins, size_t count, uint64_t begin, uint64_t end, double *weights) {
  double span = count > 1 ? (double)(begins[count - 1] - begins[0]) : 0;
  double mean = span > 0 ? span / (double)(count - 1) : 1;
  size_t groups = span <= 0 || count < 2 * TOGETHER ? 1 : count / TOGETHER;
  for (size_t group = 0; group < groups && count > 0; group++) {
    size_t first = group * TOGETHER, behind = group + 1 < groups ? first + TOGETHER : count;
    double low = begin ? (double)begin : (double)begins[0] - mean / 2;
    double high = end ? (double)end : (double)begins[count - 1] + mean / 2;
    low = first > 0 ? middle(begins[first - 1], begins[first]) : low;
    high = behind < count ? middle(begins[behind - 1], begins[behind]) : high;
    double each = (high - low) / (double)(behind - first);
    for (size_t i = first; i < behind; i++)
      weights[i] = each > 0 ? each : 1;
  }
}
