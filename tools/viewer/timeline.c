/*
 * tools/viewer/timeline.c - see timeline.h.
 */
#include "viewer/timeline.h"

#include <stdatomic.h>

#include "base/diag.h"
#include "fold/walk.h"
#include "names/loop_frames.h"

struct filling {
  struct prof_timeline *timeline;
  struct prof_view_frames *frames;
  uint32_t thread;                      /* the present one; PROF_NONE: none yet */
  uint32_t lanes[PROF_TIMELINE_DEPTH];  /* of the thread; PROF_NONE: none yet */
  uint64_t begins[PROF_TIMELINE_DEPTH]; /* of the open frames */
  bool cut[PROF_TIMELINE_DEPTH];
  uint32_t unknown; /* number of the unknown function */
  uint64_t events;
  _Atomic uint64_t *done;
};

static void begin_thread(struct filling *filling, uint32_t thread) {
  filling->thread = thread;
  for (unsigned i = 0; i < PROF_TIMELINE_DEPTH; i++)
    filling->lanes[i] = PROF_NONE;
}

static void leave(struct filling *filling, const struct prof_walk_event *event) {
  struct prof_timeline *timeline = filling->timeline;
  uint64_t begin = filling->begins[event->depth];
  uint32_t *lane = &filling->lanes[event->depth];
  if (*lane == PROF_NONE)
    *lane = prof_lanes_add_lane(&timeline->lanes, PROF_LANE_CALLS, event->thread, event->depth);
  if (*lane == PROF_NONE)
    return;
  uint32_t number = event->function == PROF_NONE ? filling->unknown : event->function;
  const struct prof_lane_call call = {.begin = begin,
                                      .length = event->time_ns > begin ? event->time_ns - begin : 0,
                                      .frame = prof_view_frame(filling->frames, event->function),
                                      .flags = (filling->cut[event->depth] ? PROF_LANE_CUT_BEGIN : 0) |
                                               (event->cut ? PROF_LANE_CUT_END : 0)};
  const struct prof_slow_call slow = {begin, event->duration_ns, event->thread, event->depth};
  prof_lanes_add(&timeline->lanes, *lane, &call);
  if (number < timeline->slowest.frames)
    prof_slowest_add(&timeline->slowest, number, &slow);
}

static bool visit(void *context, const struct prof_walk_event *event) {
  struct filling *filling = context;
  if (filling->done && (++filling->events & 0xffff) == 0)
    atomic_fetch_add_explicit(filling->done, 0x10000, memory_order_relaxed);
  if (event->thread != filling->thread)
    begin_thread(filling, event->thread);
  if (event->kind != PROF_WALK_ENTER && event->kind != PROF_WALK_LEAVE)
    return true;
  if (event->depth >= PROF_TIMELINE_DEPTH) {
    filling->timeline->deep_calls += event->kind == PROF_WALK_ENTER;
    return true;
  }
  if (event->kind == PROF_WALK_ENTER) {
    filling->begins[event->depth] = event->time_ns;
    filling->cut[event->depth] = event->cut;
  } else {
    leave(filling, event);
  }
  return !filling->timeline->lanes.failed && !filling->frames->failed;
}

/* Pauses are in the order of threads and time. */
static void add_states(const struct prof_recording *recording, const struct prof_samples *samples,
                       struct prof_lanes *lanes) {
  uint64_t start = prof_trace_info(recording->trace)->start_ticks;
  uint32_t lane = PROF_NONE, thread = PROF_NONE;
  for (size_t i = 0; samples && i < samples->pause_count && !lanes->failed; i++) {
    const struct prof_pause *pause = &samples->pauses[i];
    if (pause->thread == PROF_NONE || pause->stalled)
      continue;
    if (pause->thread != thread)
      lane = prof_lanes_add_lane(lanes, PROF_LANE_STATES, pause->thread, 0);
    thread = pause->thread;
    uint64_t begin = prof_trace_ns(recording->trace, pause->begin > start ? pause->begin - start : 0);
    uint64_t end = prof_trace_ns(recording->trace, pause->end > start ? pause->end - start : 0);
    const struct prof_lane_call state = {
        .begin = begin, .length = end > begin ? end - begin : 0, .frame = !pause->waits};
    if (lane != PROF_NONE)
      prof_lanes_add(lanes, lane, &state);
  }
}

prof_status prof_timeline_make(const struct prof_recording *recording, const struct prof_samples *samples,
                               struct prof_view_frames *frames, uint64_t most_records, _Atomic uint64_t *done,
                               struct prof_diag *diag, struct prof_timeline *out) {
  size_t functions;
  *out = (struct prof_timeline){.deep_calls = 0};
  prof_trace_functions(recording->trace, &functions);
  struct filling filling = {
      .timeline = out, .frames = frames, .thread = PROF_NONE, .unknown = (uint32_t)functions, .done = done};
  prof_lanes_init(&out->lanes, most_records);
  if (!prof_slowest_init(&out->slowest, prof_frame_count(recording->trace)))
    return prof_diag_memory(diag);
  prof_status status = prof_walk(recording->trace, &recording->filter, PROF_WALK_BY_THREAD, visit, &filling, diag);
  if (status == PROF_EMPTY) /* only frames from before a fork: the tree has them */
    status = PROF_OK;
  if (status == PROF_OK)
    add_states(recording, samples, &out->lanes);
  return status == PROF_OK && (out->lanes.failed || frames->failed) ? prof_diag_memory(diag) : status;
}

void prof_timeline_fini(struct prof_timeline *timeline) {
  prof_lanes_fini(&timeline->lanes);
  prof_slowest_fini(&timeline->slowest);
}
