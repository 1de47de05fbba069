/*
 * tools/analysis/counter_ratios.c - figures that follow from two counters; see counter_sums.h.
 */
#include "analysis/counter_sums.h"

#include <string.h>

static const struct prof_counter_ratio ratios[] = {
    {"instructions_per_cycle", "IPC", "ipc", "instructions", "cycles", 1, false},
    {"cache_miss_share", "CACHE MISS", "cache-miss-share", "cache-misses", "cache-references", 1, true},
    {"branch_miss_share", "BRANCH MISS", "branch-miss-share", "branch-misses", "branches", 1, true},
    {"l1_miss_share", "L1 MISS", "l1-miss-share", "L1-dcache-load-misses", "L1-dcache-loads", 1, true},
    {"llc_miss_share", "LLC MISS", "llc-miss-share", "LLC-load-misses", "LLC-loads", 1, true},
    {"dtlb_miss_share", "DTLB MISS", "dtlb-miss-share", "dTLB-load-misses", "dTLB-loads", 1, true},
    {"cache_misses_per_1000", "CACHE/1000", "cache-misses-per-1000", "cache-misses", "instructions", 1000, false},
    {"branch_misses_per_1000", "BRANCH/1000", "branch-misses-per-1000", "branch-misses", "instructions", 1000, false},
};

const struct prof_counter_ratio *prof_counter_ratio(uint32_t index) {
  return index < sizeof ratios / sizeof *ratios ? &ratios[index] : NULL;
}

/* Names of the same counter. */
static const char *usual(const char *name) {
  static const char *const same[][2] = {{"cpu-cycles", "cycles"}, {"branch-instructions", "branches"}};
  for (size_t i = 0; i < sizeof same / sizeof *same; i++)
    if (strncmp(name, same[i][0], strlen(same[i][0])) == 0)
      return same[i][1];
  return name;
}

uint32_t prof_counter_find(const struct prof_pmu *counters, uint32_t count, const char *name) {
  size_t length = strlen(name);
  for (uint32_t i = 0; i < count; i++) {
    const char *given = usual(counters[i].name);
    if (!(counters[i].flags & PROF_PMU_REFUSED) && strncmp(given, name, length) == 0 &&
        (given[length] == 0 || given[length] == ':'))
      return i;
  }
  return UINT32_MAX;
}

bool prof_counter_has_ratio(const struct prof_pmu *counters, uint32_t count, const struct prof_counter_ratio *ratio) {
  return prof_counter_find(counters, count, ratio->above) != UINT32_MAX &&
         prof_counter_find(counters, count, ratio->below) != UINT32_MAX;
}

bool prof_counter_ratio_of(const struct prof_pmu *counters, uint32_t count, const struct prof_counter_ratio *ratio,
                           const double *figures, double *out) {
  uint32_t above = prof_counter_find(counters, count, ratio->above),
           below = prof_counter_find(counters, count, ratio->below);
  if (figures[below] <= 0)
    return false;
  *out = ratio->times * figures[above] / figures[below];
  return true;
}

bool prof_counter_takes_turns(const struct prof_pmu *counter) {
  return counter->running_ns < counter->enabled_ns;
}

bool prof_counter_ratio_is_estimated(const struct prof_pmu *counters, uint32_t count,
                                     const struct prof_counter_ratio *ratio) {
  return prof_counter_takes_turns(&counters[prof_counter_find(counters, count, ratio->above)]) ||
         prof_counter_takes_turns(&counters[prof_counter_find(counters, count, ratio->below)]);
}
