/*
 * tools/viewer/walk_calls.h - calls of the events of a walk, down to a depth.  In: events of one thread.  Out: calls.
 */
#ifndef PROF_VIEWER_WALK_CALLS_H
#define PROF_VIEWER_WALK_CALLS_H

#include "fold/walk_event.h"
#include "names/loop_frames.h"
#include "viewer/lanes.h"

#define PROF_SPAN_DEPTH 256 /* levels that are shown */

struct prof_walk_calls {
  uint64_t begins[PROF_SPAN_DEPTH]; /* of the open frames */
  bool cut[PROF_SPAN_DEPTH];
  uint32_t lanes[PROF_SPAN_DEPTH]; /* of the thread, by depth; PROF_NONE: none yet.  For the caller. */
  uint32_t unknown;                /* number of the unknown function */
};

static inline void prof_walk_calls_init(struct prof_walk_calls *calls, const prof_trace *trace) {
  size_t functions;
  prof_trace_functions(trace, &functions);
  calls->unknown = (uint32_t)functions;
}

/* Another thread follows, or another part of one. */
static inline void prof_walk_calls_begin(struct prof_walk_calls *calls) {
  for (unsigned i = 0; i < PROF_SPAN_DEPTH; i++)
    calls->lanes[i] = PROF_NONE;
}

/* true: the event ends a call, at event->depth, which is below PROF_SPAN_DEPTH.  Its frame is a number of names. */
static inline bool prof_walk_calls_take(struct prof_walk_calls *calls, const struct prof_walk_event *event,
                                        struct prof_lane_call *call) {
  if (event->depth >= PROF_SPAN_DEPTH)
    return false;
  if (event->kind == PROF_WALK_ENTER) {
    calls->begins[event->depth] = event->time_ns;
    calls->cut[event->depth] = event->cut;
  }
  if (event->kind != PROF_WALK_LEAVE)
    return false;
  uint64_t begin = calls->begins[event->depth];
  call->begin = begin;
  call->length = event->time_ns > begin ? event->time_ns - begin : 0;
  call->frame = event->function == PROF_NONE ? calls->unknown : event->function;
  call->flags = (calls->cut[event->depth] ? PROF_LANE_CUT_BEGIN : 0) | (event->cut ? PROF_LANE_CUT_END : 0);
  return true;
}

/* The lane of the thread at a depth; PROF_NONE: no memory. */
static inline uint32_t prof_walk_calls_lane(struct prof_walk_calls *calls, const struct prof_walk_event *event,
                                            struct prof_lanes *lanes) {
  uint32_t *lane = &calls->lanes[event->depth];
  if (*lane == PROF_NONE)
    *lane = prof_lanes_add_lane(lanes, PROF_LANE_CALLS, event->thread, event->depth);
  return *lane;
}

#endif
