/*
 * tools/estimate/self_times.h - self times of single calls, from the fold's histograms.
 *
 * Job: the fold has one histogram of calls that made no calls, as their duration is their self time, and two of the
 * other calls (fold/core.h).  Here they become one of durations and one of self times for each function; a function
 * whose calls never made calls has one for both.  Ownership: the histograms' counters lie in the caller's pool.
 */
#ifndef PROF_ESTIMATE_SELF_TIMES_H
#define PROF_ESTIMATE_SELF_TIMES_H

#include "fold/core.h"

struct prof_self_times {
  struct prof_histogram *items;
  uint32_t *of; /* by function: number of its own among these, from 1; 0: its durations are its self times */
  uint32_t count;
};

/* false: no memory; fini it all the same. */
bool prof_self_times_init(struct prof_self_times *, uint32_t function_count, const struct prof_fold_core *);
void prof_self_times_fini(struct prof_self_times *);

/*
 * Adds the core's calls of `key` that made calls to the function's durations, which has all that made none by now, and
 * to its self times.  from: the core's counters, perhaps the same pool.
 */
void prof_self_times_settle(struct prof_self_times *, struct prof_histogram_pool *, struct prof_histogram *durations,
                            uint32_t function, const struct prof_histogram_pool *from, const struct prof_fold_core *,
                            uint32_t key);

static inline const struct prof_histogram *prof_self_times_of(const struct prof_self_times *selves, uint32_t function,
                                                              const struct prof_histogram *durations) {
  return selves->of[function] ? &selves->items[selves->of[function] - 1] : durations;
}

#endif
