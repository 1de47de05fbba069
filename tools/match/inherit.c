/*
 * tools/match/inherit.c - chunks that begin in frames entered elsewhere: before a fork, before the program switched
 * recording off, or before some functions were no longer recorded.  See matcher.h and docs/trace-format.md, "frames".
 *
 * When recording resumes, its first events show which frames are still open.  An exit is of one of them.  A call's
 * return address is in one of them, between the function's first sled and its last.
 */
#include <stdlib.h>
#include <string.h>

#include "matcher_state.h"

/* Without memory, or if frames are omitted, later events begin at the root. */
void prof_matcher_suspend(struct prof_matcher *matcher) {
  if (!matcher->depth || matcher->omitted)
    return; /* of two stops without events between, the first counts */
  size_t bytes = (matcher->depth + 1) * sizeof *matcher->suspended;
  struct prof_open_frame *frames = realloc(matcher->suspended, bytes);
  if (!frames)
    return;
  memcpy(frames, matcher->stack, bytes);
  matcher->suspended = frames;
  matcher->suspended_depth = matcher->depth;
}

#define FAR_SITES 64u /* most sites of others in a row between two of one function */

/* Is the address between the first and the last sled of a frame's function or loop? */
static bool holds(const struct prof_matcher *matcher, const struct prof_open_frame *frame, uint32_t address) {
  const struct prof_site_map *map = matcher->map;
  uint32_t first = prof_event_site((uint32_t)frame->key), reach = 0;
  if (!map->addresses || first >= map->count)
    return false;
  for (uint32_t site = first + 1, last = first; site < map->count && site - last <= FAR_SITES; site++)
    if (prof_matcher_function(matcher, site) == frame->function) {
      uint32_t away = map->addresses[site] - map->addresses[first];
      reach = away > reach && away < UINT32_MAX / 2 ? away : reach;
      last = site;
    }
  return address - map->addresses[first] <= reach;
}

/* The suspended frame that an address lies in, or a loop of it.  If none: the innermost function; the address is in a
 * function called meanwhile, or in uninstrumented code. */
static uint32_t frame_around(const struct prof_matcher *matcher, uint32_t address) {
  const struct prof_open_frame *frames = matcher->suspended;
  uint32_t at = matcher->suspended_depth;
  while (at && (prof_frame_is_part(matcher->map, &frames[at]) || !holds(matcher, &frames[at], address)))
    at--;
  if (!at) {
    for (at = matcher->suspended_depth; at > 1 && prof_frame_is_part(matcher->map, &frames[at]);)
      at--;
    return at;
  }
  while (at < matcher->suspended_depth && prof_frame_is_part(matcher->map, &frames[at + 1]) &&
         (prof_frame_is_apart(matcher->map, &frames[at + 1]) || holds(matcher, &frames[at + 1], address)))
    at++;
  return at;
}

/* Index of the innermost suspended frame that is still open; 0: the event doesn't show it. */
static uint32_t still_open(const struct prof_matcher *matcher, const struct prof_event *slot) {
  const struct prof_site_map *map = matcher->map;
  uint32_t at = matcher->suspended_depth, site = prof_event_site(slot->what);
  switch (prof_event_kind(slot->what)) {
  case PROF_EVENT_ENTRY:
    if (!prof_site_zone(map, site))
      return frame_around(matcher, slot->aux);
    __attribute__((fallthrough));
  case PROF_EVENT_LOOP_ENTRY:
    return frame_around(matcher, map->addresses && site < map->count ? map->addresses[site] : 0);
  case PROF_EVENT_FORK:
    return at;
  case PROF_EVENT_EXIT:
  case PROF_EVENT_LOOP_EXIT:
  case PROF_EVENT_LANDED:
    while (at && !prof_exit_is_of(map, slot, prof_matcher_function(matcher, site), &matcher->suspended[at]))
      at--;
    return at;
  default:
    return 0;
  }
}

/* Begins a chunk in the first `depth` frames, as entered at `time`.  False: no memory; no frame is open. */
static bool begin_in(struct prof_matcher *matcher, const struct prof_open_frame *frames, uint32_t depth,
                     uint32_t omitted, uint64_t time, uint64_t stalled) {
  while (matcher->stack_limit < depth)
    if (!prof_matcher_grow_stack(matcher))
      return false;
  for (uint32_t i = 0; i < depth; i++) {
    matcher->stack[i + 1] = frames[i];
    matcher->stack[i + 1].entry = time;
    matcher->stack[i + 1].stalled = stalled;
  }
  matcher->depth = depth;
  matcher->omitted = omitted;
  matcher->stack[depth + 1].function = PROF_MATCHES_NOTHING;
  if (matcher->keep) {
    matcher->last_time = time > matcher->last_time ? time : matcher->last_time;
    bool good = prof_keep_resume(matcher->keep, matcher->stack + 1, depth, time);
    if (omitted)
      (void)prof_keep_pass(matcher->keep, time, 0, prof_keep_closed_depth(matcher->keep) + omitted);
    return good && matcher->encoder->count > 0;
  }
  if (prof_encoder_reserve(matcher->encoder, 1) && prof_matcher_emit_nothing(matcher, time))
    return true;
  matcher->depth = matcher->omitted = 0;
  return false;
}

bool prof_matcher_resume(struct prof_matcher *matcher, const struct prof_event *slot) {
  uint32_t depth = still_open(matcher, slot);
  if (!depth)
    return false;
  matcher->suspended_depth = 0;
  (void)prof_encoder_flush(matcher->encoder, false); /* the writer keeps the error */
  uint64_t time = slot->time - 1 > matcher->last_time ? slot->time - 1 : matcher->last_time;
  matcher->resumed_time = time;
  matcher->encoder->resumes =
      begin_in(matcher, matcher->suspended + 1, depth, 0, time, prof_matcher_stalled(matcher, time));
  return matcher->encoder->resumes;
}

