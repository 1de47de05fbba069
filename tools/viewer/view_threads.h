/*
 * tools/viewer/view_threads.h - threads and processes as sections.
 */
#ifndef PROF_VIEWER_VIEW_THREADS_H
#define PROF_VIEWER_VIEW_THREADS_H

#include "analysis/functions.h"
#include "viewer/view_frames.h"

/* Rows are of PROF_BY_THREAD and PROF_BY_PROCESS; threads and processes without a row have no calls. */
prof_status prof_view_threads_write(struct prof_view_frames *, const struct prof_function_rows *,
                                    struct prof_json *) PROF_MUST_CHECK;
prof_status prof_view_processes_write(struct prof_view_frames *, const struct prof_function_rows *,
                                      struct prof_json *) PROF_MUST_CHECK;

#endif
