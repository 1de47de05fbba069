/*
 * tools/estimate/burst/count_trials.h - windows that count, as trials of what counting costs (count_fit.h).
 *
 * In: heads and WINDOWS, states, what threads ran.  Of a long recording some windows are enough: what is kept is
 * bounded.  For windows.c alone, which walks through the windows twice: prof_count_trials_meet for each of them, then
 * prof_count_trials_take.
 */
#ifndef PROF_ESTIMATE_BURST_COUNT_TRIALS_H
#define PROF_ESTIMATE_BURST_COUNT_TRIALS_H

#include "base/index_map.h"
#include "estimate/burst/count_fit.h"
#include "estimate/burst/heads.h"
#include "estimate/burst/rate.h"

struct prof_count_met {   /* a function that a thread was counted in */
  uint32_t thread, frame; /* frame: index of the states' frames */
  uint32_t next;          /* of the thread; PROF_NONE: none */
  uint64_t calls;         /* in the present window */
};

struct prof_count_trials {
  struct prof_burst_paths *paths;
  const struct prof_burst_cost *costs; /* of a counted call, by thread, as calibrated */
  PROF_VEC(struct prof_count_met) met;
  struct prof_index_map numbers; /* of `met`, by thread and frame */
  PROF_VEC(uint32_t) first;      /* of `met`, by thread; PROF_NONE: none */
  PROF_VEC(uint32_t) threads;    /* that have some */
  struct prof_count_fit fit;
};

struct prof_counted_window { /* one that counts, of one thread */
  const struct prof_burst_head *head;
  uint32_t thread;
  const struct prof_burst_window *in; /* events are counted calls, and what costs as much */
};

/* false: no memory. */
bool prof_count_trials_init(struct prof_count_trials *, struct prof_burst_paths *, const struct prof_burst_cost *costs,
                            size_t thread_count);
void prof_count_trials_fini(struct prof_count_trials *);

/* A function was counted: an index of the states' frames.  calls: in the present window. */
bool prof_count_trials_meet(struct prof_count_trials *, uint32_t thread, uint32_t frame, uint64_t calls);
/* Is the window with that number, of so many, one of those that are kept? */
bool prof_count_trials_want(const struct prof_count_trials *, size_t number, size_t count);
/* Makes a trial of what was met in the window, and forgets the calls. */
bool prof_count_trials_take(struct prof_count_trials *, const struct prof_counted_window *);
/* As prof_count_fit_find. */
bool prof_count_trials_find(struct prof_count_trials *, struct prof_count_part *, bool *found);

#endif
