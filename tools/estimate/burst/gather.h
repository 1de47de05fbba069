/*
 * tools/estimate/burst/gather.h - what windows and states say of functions in bursts, from a trace.
 *
 * In: STATES, WINDOWS and the pauses of a trace, or of a stretch of a longer recording.  Out: sums (sums.h).
 */
#ifndef PROF_ESTIMATE_BURST_GATHER_H
#define PROF_ESTIMATE_BURST_GATHER_H

#include "estimate/burst/paths.h"
#include "estimate/burst/sums.h"
#include "estimate/samples.h"
#include "fold/filter.h"

struct prof_burst_gathering {
  struct prof_burst_paths *paths;
  const struct prof_filter *filter; /* NULL: everything */
  const struct prof_pause *pauses;  /* by thread and time */
  size_t pause_count;
  struct prof_burst_stretch_of *stretch; /* NULL: the trace is a whole recording */
};

/* false: no memory.  fini it whatever comes. */
bool prof_burst_sums_gather(struct prof_burst_sums *, const struct prof_burst_gathering *, struct prof_diag *);

#endif
