/*
 * tools/viewer/view_bursts.h - when some function was recorded in bursts: calls are missing from the timeline then.
 *
 * In: STATES of a trace.  Out: intervals of the whole recording, all processes and threads alike.
 */
#ifndef PROF_VIEWER_VIEW_BURSTS_H
#define PROF_VIEWER_VIEW_BURSTS_H

#include "proftrace.h"

struct prof_view_bursts {
  uint64_t *edges; /* ticks: begin and end of each interval, in order; UINT64_MAX: up to the end of the recording */
  size_t count;    /* intervals */
};

/* None if every call of the recording is an event.  Free with prof_view_bursts_fini; false: no memory, nothing to free.
 */
bool prof_view_bursts_init(struct prof_view_bursts *, const prof_trace *);
void prof_view_bursts_fini(struct prof_view_bursts *);

#endif
