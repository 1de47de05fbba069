/*
 * tools/estimate/burst/count_fit.h - what a counted call costs in the program itself.
 *
 * A calibration knows the cost in a loop of nothing else, and among work that hides much of it; a program lies between.
 * So every third window that counts has a quarter of the functions on (record/governor/opener.h): in it the thread
 * loses a quarter of the time, and each function that is on is called as often as in the others.  The cost for which
 * both kinds of window tell the same calls is the program's.
 *
 * In: trials, each a thread in a window that counts.  Out: the cost as a part of the calibrated one alone, joined with
 * what the calibration tells (MODEL.md).  Knows neither traces nor states: the caller says which functions were on.
 */
#ifndef PROF_ESTIMATE_BURST_COUNT_FIT_H
#define PROF_ESTIMATE_BURST_COUNT_FIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"

struct prof_count_trial {
  bool whole;            /* all functions were on */
  double weight;         /* of the window, as far as the thread ran in it */
  double ran;            /* ticks */
  double cost;           /* ticks of its events and counted calls by the calibration alone */
  uint32_t first, count; /* of `seen` */
};

struct prof_count_seen { /* a function that was on in a trial */
  uint32_t function;     /* any number of (thread, function), below function_count */
  double calls;          /* also 0 */
};

struct prof_count_fit {
  PROF_VEC(struct prof_count_trial) trials;
  PROF_VEC(struct prof_count_seen) seen;
  uint32_t function_count;
  double least; /* the calibrated cost among other work, as a part of that alone */
};

struct prof_count_part { /* of the calibrated cost alone */
  double part, error;    /* 1.96 standard deviations */
};

void prof_count_fit_fini(struct prof_count_fit *);

/* *found: there were enough trials of both kinds; else *out stays as it was.  false: no memory. */
bool prof_count_fit_find(const struct prof_count_fit *, struct prof_count_part *out, bool *found);

#endif
