/*
 * tools/match/keep.c - see keep.h: what becomes of each step.
 */
#include "keep.h"

#include <stdlib.h>

#include "event.h"
#include "keep_state.h"
#include "trace/write/encoder_inline.h"

#define HELD_MOST 65536u /* steps: then calls that led nowhere so far are kept, instead of memory */
#define TELL_CALLS 4096u /* a frame tells its count at the latest after so many */

struct prof_keep *prof_keep_new(struct prof_keep_rules *rules, prof_encoder *encoder) {
  struct prof_keep *keep = calloc(1, sizeof *keep);
  if (!keep)
    return NULL;
  keep->rules = rules;
  keep->encoder = encoder;
  keep->off = rules->off;
  if (!prof_vec_push(&keep->stack, (struct keep_frame){0}) ||
      !prof_vec_push(&keep->open, (struct prof_open_frame){0})) {
    prof_keep_free(keep);
    return NULL;
  }
  return keep;
}

void prof_keep_free(struct prof_keep *keep) {
  if (!keep)
    return;
  prof_vec_fini(&keep->stack);
  prof_vec_fini(&keep->open);
  prof_vec_fini(&keep->held);
  free(keep);
}

void prof_keep_take_wait(struct prof_keep *keep, uint64_t stalled, uint64_t begin) {
  keep->stalled = keep->written_stalled = stalled;
  keep->stall_begin = keep->written_stall_begin = begin;
}

/* ---- what is left out ---- */

static bool tell_count(struct prof_keep *keep, uint64_t *count, bool loops, uint64_t time) {
  if (*count == 0)
    return true;
  struct prof_step step = {.op = PROF_OP_VALUE, .count = *count << 1 | loops, .time = time};
  *count = 0;
  return keep_out(keep, &(struct keep_held){.step = step, .sort = KEEP_INNER});
}

/* Of the innermost frame that is written or held. */
static bool tell(struct prof_keep *keep, struct keep_frame *frame, uint64_t time) {
  bool good = tell_count(keep, &frame->calls, false, time);
  return tell_count(keep, &frame->loops, true, time) && good;
}

/* A call or loop isn't written: it is part of the innermost frame that is. */
static bool leave_out(struct prof_keep *keep, uint32_t shown_at, bool loop, uint64_t time) {
  struct keep_frame *frame = &keep->stack.items[shown_at];
  keep->left_out += 2;
  if (!shown_at)
    return true;
  *(loop ? &frame->loops : &frame->calls) += 1;
  if (frame->calls < TELL_CALLS || frame->status != KEEP_WRITTEN || keep_holds(keep) || keep->off)
    return true;
  return tell(keep, frame, time);
}

/* ---- entries ---- */

static bool switch_by(struct prof_keep *keep, uint64_t time, uint16_t flags) {
  struct prof_keep_rules *rules = keep->rules;
  bool wanted = rules->off ? !(flags & PROF_KEEP_START) : (flags & PROF_KEEP_STOP) != 0;
  if (wanted == rules->off)
    return true;
  rules->off = wanted;
  rules->switched = time;
  rules->switches++;
  return prof_keep_switch(keep, time);
}

/* The frame that a call from the innermost one makes. */
static struct keep_frame frame_of(struct prof_keep *keep, uint64_t time, uint64_t key, uint32_t function) {
  const struct keep_frame *outer = keep_top(keep);
  struct keep_frame frame = {.entry = time,
                             .stalled = keep->stalled,
                             .key = key,
                             .function = function,
                             .loop = prof_event_kind((uint32_t)key) == PROF_EVENT_LOOP_ENTRY,
                             .state = outer->state};
  if (!frame.loop)
    frame.state = prof_filter_state_enter(keep->rules->rule, outer->state, (uint8_t)keep_flags_of(keep, function));
  frame.slow = keep->rules->slow_ticks && keep->rules->rule.wants && frame.state.within_only &&
               !outer->state.within_only && frame.state.shown;
  frame.leads = !keep->rules->by_caller || (!frame.loop && (keep_flags_of(keep, function) & PROF_FILTER_CALLER));
  frame.shown_at = frame.state.shown ? (uint32_t)keep->stack.count : outer->shown_at;
  return frame;
}

