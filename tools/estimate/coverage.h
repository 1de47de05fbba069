/*
 * tools/estimate/coverage.h - what a profile's figures cover: events, chunks, threads, time.
 */
#ifndef PROF_ESTIMATE_COVERAGE_H
#define PROF_ESTIMATE_COVERAGE_H

#include "estimate/profile.h"
#include "fold/fold.h"

/* What was folded, and what the trace knows of the threads shown; of all but sums over nodes.  event_costs: NULL: as
 * calibrated. */
void prof_coverage_take_folded(struct prof_coverage *, const prof_trace *, const struct prof_filter *,
                               const struct prof_folded *, const struct prof_event_cost *event_costs);
/* Sums over all threads' nodes. */
void prof_coverage_take_nodes(struct prof_profile *);

#endif
