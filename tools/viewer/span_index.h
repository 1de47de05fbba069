/*
 * tools/viewer/span_index.h - what threads did in time, all of it, for a server: calls of one step or more, and cells.
 *
 * Job: one pass over a recording, with all processors; the step is the smallest that keeps the number of records.  In:
 * a recording with its filter.  Out: lanes whose frames are numbers of names/loop_frames.h, and the longest calls.
 * Memory: 32 bytes a record.  Immutable once made.
 */
#ifndef PROF_VIEWER_SPAN_INDEX_H
#define PROF_VIEWER_SPAN_INDEX_H

#include "study/recording.h"
#include "viewer/lanes.h"
#include "viewer/slowest.h"

struct prof_span_index {
  struct prof_lanes lanes; /* by thread and depth */
  struct prof_slowest slowest;
  uint64_t deep_calls; /* below the levels shown (walk_calls.h) */
};

/* done: counts events, may be NULL.  After a failure nothing is left to be freed. */
prof_status prof_span_index_make(const struct prof_recording *, uint64_t most_records, _Atomic uint64_t *done,
                                 struct prof_diag *, struct prof_span_index *out) PROF_MUST_CHECK;
void prof_span_index_fini(struct prof_span_index *);

/* For those who make one: lanes in the order of threads and depths. */
void prof_span_index_sort(struct prof_span_index *);

/* The call of a lane that is open at a time, ns; NULL: none is, or it is in a cell. */
const struct prof_lane_call *prof_span_index_call(const struct prof_span_index *, uint32_t thread, uint32_t depth,
                                                  uint64_t time);

#endif
