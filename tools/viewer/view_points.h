/*
 * tools/viewer/view_points.h - what a program reports of itself in time, as a section.
 */
#ifndef PROF_VIEWER_VIEW_POINTS_H
#define PROF_VIEWER_VIEW_POINTS_H

#include "analysis/tracks.h"
#include "viewer/view_frames.h"

/* Members of the open object; none without tracks. */
prof_status prof_view_points_write(const struct prof_tracks *, struct prof_view_frames *, struct prof_diag *,
                                   struct prof_json *) PROF_MUST_CHECK;

#endif
