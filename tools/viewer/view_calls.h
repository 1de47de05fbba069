/*
 * tools/viewer/view_calls.h - calls by their arguments, as a section.
 */
#ifndef PROF_VIEWER_VIEW_CALLS_H
#define PROF_VIEWER_VIEW_CALLS_H

#include "viewer/view_frames.h"

#define PROF_VIEW_CALLS 100u /* rows, at most */

/* Members of the open object: the rows with most time, and how many there are.  None without recorded arguments. */
prof_status prof_view_calls_write(struct prof_view_frames *, struct prof_diag *, struct prof_json *) PROF_MUST_CHECK;

#endif
