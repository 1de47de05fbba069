/*
 * tools/estimate/burst/loop_times.h - self times of loops that were not always recorded.
 *
 * Job: without their events such loops have no nodes, and their time is that of the function or loop around them.  In:
 * a profile with estimated loops, and its samples.  Out: the part of that time that each loop has, by the addresses of
 * samples (loop_code.h).  Samples in uninstrumented code that a function called are of any of its loops: the time is
 * divided as if they lay like the others, and bounds hold all of them.  Running time only.
 */
#ifndef PROF_ESTIMATE_BURST_LOOP_TIMES_H
#define PROF_ESTIMATE_BURST_LOOP_TIMES_H

#include "estimate/profile.h"
#include "estimate/samples.h"

/* Does nothing where no loop was in bursts, or there is no sample.  PROF_NO_MEMORY. */
prof_status prof_burst_loop_times(struct prof_profile *, const struct prof_samples *,
                                  struct prof_diag *) PROF_MUST_CHECK;

#endif