/* Keeps the frames [1, depth] of functions that aren't gone; returns their number. */
static uint32_t frames_keep(struct prof_open_frame *frames, uint32_t depth,
                            bool (*is_gone)(void *context, uint32_t function), void *context) {
  uint32_t kept = 0;
  for (uint32_t i = 1; i <= depth; i++)
    if (!is_gone(context, frames[i].function))
      frames[++kept] = frames[i];
  return kept;
}

/* Omitted frames are left for good: nobody knows which of them are gone. */
void prof_matcher_leave(struct prof_matcher *matcher, uint64_t time, bool (*is_gone)(void *context, uint32_t function),
                        void *context) {
  prof_matcher_settle(matcher);
  matcher->suspended_depth = frames_keep(matcher->suspended, matcher->suspended_depth, is_gone, context);
  matcher->loop_end.at = 0;
  uint32_t at = matcher->depth, depth = matcher->depth;
  while (at && !is_gone(context, matcher->stack[at].function))
    at--;
  if (!at)
    return;
  time = time > matcher->last_time ? time : matcher->last_time;
  if (!prof_encoder_reserve(matcher->encoder, 1)) {
    matcher->figures.dropped++;
    return;
  }
  prof_matcher_take(matcher, &(struct prof_event){.time = time, .what = prof_event_what(0, PROF_EVENT_STOP)});
  (void)prof_encoder_flush(matcher->encoder, false); /* the writer keeps the error */
  depth = frames_keep(matcher->stack, depth, is_gone, context);
  if (depth)
    matcher->encoder->resumes =
        begin_in(matcher, matcher->stack + 1, depth, 0, time, prof_matcher_stalled(matcher, time));
}

/* A step without effect, if frames are open.  Without memory it is left out. */
static void mark_time(struct prof_matcher *matcher, uint64_t time) {
  if (matcher->keep) {
    matcher->figures.dropped += !prof_keep_mark(matcher->keep, time);
    return;
  }
  if (matcher->depth + matcher->omitted > 0 && prof_encoder_reserve(matcher->encoder, 2))
    (void)prof_matcher_emit_nothing(matcher, time);
}

void prof_matcher_cut(struct prof_matcher *matcher, uint64_t time, uint64_t wait_begin) {
  prof_matcher_settle(matcher);
  time = time > matcher->last_time ? time : matcher->last_time;
  if (wait_begin != 0 && wait_begin >= matcher->last_time && wait_begin < time &&
      prof_encoder_reserve(matcher->encoder, 2))
    prof_matcher_take(matcher,
                      &(struct prof_event){.time = wait_begin, .what = prof_event_what(0, PROF_EVENT_STALL_BEGIN)});
  matcher->cut_time = time;
  mark_time(matcher, time);
  (void)prof_encoder_flush(matcher->encoder, false); /* the writer keeps the error */
  mark_time(matcher, time);
  if (matcher->stall_begin && !matcher->keep && prof_encoder_reserve(matcher->encoder, 2))
    (void)prof_matcher_emit(matcher, time, PROF_OP_STALL_BEGIN, 0, 0);
}

bool prof_matcher_keep(struct prof_matcher *matcher, struct prof_keep_rules *rules) {
  matcher->keep = prof_keep_new(rules, matcher->encoder);
  return matcher->keep != NULL;
}

static uint64_t latest(const struct prof_matcher *matcher, uint64_t time) {
  return time > matcher->last_time ? time : matcher->last_time;
}

void prof_matcher_switch(struct prof_matcher *matcher, uint64_t time) {
  prof_matcher_settle(matcher);
  if (matcher->keep)
    matcher->figures.dropped += !prof_keep_switch(matcher->keep, latest(matcher, time));
}

/* As written, all frames are left. */
static bool leave_written(struct prof_matcher *matcher, uint64_t time) {
  if (matcher->keep)
    return prof_keep_step(matcher->keep, &(struct prof_step){.op = PROF_OP_STOP, .time = time});
  return !matcher->depth ||
         (prof_encoder_reserve(matcher->encoder, 2) && prof_matcher_emit(matcher, time, PROF_OP_STOP, 0, 0));
}

/* Without memory for a filter everything is written. */
void prof_matcher_judge(struct prof_matcher *matcher, struct prof_keep_rules *rules, uint64_t time) {
  prof_matcher_settle(matcher);
  matcher->cut_time = time = latest(matcher, time);
  matcher->figures.dropped += !leave_written(matcher, time);
  (void)prof_encoder_flush(matcher->encoder, false); /* the writer keeps the error */
  matcher->left_out += matcher->keep ? prof_keep_left_out(matcher->keep) : 0;
  prof_keep_free(matcher->keep);
  matcher->keep = rules ? prof_keep_new(rules, matcher->encoder) : NULL;
  if (matcher->keep)
    prof_keep_take_wait(matcher->keep, matcher->figures.stalled_ticks, matcher->stall_begin);
  matcher->loop_end.at = 0;
  if (matcher->depth)
    matcher->encoder->resumes = begin_in(matcher, matcher->stack + 1, matcher->depth, matcher->omitted, time,
                                         prof_matcher_stalled(matcher, time));
}

bool prof_matcher_inherit(struct prof_matcher *matcher, const struct prof_fork_stack *stack) {
  return !stack->depth || begin_in(matcher, stack->frames, stack->depth, stack->omitted, stack->time, 0);
}
