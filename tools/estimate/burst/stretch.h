/*
 * tools/estimate/burst/stretch.h - functions in bursts of a stretch of a recording, which is added to a summary.
 *
 * In: the stretch's trace, its samples and pauses.  Out: sums of windows and states, and a chain for each sample, in
 * the summary (in_summary.h).
 */
#ifndef PROF_ESTIMATE_BURST_STRETCH_H
#define PROF_ESTIMATE_BURST_STRETCH_H

#include "estimate/burst/in_summary.h"
#include "estimate/samples_loading.h"

struct prof_burst_stretch_task {
  const struct prof_samples_loading *loading; /* samples and pauses are loaded */
  uint64_t begin, end;                        /* ticks; 0: the recording's begin; UINT64_MAX: its end */
  bool is_stretch;                            /* else the trace is all of it */
};

/*
 * Adds the stretch's sums to the summary.  *chains: by index of a sample of the task: its number in the summary; 0: not
 * known; NULL: nothing was ever in bursts.  The caller frees it.  PROF_NO_MEMORY: the summary is unusable.
 */
prof_status prof_burst_stretch_add(const struct prof_burst_stretch_task *, struct prof_summary *, struct prof_diag *,
                                   uint32_t **chains) PROF_MUST_CHECK;

#endif
