/*
 * tools/estimate/burst/rate.h - calls per time from the counts of random windows, and how sure that is.
 *
 * Job: from each window's calls, length and events to the calls of a longer time, with an interval of 95%.  Knows
 * neither traces nor functions.  Windows without a call need not be added: only how many there were.
 *
 * The interval joins three parts: chance by the spread between windows, 1.96 standard errors; at least that of the
 * number of calls counted, as if they were independent; and the uncertainty of an event's cost.
 */
#ifndef PROF_ESTIMATE_BURST_RATE_H
#define PROF_ESTIMATE_BURST_RATE_H

#include <stdint.h>

/* The cost of an event in windows, and that of a function's first one, ticks: what is assumed, and how far it may be
 * off. */
struct prof_burst_cost {
  double ticks, error_ticks;
  double saturated; /* where more than this part of the windows is spent on events, they have no upper bound; 0: 0.35 */
  double first_ticks, first_error_ticks; /* besides */
};

/* The cost becomes a part of what it was, and so uncertain. */
static inline void prof_burst_cost_set(struct prof_burst_cost *cost, double part, double error) {
  cost->error_ticks = cost->ticks * error;
  cost->ticks *= part;
}

#define PROF_BURST_COSTS 3 /* assumed: as given, lower, higher */

static inline double prof_burst_cost_ticks(const struct prof_burst_cost *cost, unsigned variant) {
  double ticks = cost->ticks + (variant == 1 ? -cost->error_ticks : variant == 2 ? cost->error_ticks : 0);
  return ticks > 0 ? ticks : 0;
}

static inline double prof_burst_cost_first(const struct prof_burst_cost *cost, unsigned variant) {
  double ticks = cost->first_ticks + (variant == 1   ? -cost->first_error_ticks
                                      : variant == 2 ? cost->first_error_ticks
                                                     : 0);
  return ticks > 0 ? ticks : 0;
}

struct prof_burst_window {
  double weight;   /* weights.h; 1 on average where rates are estimated */
  uint64_t number; /* any that no other window has */
  uint64_t length; /* ticks */
  uint64_t ran;    /* of it, by the thread */
  uint64_t events; /* of the thread */
  uint64_t firsts; /* functions that it counted calls of, by caller */
};

struct prof_burst_rate { /* zeroed: nothing was counted */
  double sums[PROF_BURST_COSTS];
  double squares;                   /* of the first */
  double pending[PROF_BURST_COSTS]; /* of the last window */
  uint64_t window;                  /* its number */
  double ran, spent;                /* of the windows that counted calls: what the thread ran, and events took of it */
  double least;                     /* as sums, if events cost nothing */
  uint64_t counted, iterations;
};

/* What calls of a window add to the sums, with the cost of that variant; 0 where the thread didn't run. */
double prof_burst_rate_of(const struct prof_burst_window *, const struct prof_burst_cost *, uint64_t calls,
                          unsigned variant);

/* Sums of several parts of a recording can be added, as all of these numbers are sums.  Several calls of one window are
 * added one after another. */
void prof_burst_rate_add(struct prof_burst_rate *, const struct prof_burst_window *, const struct prof_burst_cost *,
                         uint64_t calls, uint64_t iterations);

/* Behind the last window: the sums are complete, and later windows may have any number. */
void prof_burst_rate_settle(struct prof_burst_rate *);
/* Of settled ones: what one has is added to the other. */
void prof_burst_rate_join(struct prof_burst_rate *, const struct prof_burst_rate *);
/* As if all weights had been so many times as large. */
void prof_burst_rate_scale(struct prof_burst_rate *, double times);

struct prof_burst_estimate {
  double calls, low, high; /* of a loop: entries */
  double iterations;       /* of a loop */
  uint64_t counted;        /* in windows */
};

/*
 * windows: in how many the function was on, the sum of their weights; 0: nothing is known, low 0 and high infinite.
 * ticks: the plain time that the estimate is of, for each cost.  mean_ticks: length of a window, for a function that
 * none counted.
 */
struct prof_burst_estimate prof_burst_rate_estimate(const struct prof_burst_rate *, double windows,
                                                    const double ticks[PROF_BURST_COSTS], double mean_ticks);

#endif
