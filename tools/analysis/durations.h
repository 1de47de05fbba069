/*
 * tools/analysis/durations.h - single durations and their figures.
 */
#ifndef PROF_ANALYSIS_DURATIONS_H
#define PROF_ANALYSIS_DURATIONS_H

#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"

struct prof_durations { /* all zero: none; free with prof_vec_fini */
  uint64_t *items;
  size_t count, capacity;
};

struct prof_duration_figures {
  uint64_t count, total_ns, avg_ns, min_ns, p50_ns, p95_ns, p99_ns, max_ns; /* all 0 of none */
};

/* Sorts them.  A percentile is the least duration that at least so many don't exceed. */
struct prof_duration_figures prof_durations_sum(struct prof_durations *);
/* The percentile, 0 to 100, of sorted ones; 0 of none. */
uint64_t prof_durations_percentile(const struct prof_durations *, double percent);

#endif
