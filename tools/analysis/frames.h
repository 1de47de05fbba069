/*
 * tools/analysis/frames.h - frames that a program marks: how long they lasted, and what ran in the longest ones.
 *
 * A frame lasts from one mark (PROF_FRAME) to the next one of the same name in the same thread; what lies before the
 * first and behind the last mark is no frame.  In: a trace and a filter, which decides the marks and calls that count.
 * Two walks through the trace; memory: 8 bytes a frame, and the trees.
 */
#ifndef PROF_ANALYSIS_FRAMES_H
#define PROF_ANALYSIS_FRAMES_H

#include "analysis/durations.h"
#include "analysis/slow_tree.h"
#include "fold/filter.h"
#include "prof_status.h"

struct prof_frame_name { /* one name, over all threads, modules and processes */
  const char *name;      /* of the trace */
  struct prof_duration_figures figures;
  struct prof_slow_tree *slowest; /* the longest first; node 0 is the frame, of no function */
  size_t slowest_count;
};

struct prof_frames {
  struct prof_frame_name *rows; /* by total time */
  size_t count;
};

/* most: how many of each name have a tree; 0: none, and one walk.  Free *out with prof_frames_free.  PROF_EMPTY: there
 * are no frames; after a failure there is nothing to free. */
prof_status prof_frames_find(const prof_trace *, const struct prof_filter *, size_t most, struct prof_diag *,
                             struct prof_frames *out) PROF_MUST_CHECK;
void prof_frames_free(struct prof_frames *);

#endif
