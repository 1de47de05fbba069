/*
 * tools/estimate/burst/rate.c - see rate.h.
 */
#include "estimate/burst/rate.h"

#include <math.h>

#include "estimate/interval.h"

#define Z95 1.959963984540054
#define SATURATED 0.35 /* an event costs up to twice as much as calibrated where two threads share a core */
#define LEAST_PART 0.2 /* of a window is the program's own, whatever the events are said to cost */

void prof_burst_rate_settle(struct prof_burst_rate *rate) {
  rate->squares += rate->pending[0] * rate->pending[0];
  for (unsigned i = 0; i < PROF_BURST_COSTS; i++) {
    rate->sums[i] += rate->pending[i];
    rate->pending[i] = 0;
  }
  rate->window = 0;
}

void prof_burst_rate_join(struct prof_burst_rate *to, const struct prof_burst_rate *from) {
  for (unsigned i = 0; i < PROF_BURST_COSTS; i++)
    to->sums[i] += from->sums[i];
  to->squares += from->squares;
  to->ran += from->ran;
  to->spent += from->spent;
  to->least += from->least;
  to->counted += from->counted;
  to->iterations += from->iterations;
}

void prof_burst_rate_scale(struct prof_burst_rate *rate, double times) {
  for (unsigned i = 0; i < PROF_BURST_COSTS; i++)
    rate->sums[i] *= times;
  rate->squares *= times * times;
  rate->least *= times;
}

double prof_burst_rate_of(const struct prof_burst_window *window, const struct prof_burst_cost *cost, uint64_t calls,
                          unsigned variant) {
  double ran = (double)window->ran,
         part = window->weight * ran / (double)window->length; /* weighed by what it ran, too */
  double plain = ran - (double)window->events * prof_burst_cost_ticks(cost, variant) -
                 (double)window->firsts * prof_burst_cost_first(cost, variant);
  return ran > 0 ? (double)calls / fmax(plain, ran * LEAST_PART) * part : 0;
}

void prof_burst_rate_add(struct prof_burst_rate *rate, const struct prof_burst_window *window,
                         const struct prof_burst_cost *cost, uint64_t calls, uint64_t iterations) {
  double ran = (double)window->ran, part = window->weight * ran / (double)window->length;
  if (rate->window != window->number) {
    prof_burst_rate_settle(rate);
    rate->ran += ran;
    rate->spent +=
        (double)window->events * cost->ticks * SATURATED / (cost->saturated > 0 ? cost->saturated : SATURATED);
  }
  rate->window = window->number;
  if (ran > 0)
    rate->least += (double)calls / ran * part;
  rate->counted += calls;
  rate->iterations += iterations;
  for (unsigned i = 0; i < PROF_BURST_COSTS; i++)
    rate->pending[i] += prof_burst_rate_of(window, cost, calls, i);
}

struct prof_burst_estimate prof_burst_rate_estimate(const struct prof_burst_rate *from, double windows,
                                                    const double ticks[PROF_BURST_COSTS], double mean_ticks) {
  struct prof_burst_rate rate = *from;
  struct prof_burst_estimate out = {.counted = rate.counted};
  if (ticks[0] <= 0)
    return out;
  if (windows <= 0) {
    out.high = INFINITY;
    return out;
  }
  prof_burst_rate_settle(&rate);
  double n = windows, mean = rate.sums[0] / n;
  double variance = n > 1 ? fmax(rate.squares - n * mean * mean, 0) / (n - 1) : mean * mean;
  struct prof_interval counted = prof_interval_count(rate.counted);
  double each = rate.counted ? ticks[0] * mean / (double)rate.counted : ticks[0] / (n * fmax(mean_ticks, 1));
  double chance = Z95 * sqrt(variance / n) * ticks[0];
  out.calls = ticks[0] * mean;
  double lower = rate.sums[1] / n * ticks[1], higher = rate.sums[2] / n * ticks[2];
  double below = fmax(chance, out.calls - counted.low * each), above = fmax(chance, counted.high * each - out.calls);
  out.low = fmax(0, out.calls - hypot(below, out.calls - lower));
  out.high = out.calls + hypot(above, higher - out.calls);
  if (rate.spent > SATURATED * rate.ran) {
    out.low = fmin(out.low, rate.least / n * ticks[0]);
    out.high = INFINITY;
  }
  if (rate.counted)
    out.iterations = out.calls * (double)rate.iterations / (double)rate.counted;
  return out;
}