static bool is_closed_for(struct prof_keep *keep, bool loop) {
  bool ends = prof_filter_state_ends(keep->rules->rule, keep_top(keep)->state);
  return keep->closed || keep->stack.count > PROF_FORMAT_FRAME_LIMIT || (ends && !loop);
}

/* A call with FILTER_CALLER is made: all open ones lead to it. */
static bool lead(struct prof_keep *keep, uint64_t time) {
  for (size_t at = keep->stack.count - 1; at > 0 && !keep->stack.items[at].leads; at--)
    keep->stack.items[at].leads = true;
  return keep_decide_old(keep, time);
}

bool prof_keep_enter(struct prof_keep *keep, uint64_t time, uint64_t key, uint32_t function) {
  bool loop = prof_event_kind((uint32_t)key) == PROF_EVENT_LOOP_ENTRY;
  uint16_t flags = loop ? 0 : keep_flags_of(keep, function);
  bool good = keep_decide_old(keep, time);
  if (flags & PROF_FILTER_CALLER)
    good &= lead(keep, time);
  if (flags & (PROF_KEEP_START | PROF_KEEP_STOP))
    good &= switch_by(keep, time, flags);
  keep->last_unit = loop ? function : 0;
  keep->last_exit = keep->last_kept = false;
  if (is_closed_for(keep, loop)) {
    keep->closed++;
    return leave_out(keep, keep_top(keep)->shown_at, loop, time) && good;
  }
  struct keep_frame frame = frame_of(keep, time, key, function);
  bool shown = frame.state.shown && !keep->off, waits = frame.slow || keep->rules->least_ticks || !frame.leads;
  frame.status = !shown ? KEEP_HIDDEN : waits ? KEEP_HELD : keep_holds(keep) ? KEEP_DECIDED : KEEP_WRITTEN;
  const struct keep_held held = {.step = {.op = PROF_OP_ENTRY, .time = time},
                                 .sort = KEEP_ENTRY,
                                 .key = key,
                                 .function = function,
                                 .frame = (uint32_t)keep->stack.count,
                                 .decided = !waits};
  if (!frame.state.shown)
    good &= leave_out(keep, keep_top(keep)->shown_at, loop, time);
  if (shown && !(waits ? keep_hold(keep, &held) : keep_out(keep, &held)))
    return false;
  frame.position = keep->first_position + keep->held.count - 1;
  keep->last_kept = shown;
  return prof_vec_push(&keep->stack, frame) && good;
}

/* ---- exits ---- */

/* A call that was too short, or led nowhere, is its caller's. */
static void drop_short(struct prof_keep *keep, struct keep_frame frame) {
  keep_forget(keep, &frame);
  keep->stack.count--;
  struct keep_frame *outer = &keep->stack.items[keep_top(keep)->shown_at];
  keep->left_out += 2;
  if (!keep_top(keep)->shown_at)
    return;
  outer->calls += frame.calls + !frame.loop;
  outer->loops += frame.loops + frame.loop;
}

/* Does the innermost frame stay, which ends at `time`? */
static bool stays(struct prof_keep *keep, struct keep_frame *frame, uint64_t time) {
  uint64_t net = keep_net(keep, frame, time);
  if (frame->status != KEEP_HELD)
    return true;
  if (net < keep->rules->least_ticks || !frame->leads)
    return false;
  if (frame->slow && net < keep->rules->slow_ticks)
    keep_empty(keep, frame);
  keep_decide(keep, keep->stack.count - 1);
  return true;
}

