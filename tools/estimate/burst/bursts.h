/*
 * tools/estimate/burst/bursts.h - what a recording with a budget shows of functions that were not always recorded.
 *
 * In: a profile of the calls that are events (the skeleton), its samples with their chains of callers, WINDOWS, STATES.
 * Out: the same profile with estimated nodes, times and calls beside the exact ones (profile.h: prof_estimated), and
 * the samples in these nodes.  A recording without STATES stays as it is.  Steps: paths finds a sample's
 * functions, spread divides self times, calls estimates calls, split divides them; tree holds
 * all until the profile takes it.
 */
#ifndef PROF_ESTIMATE_BURSTS_H
#define PROF_ESTIMATE_BURSTS_H

#include "estimate/profile.h"
#include "estimate/sample_modules.h"
#include "estimate/samples.h"

struct prof_bursts_task {
  const prof_trace *trace;
  const struct prof_filter *filter; /* NULL: everything */
  const struct prof_sample_module *modules;
  struct prof_samples *samples; /* they are being made: their nodes move */
  bool raw;                     /* the cost of the windows' events stays in times */
};

prof_status prof_bursts_add(struct prof_profile *, const struct prof_bursts_task *, struct prof_diag *) PROF_MUST_CHECK;

/* Figures of functions whose nodes are estimates already: their bounds are sums of those of nodes.  false: no memory.
 */
bool prof_bursts_sum_functions(struct prof_profile *) PROF_MUST_CHECK;

#endif
