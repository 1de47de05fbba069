/*
 * tools/estimate/probe_shift.h - what light probes move from a callee to its caller, put back.
 *
 * Job: in a light slice a probe doesn't wait for the clock, but it is there.  Behind an entry's body the callee's first
 * instructions find done what they would have waited for; behind an exit's body the caller waits for what the body left
 * to do.  So samples see too little of callees and too much of callers, by about the same time for each call.  That
 * time is a part of what an event costs by calibration, at most a quarter of what samples saw of a function, as a short
 * one can't lose more than it has; docs/decisions/shares-of-dense-programs.md says how both were found. In and out:
 * samples of threads whose slices count (slice_samples.h), their weights.  What they stand for together stays.
 */
#ifndef PROF_ESTIMATE_PROBE_SHIFT_H
#define PROF_ESTIMATE_PROBE_SHIFT_H

#include "base/diag.h"
#include "estimate/samples.h"

/* sliced: by thread.  PROF_NO_MEMORY: nothing was changed. */
prof_status prof_probe_shift_undo(const struct prof_profile *, struct prof_sample *, size_t count,
                                  const struct prof_sliced *sliced) PROF_MUST_CHECK;

#endif
