/*
 * tools/estimate/burst/callers.c - see callers.h.
 */
#include "estimate/burst/callers.h"

#include <math.h>

#define TOGETHER 8 /* windows with events of the frame */

void prof_burst_callers_fini(struct prof_burst_callers *callers) {
  prof_vec_fini(&callers->frames);
  prof_vec_fini(&callers->callers);
  prof_index_fini(&callers->known_frames);
  prof_index_fini(&callers->known_callers);
}

static uint32_t find_frame(const struct prof_burst_callers *callers, uint32_t thread, uint32_t frame) {
  const struct prof_burst_counted_frame *frames = callers->frames.items;
  return prof_index_find(&callers->known_frames, prof_index_hash(thread, frame), i,
                         frames[i].thread == thread && frames[i].frame == frame);
}

/* UINT32_MAX: no memory. */
static uint32_t meet_frame(struct prof_burst_callers *callers, uint32_t thread, uint32_t frame) {
  const struct prof_burst_counted_frame *frames = callers->frames.items;
  return prof_index_meet(&callers->known_frames, &callers->frames, prof_index_hash(thread, frame), i,
                         frames[i].thread == thread && frames[i].frame == frame,
                         ((struct prof_burst_counted_frame){.thread = thread, .frame = frame, .first = UINT32_MAX}));
}

static uint32_t meet_caller(struct prof_burst_callers *callers, uint32_t frame, uint32_t caller) {
  const struct prof_burst_caller *items = callers->callers.items;
  size_t count = callers->callers.count;
  uint32_t at = prof_index_meet(&callers->known_callers, &callers->callers, prof_index_hash(frame, caller), i,
                                items[i].frame == frame && items[i].caller == caller,
                                ((struct prof_burst_caller){.frame = frame, .caller = caller}));
  if (at != UINT32_MAX && callers->callers.count > count) {
    callers->callers.items[at].next = callers->frames.items[frame].first;
    callers->frames.items[frame].first = at;
  }
  return at;
}

/* Gives the present stretch's counted calls to its callers, and begins another one. */
static void settle(struct prof_burst_callers *callers, struct prof_burst_counted_frame *frame) {
  for (uint32_t at = frame->first; at != UINT32_MAX; at = callers->callers.items[at].next) {
    struct prof_burst_caller *caller = &callers->callers.items[at];
    if (frame->seen > 0)
      caller->counted += frame->counted * caller->seen / frame->seen;
    caller->seen = 0;
  }
  frame->seen = frame->counted = 0;
  frame->windows = 0;
}

bool prof_burst_callers_see(struct prof_burst_callers *callers, uint32_t thread, uint32_t number, uint32_t caller,
                            uint64_t window, double calls) {
  uint32_t index = meet_frame(callers, thread, number);
  uint32_t at = index != UINT32_MAX ? meet_caller(callers, index, caller) : UINT32_MAX;
  if (at == UINT32_MAX)
    return false;
  struct prof_burst_counted_frame *frame = &callers->frames.items[index];
  if (frame->window != window && frame->windows >= TOGETHER && frame->counted > 0)
    settle(callers, frame);
  frame->windows += frame->window != window;
  frame->window = window;
  frame->seen += calls;
  callers->callers.items[at].seen += calls;
  return true;
}

bool prof_burst_callers_count(struct prof_burst_callers *callers, uint32_t thread, uint32_t number, double calls) {
  uint32_t index = meet_frame(callers, thread, number);
  if (index != UINT32_MAX)
    callers->frames.items[index].counted += calls;
  return index != UINT32_MAX;
}

bool prof_burst_callers_resume(struct prof_burst_callers *callers, uint32_t thread, uint32_t number, uint32_t caller,
                               double counted, double seen) {
  uint32_t index = meet_frame(callers, thread, number);
  uint32_t at = index != UINT32_MAX ? meet_caller(callers, index, caller) : UINT32_MAX;
  if (at == UINT32_MAX)
    return false;
  callers->callers.items[at].counted += counted;
  callers->callers.items[at].seen += seen;
  callers->frames.items[index].seen += seen;
  return true;
}

bool prof_burst_callers_resume_frame(struct prof_burst_callers *callers, uint32_t thread, uint32_t number,
                                     double counted, double windows) {
  uint32_t index = meet_frame(callers, thread, number);
  if (index == UINT32_MAX)
    return false;
  callers->frames.items[index].counted += counted;
  callers->frames.items[index].windows += (uint32_t)fmin(windows, TOGETHER); /* more are no more than enough */
  return true;
}

void prof_burst_callers_finish(struct prof_burst_callers *callers) {
  for (size_t i = 0; i < callers->frames.count; i++)
    settle(callers, &callers->frames.items[i]);
}

double prof_burst_callers_part(const struct prof_burst_callers *callers, uint32_t thread, uint32_t number,
                               uint32_t caller) {
  uint32_t index = find_frame(callers, thread, number);
  double all = 0, own = 0;
  for (uint32_t at = index != UINT32_MAX ? callers->frames.items[index].first : UINT32_MAX; at != UINT32_MAX;
       at = callers->callers.items[at].next) {
    const struct prof_burst_caller *from = &callers->callers.items[at];
    all += from->counted;
    own += from->caller == caller ? from->counted : 0;
  }
  return all > 0 ? own / all : -1;
}
