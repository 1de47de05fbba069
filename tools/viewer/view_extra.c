/*
 * tools/viewer/view_extra.c - see view_extra.h.
 */
#include "viewer/view_extra.h"

/* Pauses are in the order of threads and time. */
static void add_states(const struct prof_recording *recording, const struct prof_samples *samples,
                       struct prof_lanes *lanes) {
  uint64_t start = prof_trace_info(recording->trace)->start_ticks;
  uint32_t lane = PROF_NONE, thread = PROF_NONE;
  for (size_t i = 0; samples && !samples->has_sparse_pauses && i < samples->pause_count && !lanes->failed; i++) {
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

void prof_view_extra_add(const struct prof_recording *recording, const struct prof_samples *samples,
                         struct prof_view_gpu *gpu, struct prof_view_frames *frames, struct prof_lanes *lanes) {
  add_states(recording, samples, lanes);
  if (gpu)
    prof_view_gpu_add(gpu, frames, lanes);
}
