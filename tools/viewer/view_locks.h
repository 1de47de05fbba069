/*
 * tools/viewer/view_locks.h - waits for locks, and who held them, as a section.
 */
#ifndef PROF_VIEWER_VIEW_LOCKS_H
#define PROF_VIEWER_VIEW_LOCKS_H

#include "study/symbols.h"
#include "viewer/view_frames.h"

/* Members of the open object, at most `most` waits; none without --locks.  *left_out gets how many short ones there
 * are beside. */
prof_status prof_view_locks_write(struct prof_view_frames *, struct prof_symbols *, size_t most, struct prof_diag *,
                                  struct prof_json *, uint64_t *left_out) PROF_MUST_CHECK;

#endif
