/*
 * tools/viewer/view_extra.h - lanes beside those of calls: when threads waited, what GPUs did.
 */
#ifndef PROF_VIEWER_VIEW_EXTRA_H
#define PROF_VIEWER_VIEW_EXTRA_H

#include "estimate/samples.h"
#include "viewer/lanes.h"
#include "viewer/view_frames.h"
#include "viewer/view_gpu.h"

/* samples: NULL or without pauses: no states.  gpu: may be NULL. */
void prof_view_extra_add(const struct prof_recording *, const struct prof_samples *, struct prof_view_gpu *,
                         struct prof_view_frames *, struct prof_lanes *);

#endif
