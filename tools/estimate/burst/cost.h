/*
 * tools/estimate/burst/cost.h - what an event and a counted call cost a thread, from its process' calibration.
 *
 * An event's is the larger one of the calibration, as little is in the caches; uncertain by their distance.  Counting
 * waits for nothing: programs of many functions are near the larger one, loops of few near the smaller.  So a counted
 * call's is the middle, and either is well within the uncertainty (MODEL.md).
 */
#ifndef PROF_ESTIMATE_BURST_COST_H
#define PROF_ESTIMATE_BURST_COST_H

#include "estimate/burst/rate.h"
#include "proftrace.h"

/* All 0: it is not known. */
struct prof_burst_cost prof_burst_event_cost(const prof_trace *, uint32_t thread);
/* Of a call that is only counted. */
struct prof_burst_cost prof_burst_count_cost(const prof_trace *, uint32_t thread);

#endif
