/*
 * tools/estimate/burst/calls.h - estimates the calls of functions that only short windows counted.
 *
 * A function's rate in a window is its calls, divided by what the thread ran of it, less the cost of the events in it.
 * Its calls are the mean of its rates over all windows in which it was on, times the time in which it was in state
 * BURST. Windows begin at random times, so this mean is not biased by phases of the program; the ratio of the sums
 * would be. The interval (95%) comes from the spread of the rates, from the number of calls that were counted, and from
 * what an event's cost is not known to.
 *
 * In: sums over windows and states (sums.h), threads.  Out: calls by thread, function and caller's function.
 */
#ifndef PROF_ESTIMATE_BURST_CALLS_H
#define PROF_ESTIMATE_BURST_CALLS_H

#include "estimate/burst/sums.h"
#include "fold/filter.h"

struct prof_burst_edge {
  uint32_t thread, frame; /* frame: number of a function or loop */
  uint32_t caller;        /* number of its caller's function; PROF_NONE: it has no probes, or is not known */
  struct prof_burst_estimate of;
};

struct prof_burst_total { /* of all callers */
  uint32_t thread, frame;
  bool known;   /* enough windows tell, or it had no time in state BURST or OFF */
  double ticks; /* that the plain program ran while it was in state BURST */
  struct prof_burst_estimate of;
};

struct prof_burst_calls {
  PROF_VEC(struct prof_burst_edge) edges; /* by thread, frame, caller; of calls that were counted */
  PROF_VEC(struct prof_burst_total)
  totals; /* by thread, frame: of each thread shown, each frame that was not always on */
};

/* filter: NULL: everything.  false: no memory; fini it whatever comes. */
bool prof_burst_calls_find(struct prof_burst_calls *, const struct prof_burst_sums *, const struct prof_burst_states *,
                           const prof_trace *, const struct prof_filter *) PROF_MUST_CHECK;
void prof_burst_calls_fini(struct prof_burst_calls *);

/* NULL: none. */
const struct prof_burst_total *prof_burst_calls_total(const struct prof_burst_calls *, uint32_t thread, uint32_t frame);

#endif
