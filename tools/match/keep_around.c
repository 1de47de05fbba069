/*
 * tools/match/keep_around.c - a filter at a step that leaves a frame around others, which stay open.
 *
 * What is held is written then, as if it were kept.  Where the filter shows another part of the frames that stay, these
 * are left, and entered again as new calls.
 */
#include "event.h"
#include "keep.h"
#include "keep_state.h"

/* Of the frame that another frame is around now. */
static void place_again(struct prof_keep *keep, size_t at) {
  struct keep_frame *frame = &keep->stack.items[at];
  const struct keep_frame *outer = frame - 1;
  frame->state = frame->loop ? outer->state
                             : prof_filter_state_enter(keep->rules->rule, outer->state,
                                                       (uint8_t)keep_flags_of(keep, frame->function));
  frame->shown_at = frame->state.shown ? (uint32_t)at : outer->shown_at;
}

/* The frame `at` is left, and the `inside` ones stay; all of them are shown, or not, as before. */
static bool close_up(struct prof_keep *keep, size_t at, uint64_t time) {
  const struct keep_frame left = keep->stack.items[at];
  struct prof_step step = {.op = PROF_OP_EXIT, .time = time};
  for (size_t i = at; i + 1 < keep->stack.count; i++) {
    keep->stack.items[i] = keep->stack.items[i + 1];
    step.count += keep->stack.items[i].status == KEEP_WRITTEN;
  }
  keep->stack.count--;
  for (size_t i = at; i < keep->stack.count; i++)
    place_again(keep, i);
  step.op = step.count ? PROF_OP_EXIT_AROUND : PROF_OP_EXIT;
  struct keep_frame *outer = &keep->stack.items[keep->stack.items[at - 1].shown_at];
  outer->calls += outer != keep->stack.items ? left.calls : 0; /* the innermost frame's VALUEs would be told */
  outer->loops += outer != keep->stack.items ? left.loops : 0;
  return left.status != KEEP_WRITTEN || keep_out(keep, &(struct keep_held){.step = step, .sort = KEEP_INNER});
}

bool keep_leave_around(struct prof_keep *keep, const struct prof_step *step) {
  const uint64_t closed = keep->closed, time = step->time;
  if (step->count < closed || step->count - closed + 1 >= keep->stack.count) {
    keep->closed -= step->count < closed;
    return true;
  }
  const size_t at = keep->stack.count - 1 - (size_t)(step->count - closed);
  bool good = keep_decide_old(keep, time) && keep_settle(keep), same = true;
  struct prof_filter_state state = keep->stack.items[at - 1].state;
  for (size_t i = at + 1; i < keep->stack.count; i++) {
    const struct keep_frame *frame = &keep->stack.items[i];
    if (!frame->loop)
      state = prof_filter_state_enter(keep->rules->rule, state, (uint8_t)keep_flags_of(keep, frame->function));
    same &= state.shown == frame->state.shown;
  }
  if (same)
    return close_up(keep, at, time) && good;
  PROF_VEC(struct keep_frame) stay = {0};
  for (size_t i = at + 1; i < keep->stack.count && good; i++)
    good = prof_vec_push(&stay, keep->stack.items[i]);
  good &= keep_leave(keep, &(struct prof_step){.op = PROF_OP_EXIT, .count = step->count, .time = time});
  for (size_t i = 0; i < stay.count; i++)
    good &= prof_keep_enter(keep, time, stay.items[i].key, stay.items[i].function);
  keep->closed += closed;
  prof_vec_fini(&stay);
  return good;
}
