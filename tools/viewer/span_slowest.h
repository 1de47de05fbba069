/*
 * tools/viewer/span_slowest.h - the longest calls of each function in a part of a recording's time.
 *
 * A call counts with its time in that part.  In: a recording with its filter.  Out: calls whose frames are numbers of
 * names/loop_frames.h.
 */
#ifndef PROF_VIEWER_SPAN_SLOWEST_H
#define PROF_VIEWER_SPAN_SLOWEST_H

#include "base/stop.h"
#include "study/recording.h"
#include "viewer/lanes.h"
#include "viewer/slowest.h"

/* Free *out with prof_slowest_fini in any case. */
prof_status prof_span_slowest_find(const struct prof_recording *, const struct prof_lane_span *,
                                   const struct prof_stop *, struct prof_diag *,
                                   struct prof_slowest *out) PROF_MUST_CHECK;

#endif
