/*
 * tools/estimate/burst/windows.h - what windows counted, as rates by thread, function and caller.
 *
 * In: WINDOWS; states of functions.  Out: the windows, each with its weight, and the sums of what they counted. Windows
 * in or soon after a preemption of a thread don't count for it.  For gather.c alone.
 */
#ifndef PROF_ESTIMATE_BURST_WINDOWS_H
#define PROF_ESTIMATE_BURST_WINDOWS_H

#include "estimate/burst/heads.h"
#include "estimate/burst/sums.h"
#include "fold/filter.h"

struct prof_burst_windows {
  /* In: */
  struct prof_burst_paths *paths;
  const struct prof_filter *filter;          /* NULL: everything */
  struct prof_burst_stretch_of *stretch;     /* NULL: the trace is a whole recording */
  struct prof_burst_time *times;             /* by thread; windows are added */
  struct prof_burst_sums *sums;              /* gets rates and places, in any order, and callers */
  const struct prof_burst_cost *event_costs; /* by thread */
  struct prof_burst_cost *count_costs;       /* likewise, as calibrated; becomes what windows tell */
  /* Out: */
  PROF_VEC(struct prof_burst_head) heads; /* by begin */
};

/* Out is zeroed.  false: no memory; free it all the same. */
bool prof_burst_windows_read(struct prof_burst_windows *, struct prof_diag *);

#endif
