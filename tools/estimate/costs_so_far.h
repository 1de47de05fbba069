/*
 * tools/estimate/costs_so_far.h - the cost of an event in a recording that is folded stretch by stretch.
 *
 * A stretch has its own events and samples, but its threads' CPU time is that of the recording so far.  So the cost of
 * an event is estimated from all events and samples so far, which the summary has.
 */
#ifndef PROF_ESTIMATE_COSTS_SO_FAR_H
#define PROF_ESTIMATE_COSTS_SO_FAR_H

#include "estimate/samples_loading.h"
#include "fold/summary/summary.h"

/*
 * By thread of the trace, as prof_samples_event_costs; the caller frees it.  Adds the trace's events and samples to the
 * threads of the summary.  `loading`: after prof_samples_load.  NULL: no memory.
 */
struct prof_event_cost *prof_event_costs_so_far(const struct prof_samples_loading *, struct prof_summary *);

#endif
