/*
 * tools/fold/walk.h - the events of a trace in time order, one call at a time, in constant memory.
 *
 * Uses the same stack and filter rules as the fold.  For replay and for exports that show time.
 */
#ifndef PROF_FOLD_WALK_H
#define PROF_FOLD_WALK_H

#include "fold/filter.h"
#include "fold/walk_event.h"
#include "proftrace.h"

/* Return false to stop early (that is no error). */
typedef bool prof_walk_visit(void *context, const struct prof_walk_event *);

enum prof_walk_order {
  PROF_WALK_BY_THREAD, /* thread after thread */
  PROF_WALK_BY_TIME,   /* all threads merged */
};

/* filter may be NULL: everything.  PROF_EMPTY: nothing was shown.  A filter with min_ns delays each ENTER until its
 * call is known to be long enough (bounded by depth, not by events).
 */
prof_status prof_walk(const prof_trace *, const struct prof_filter *, enum prof_walk_order, prof_walk_visit *,
                      void *context, struct prof_diag *) PROF_MUST_CHECK;

/* The same with points too: those that the program reported in what the filter shows. */
prof_status prof_walk_points(const prof_trace *, const struct prof_filter *, enum prof_walk_order, prof_walk_visit *,
                             void *context, struct prof_diag *) PROF_MUST_CHECK;

#endif
