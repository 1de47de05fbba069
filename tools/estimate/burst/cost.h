/*
 * tools/estimate/burst/cost.h - what an event and a counted call cost a thread, from its process' calibration.
 *
 * In a window little is in the caches, so it is the larger one of the calibration; uncertain by their distance
 * (MODEL.md).
 */
#ifndef PROF_ESTIMATE_BURST_COST_H
#define PROF_ESTIMATE_BURST_COST_H

#include "estimate/burst/rate.h"
#include "proftrace.h"

/* All 0: it is not known. */
struct prof_burst_cost prof_burst_event_cost(const prof_trace *, uint32_t thread);
/* The same of a call that is only counted. */
struct prof_burst_cost prof_burst_count_cost(const prof_trace *, uint32_t thread);

#endif
