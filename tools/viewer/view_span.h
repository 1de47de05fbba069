/*
 * tools/viewer/view_span.h - the timeline of a part of a recording, as fine as a picture of it can show.
 *
 * Job: takes calls from the index if that is fine enough, or if too many events lie in the span; else decodes the span.
 * Calls that the span cuts have their true begin and end, from the index.  In: a recording and its index.  Out: lanes,
 * whose bytes are the section `lanes`.  Threads: several may ask at the same time.
 */
#ifndef PROF_VIEWER_VIEW_SPAN_H
#define PROF_VIEWER_VIEW_SPAN_H

#include "study/recording.h"
#include "viewer/lanes.h"
#include "viewer/span_index.h"
#include "viewer/view_frames.h"

#define PROF_VIEW_SPAN_COLUMNS 16384u /* at most */

struct prof_view_span_source { /* borrowed */
  const struct prof_recording *recording;
  const struct prof_span_index *index;
  const struct prof_lanes *extra; /* states, works of GPUs; their frames have numbers of the format */
};

struct prof_view_span { /* what is asked for */
  uint64_t begin, end;  /* ns; end > begin */
  uint32_t columns;     /* of the picture, 1 or more; for prof_view_span_cut 0: as fine as the index */
};

/* Frames of calls of threads are numbers of names/loop_frames.h.  *out is to be freed in any case. */
prof_status prof_view_span_lanes(const struct prof_view_span_source *, const struct prof_view_span *,
                                 struct prof_diag *, struct prof_lanes *out) PROF_MUST_CHECK;

/* The same from the index alone, in at most so many records. */
void prof_view_span_cut(const struct prof_lanes *index, const struct prof_lanes *extra, const struct prof_view_span *,
                        uint64_t most_records, struct prof_lanes *out);

/* Makes these frames those of the format.  Not at the same time as others use the frames. */
void prof_view_span_number(struct prof_lanes *, struct prof_view_frames *);

#endif