static bool leave_one(struct prof_keep *keep, uint64_t time, bool by_exit) {
  struct prof_step step = {.op = by_exit ? PROF_OP_EXIT : PROF_OP_LANDED, .count = !by_exit, .time = time};
  if (keep->closed) {
    keep->closed--;
    return true;
  }
  if (keep->stack.count == 1)
    return true;
  struct keep_frame *frame = keep_top(keep);
  if (frame->status == KEEP_HIDDEN) {
    keep->stack.count--;
    return true;
  }
  if (!stays(keep, frame, time)) {
    drop_short(keep, *frame);
    return keep_release(keep);
  }
  bool good = keep_release(keep) && tell(keep, frame, time);
  good &= keep_out(keep, &(struct keep_held){.step = step, .sort = KEEP_INNER});
  keep->stack.count--;
  keep->last_kept = true;
  return keep_release(keep) && good;
}

bool keep_leave(struct prof_keep *keep, const struct prof_step *step) {
  bool by_exit = step->op == PROF_OP_EXIT, good = keep_decide_old(keep, step->time);
  for (uint64_t i = 0; i < step->count && (keep->closed || keep->stack.count > 1); i++)
    good &= leave_one(keep, step->time, false);
  keep->last_kept = false;
  keep->last_unit = by_exit && !keep->closed && keep_top(keep)->loop ? keep_top(keep)->function : 0;
  keep->last_exit = true;
  return (!by_exit || leave_one(keep, step->time, true)) && good;
}

/* All counts, before STOP leaves all frames: those of outer ones need the exits of the inner ones. */
static bool tell_all(struct prof_keep *keep, uint64_t time) {
  size_t outermost = keep->stack.count, inner = 0;
  bool good = true;
  for (size_t at = keep->stack.count - 1; at > 0; at--)
    if (keep->stack.items[at].status == KEEP_WRITTEN && keep->stack.items[at].calls + keep->stack.items[at].loops > 0)
      outermost = at;
  for (size_t at = keep->stack.count - 1; at >= outermost && good; at--) {
    const struct prof_step left = {.op = PROF_OP_EXIT, .time = time};
    if (keep->stack.items[at].status != KEEP_WRITTEN)
      continue;
    if (inner != 0)
      good = keep_out(keep, &(struct keep_held){.step = left, .sort = KEEP_INNER});
    inner = at;
    good &= tell(keep, &keep->stack.items[at], time);
  }
  return good;
}

/* All frames end: leaves out calls that are too short by now, or led nowhere. */
static void forget_short(struct prof_keep *keep, uint64_t time) {
  while (keep->stack.count > 1) {
    const struct keep_frame *frame = keep_top(keep);
    if (frame->status == KEEP_HIDDEN)
      keep->stack.count--;
    else if (frame->status == KEEP_HELD && (!frame->leads || keep_net(keep, frame, time) < keep->rules->least_ticks))
      drop_short(keep, *frame);
    else
      break;
  }
}

/* Whatever is held is written. */
bool keep_settle(struct prof_keep *keep) {
  for (size_t at = keep->stack.count - 1; at > 0; at--)
    keep_decide(keep, at);
  return keep_release(keep);
}

static bool stop(struct prof_keep *keep, const struct prof_step *step) {
  keep->closed = 0;
  forget_short(keep, step->time);
  bool good = keep_settle(keep) && tell_all(keep, step->time);
  if (keep->open.count > 1)
    good &= keep_out(keep, &(struct keep_held){.step = *step, .sort = KEEP_ALWAYS});
  keep->stack.count = 1;
  return good;
}

/* ---- other steps ---- */

static void take_wait(struct prof_keep *keep, const struct prof_step *step) {
  if (step->op == PROF_OP_STALL_BEGIN) {
    keep->stall_begin = step->time;
  } else if (keep->stall_begin) {
    keep->stalled += step->time - keep->stall_begin;
    keep->stall_begin = 0;
  }
}

bool prof_keep_step(struct prof_keep *keep, const struct prof_step *step) {
  enum prof_op op = step->op;
  keep->last_unit = 0;
  if (op == PROF_OP_EXIT || op == PROF_OP_LANDED)
    return keep_leave(keep, step);
  if (op == PROF_OP_EXIT_AROUND)
    return keep_leave_around(keep, step);
  if (op == PROF_OP_STOP)
    return stop(keep, step);
  if (op == PROF_OP_STALL_BEGIN || op == PROF_OP_STALL_END)
    take_wait(keep, step);
  bool good = keep->held.count - keep->begin < HELD_MOST || keep_settle(keep);
  return keep_out(keep, &(struct keep_held){.step = *step, .sort = KEEP_ALWAYS}) && good;
}

