/*
 * tools/estimate/burst/heads.c - see heads.h.
 */
#include "estimate/burst/heads.h"

#include "names/loop_frames.h"

bool prof_burst_was_on(const struct prof_burst_paths *paths, const struct prof_burst_frame *frame,
                       const struct prof_burst_head *head) {
  return prof_window_has(head->seed, head->part, frame->site) &&
         !(head->kind == PROF_BURST_BY_COUNTS && prof_frame_loop(paths->trace, frame->frame) != PROF_NONE) &&
         prof_burst_state_holds(paths->states, frame, head->begin, head->begin + head->length);
}
