/*
 * tools/viewer/timeline.h - one walk over a recording fills lanes and the longest calls.
 *
 * In: a recording with its filter, and the pauses of its threads.  Out: lanes, slowest calls.  Memory grows with
 * threads, levels and functions, and with the limit of records.
 */
#ifndef PROF_VIEWER_TIMELINE_H
#define PROF_VIEWER_TIMELINE_H

#include "estimate/samples.h"
#include "study/recording.h"
#include "viewer/lanes.h"
#include "viewer/slowest.h"
#include "viewer/view_frames.h"

#define PROF_TIMELINE_DEPTH 256 /* levels that are shown */

struct prof_timeline {
  struct prof_lanes lanes;
  struct prof_slowest slowest;
  uint64_t deep_calls; /* below the levels shown */
};

/* Others may add lanes afterwards; then prof_lanes_finish.  samples: NULL or without pauses: no states.  done: counts
 * events, may be NULL. */
prof_status prof_timeline_make(const struct prof_recording *, const struct prof_samples *, struct prof_view_frames *,
                               uint64_t most_records, _Atomic uint64_t *done, struct prof_diag *,
                               struct prof_timeline *out) PROF_MUST_CHECK;
void prof_timeline_fini(struct prof_timeline *);

#endif