bool prof_keep_value(struct prof_keep *keep, const struct prof_step *step, uint32_t loop) {
  bool of_last = keep->last_unit && keep->last_unit == loop;
  bool kept = of_last ? keep->last_kept : !keep->closed && keep_top(keep)->status != KEEP_HIDDEN;
  enum keep_sort sort = of_last && !keep->last_exit ? KEEP_ENTRY_VALUE : KEEP_INNER;
  keep->last_unit = 0;
  return !kept || keep_out(keep, &(struct keep_held){.step = *step, .sort = sort});
}

/* They are shown within what is shown, whatever the depth and the duration. */
bool prof_keep_point(struct prof_keep *keep, const struct prof_step *step) {
  const struct prof_filter_state *state = &keep_top(keep)->state;
  bool shown = !state->within_without && (state->within_only || !keep->rules->rule.wants);
  if (keep->held.count - keep->begin >= HELD_MOST && !keep_settle(keep))
    return false;
  return !shown || keep_out(keep, &(struct keep_held){.step = *step, .sort = KEEP_INNER});
}

/* ---- frames that go on ---- */

static bool push_again(struct prof_keep *keep, uint64_t time, uint64_t key, uint32_t function) {
  struct keep_frame frame = frame_of(keep, time, key, function);
  bool written = frame.state.shown && !keep->off;
  struct prof_open_frame open = {time, key, keep->written_stalled, function, 0};
  frame.status = written ? KEEP_WRITTEN : KEEP_HIDDEN;
  return prof_vec_push(&keep->stack, frame) && (!written || prof_vec_push(&keep->open, open));
}

/* Begins a chunk with the open frames. */
static bool begin_again(struct prof_keep *keep, uint64_t time) {
  const struct prof_step nothing = {.op = PROF_OP_NOTHING, .time = time};
  (void)prof_encoder_flush(keep->encoder, false); /* the writer keeps the error */
  return keep_out(keep, &(struct keep_held){.step = nothing, .sort = KEEP_ALWAYS});
}

bool prof_keep_resume(struct prof_keep *keep, const struct prof_open_frame *frames, uint32_t depth, uint64_t time) {
  bool good = true;
  keep->stack.count = keep->open.count = 1;
  keep->closed = 0;
  for (uint32_t i = 0; i < depth && good; i++) {
    if (is_closed_for(keep, prof_event_kind((uint32_t)frames[i].key) == PROF_EVENT_LOOP_ENTRY))
      keep->closed++;
    else
      good = push_again(keep, time, frames[i].key, frames[i].function);
  }
  return good && begin_again(keep, time);
}

static bool switch_off(struct prof_keep *keep, uint64_t time) {
  const struct prof_step step = {.op = PROF_OP_STOP, .time = time};
  bool good = keep_settle(keep) && tell_all(keep, time);
  if (keep->open.count > 1)
    good &= keep_out(keep, &(struct keep_held){.step = step, .sort = KEEP_ALWAYS});
  (void)prof_encoder_flush(keep->encoder, false); /* the writer keeps the error */
  for (size_t i = 1; i < keep->stack.count; i++)
    keep->stack.items[i].status = KEEP_HIDDEN;
  keep->off = true;
  return good;
}

static bool switch_on(struct prof_keep *keep, uint64_t time) {
  bool good = true;
  keep->off = false;
  for (size_t i = 1; i < keep->stack.count && good; i++) {
    struct keep_frame *frame = &keep->stack.items[i];
    struct prof_open_frame open = {time, frame->key, keep->written_stalled, frame->function, 0};
    frame->calls = frame->loops = 0;
    if (!frame->state.shown)
      continue;
    frame->status = KEEP_WRITTEN;
    good = prof_vec_push(&keep->open, open);
  }
  if (!good || keep->open.count == 1)
    return good;
  keep->encoder->resumes = begin_again(keep, time);
  return keep->encoder->resumes;
}

