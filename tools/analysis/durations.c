/*
 * tools/analysis/durations.c - see durations.h.
 */
#include "analysis/durations.h"

#include <math.h>
#include <stdlib.h>

#include "base/order.h"

static int by_length(const void *left, const void *right) {
  return prof_order(*(const uint64_t *)left, *(const uint64_t *)right);
}

uint64_t prof_durations_percentile(const struct prof_durations *durations, double percent) {
  const double rank = ceil(percent / 100 * (double)durations->count);
  if (durations->count == 0)
    return 0;
  return durations->items[rank < 1 ? 0 : (size_t)rank - 1];
}

struct prof_duration_figures prof_durations_sum(struct prof_durations *durations) {
  struct prof_duration_figures sum = {.count = durations->count};
  if (sum.count == 0)
    return sum;
  qsort(durations->items, durations->count, sizeof *durations->items, by_length);
  for (size_t i = 0; i < durations->count; i++)
    sum.total_ns += durations->items[i];
  sum.avg_ns = sum.total_ns / sum.count;
  sum.min_ns = durations->items[0];
  sum.p50_ns = prof_durations_percentile(durations, 50);
  sum.p95_ns = prof_durations_percentile(durations, 95);
  sum.p99_ns = prof_durations_percentile(durations, 99);
  sum.max_ns = durations->items[durations->count - 1];
  return sum;
}
