/*
 * tools/viewer/view_gpu.h - what GPUs did: lanes of their streams, and the section `gpu`.
 *
 * In: a recording.  Out: a lane per stream, rows of devices and streams, and which thread launched what.
 */
#ifndef PROF_VIEWER_VIEW_GPU_H
#define PROF_VIEWER_VIEW_GPU_H

#include "viewer/lanes.h"
#include "viewer/view_frames.h"

struct prof_view_gpu;

/* *out is NULL if the recording has no GPU records.  The recording must outlive it. */
prof_status prof_view_gpu_open(const struct prof_recording *, enum prof_demangle, struct prof_diag *,
                               struct prof_view_gpu **out) PROF_MUST_CHECK;
void prof_view_gpu_close(struct prof_view_gpu *); /* NULL: nothing */

/* Adds a lane for each stream. */
void prof_view_gpu_add(struct prof_view_gpu *, struct prof_view_frames *, struct prof_lanes *);

/* Works that the lanes have one by one get their launch. */
prof_status prof_view_gpu_write(struct prof_view_gpu *, struct prof_view_frames *, const struct prof_lanes *,
                                struct prof_json *) PROF_MUST_CHECK;

/* GPU time by the path that launched it, each kernel or copy below: the section `gpu_tree`.  *hidden gets the paths
 * that were left out, as there are more than `most`. */
prof_status prof_view_gpu_tree_write(struct prof_view_gpu *, struct prof_view_frames *, uint32_t most,
                                     struct prof_diag *, struct prof_json *, uint64_t *hidden) PROF_MUST_CHECK;

#endif
