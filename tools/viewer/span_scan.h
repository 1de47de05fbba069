/*
 * tools/viewer/span_scan.h - the calls of a part of a thread, the fast way: for span_index.c, if no filter is set.
 *
 * Gives the same calls as fold/walk_stream.h, but takes the events of a chunk in blocks, and adds calls to their lanes
 * without an event for each.  In: chunks of a thread, one after another.  Out: lanes, longest calls.
 */
#ifndef PROF_VIEWER_SPAN_SCAN_H
#define PROF_VIEWER_SPAN_SCAN_H

#include "fold/filter.h"
#include "viewer/lanes.h"
#include "viewer/slowest.h"

struct prof_span_part {
  uint32_t thread, first, count; /* chunks of it, by number among the thread's */
  bool ends;                     /* what is open at its end is left there; for prof_span_scan_within */
};

struct prof_span_scan; /* one worker's, for many parts */

/* Adds to these longest calls, which outlive it.  NULL: no memory. */
struct prof_span_scan *prof_span_scan_new(const prof_trace *, bool loops, struct prof_slowest *);
void prof_span_scan_free(struct prof_span_scan *); /* NULL: nothing */

/* Only longest calls are wanted from now on, by their time within that part of the recording: there are no lanes. */
void prof_span_scan_within(struct prof_span_scan *, const struct prof_lane_span *);

/* PROF_CORRUPT: a chunk could not be read, and the calls are not right. */
prof_status prof_span_scan_run(struct prof_span_scan *, const struct prof_span_part *, struct prof_lanes *,
                               uint64_t *deep_calls) PROF_MUST_CHECK;

#endif