bool prof_keep_switch(struct prof_keep *keep, uint64_t time) {
  if (keep->off == keep->rules->off)
    return true;
  return keep->rules->off ? switch_off(keep, time) : switch_on(keep, time);
}

bool prof_keep_mark(struct prof_keep *keep, uint64_t time) {
  const struct prof_step nothing = {.op = PROF_OP_NOTHING, .time = time};
  bool good = keep_settle(keep);
  struct keep_frame *shown = &keep->stack.items[keep_top(keep)->shown_at];
  if (shown->status == KEEP_WRITTEN)
    good &= tell(keep, shown, time);
  if (keep->open.count > 1)
    good &= keep_out(keep, &(struct keep_held){.step = nothing, .sort = KEEP_ALWAYS});
  return good;
}

/* ---- calls of which nothing is kept ---- */

bool prof_keep_is_closed(const struct prof_keep *keep) {
  const struct keep_frame *top = &keep->stack.items[keep->stack.count - 1];
  return keep->closed || prof_filter_state_ends(keep->rules->rule, top->state);
}

bool prof_keep_wants(const struct prof_keep *keep, uint32_t function) {
  return (keep_flags_of(keep, function) & (PROF_KEEP_START | PROF_KEEP_STOP | PROF_FILTER_CALLER)) != 0;
}

bool prof_keep_is_quiet(const struct prof_keep *keep, uint32_t function) {
  return (keep_flags_of(keep, function) & PROF_KEEP_QUIET) != 0;
}

uint64_t prof_keep_closed_depth(const struct prof_keep *keep) {
  return keep->closed;
}

bool prof_keep_pass(struct prof_keep *keep, uint64_t time, uint64_t calls, uint64_t depth) {
  uint32_t shown_at = keep_top(keep)->shown_at;
  keep->closed = depth;
  if (calls == 0)
    return true;
  keep->last_unit = 0;
  keep->stack.items[shown_at].calls += shown_at ? calls - 1 : 0;
  keep->left_out += 2 * (calls - 1);
  return leave_out(keep, shown_at, false, time);
}

/* ---- calls of which all is kept ---- */

bool prof_keep_is_open(struct prof_keep *keep, uint32_t depth, uint32_t most, uint32_t *levels) {
  const struct prof_keep_rules *rules = keep->rules;
  const struct prof_filter_state *state = &keep_top(keep)->state;
  size_t at = keep->stack.count - 1;
  *levels = 0;
  if (keep->off || rules->off || keep->closed || keep_holds(keep) || rules->least_ticks || rules->rule.depth ||
      rules->by_caller || at != depth || state->within_without || (rules->rule.wants && !state->within_only))
    return false;
  while (at > 0 && *levels < most && keep->stack.items[at].status == KEEP_WRITTEN &&
         !(keep->stack.items[at].calls | keep->stack.items[at].loops) &&
         (!rules->rule.wants || keep->stack.items[at - 1].state.within_only)) { /* all is kept after its exit, too */
    at--;
    ++*levels;
  }
  return true;
}

bool prof_keep_follow(struct prof_keep *keep, const struct prof_open_frame *frames, uint32_t same, uint32_t depth) {
  size_t left = keep->stack.count - 1 - same;
  keep->stack.count -= left;
  keep->open.count -= left;
  keep->last_unit = 0;
  keep->last_exit = false;
  keep->last_kept = true;
  for (uint32_t i = same + 1; i <= depth; i++) {
    struct keep_frame frame = frame_of(keep, frames[i].entry, frames[i].key, frames[i].function);
    struct prof_open_frame open = frames[i];
    frame.stalled = frames[i].stalled;
    frame.status = KEEP_WRITTEN;
    open.address = 0;
    if (!prof_vec_push(&keep->stack, frame) || !prof_vec_push(&keep->open, open))
      return false;
  }
  return true;
}

uint64_t prof_keep_left_out(const struct prof_keep *keep) {
  return keep->left_out;
}
