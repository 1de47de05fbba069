/*
 * tools/viewer/span_sketch.h - the long calls of a recording, found in a moment: the first picture of a timeline.
 *
 * Job: each chunk lists the calls that are open where it begins.  A call that is open at several of these moments is
 * there from its entry up to the last of them; where it ends is not known.  Shorter ones are missing.  In: a recording
 * without a filter.  Out: an index (span_index.h) without cells and longest calls, whose step is too coarse for a close
 * look, so that this is decoded.  Time: 2% of what the index takes.
 */
#ifndef PROF_VIEWER_SPAN_SKETCH_H
#define PROF_VIEWER_SPAN_SKETCH_H

#include "viewer/span_index.h"

/* After a failure nothing is left to be freed; else free it with prof_span_index_fini.  Chunks that can't be read are
 * left out. */
prof_status prof_span_sketch_make(const struct prof_recording *, struct prof_diag *,
                                  struct prof_span_index *out) PROF_MUST_CHECK;

#endif
