/*
 * tools/match/leave.c - a frame is left while others are open inside of it: which of them stay open.
 *
 *   events:   enter F, begin Z, work, exit F, work, enter G, end Z, work, exit G
 *   steps:    enter F, enter Z, ..., EXIT_AROUND 1, ..., enter G, EXIT_AROUND 1, ..., exit G
 *   stack:    F        F Z           Z                   Z G      G
 *
 * What stays lies right inside of the frame, with only loops and zones between: what a function between has in it ended
 * with that one, whose exit was missed.  A frame further in that stays becomes the innermost one around the next.
 */
#include "matcher_state.h"

/* So many zones of one name, one right inside of the other, may have outlived their functions: more are left open. */
#define MOST_OPEN 64u

static uint32_t zone_of(const struct prof_site_map *map, const struct prof_open_frame *frame) {
  return prof_site_zone(map, prof_event_site((uint32_t)frame->key));
}

/* Has the zone one of these bits?  All zones that are named at run time have both, but blocks. */
static bool has(const struct prof_site_map *map, const struct prof_open_frame *frame, uint32_t bits) {
  uint32_t zone = zone_of(map, frame);
  if (zone <= PROF_MATCHER_ZONE || zone == PROF_MATCHER_ITERATION)
    return false;
  if (zone & PROF_MATCHER_NAMED)
    return (zone & PROF_MATCHER_BLOCKS) != PROF_MATCHER_BLOCKS;
  return (zone & bits) != 0;
}

bool prof_frame_is_apart(const struct prof_site_map *map, const struct prof_open_frame *frame) {
  return has(map, frame, PROF_MATCHER_APART);
}

/* Frames of functions and zones in [from, to].  A loop's frame ends with its function's, without an exit of its own,
 * and so may one of a function that was switched off meanwhile. */
static uint32_t count_orphans(const struct prof_matcher *matcher, uint32_t from, uint32_t to) {
  uint32_t count = 0;
  for (uint32_t at = from; at <= to; at++) {
    const struct prof_open_frame *frame = &matcher->stack[at];
    count += !prof_frame_is_loop(frame) && !(matcher->keep && prof_keep_is_quiet(matcher->keep, frame->function));
  }
  return count;
}

uint32_t prof_matcher_orphans(const struct prof_matcher *matcher, uint32_t at) {
  return count_orphans(matcher, at + 1, matcher->depth);
}

/* Are so many zones of this name open right around frame `at` that another one is taken for left open? */
static bool is_piled(const struct prof_matcher *matcher, uint32_t function, uint32_t at) {
  uint32_t count = 0;
  while (at > 1 && prof_frame_is_part(matcher->map, &matcher->stack[at - 1]))
    count += matcher->stack[--at].function == function;
  return count >= MOST_OPEN;
}

/* Does a frame right inside the function `at` stay open when that is left? */
static bool outlives(const struct prof_matcher *matcher, const struct prof_open_frame *frame, uint32_t at) {
  return prof_frame_is_apart(matcher->map, frame) && !is_piled(matcher, frame->function, at);
}

/* The innermost frame that stays when `at` is left; `at`: none. */
static uint32_t last_staying(const struct prof_matcher *matcher, uint32_t at, bool is_zone) {
  if (prof_frame_is_apart(matcher->map, &matcher->stack[at]))
    return matcher->depth;
  uint32_t last = at;
  for (uint32_t i = at + 1; i <= matcher->depth && prof_frame_is_part(matcher->map, &matcher->stack[i]); i++) {
    const struct prof_open_frame *frame = &matcher->stack[i];
    bool stays =
        is_zone ? has(matcher->map, frame, PROF_MATCHER_APART | PROF_MATCHER_BY_NAME) : outlives(matcher, frame, at);
    last = stays ? i : last;
  }
  return last;
}

/* Where a zone ends, all that is between it and what stays does too, else only zones that end in other functions. */
static void leave_around(struct prof_matcher *matcher, uint64_t time, uint32_t at, uint32_t last, bool is_zone) {
  uint32_t staying = 0, top = matcher->depth, loop_end = 0;
  if (last < top) {
    prof_matcher_emit(matcher, time, PROF_OP_LANDED, 0, top - last);
    matcher->figures.skipped += count_orphans(matcher, last + 1, top);
  }
  for (uint32_t i = last; i >= at; i--) {
    const struct prof_open_frame frame = matcher->stack[i];
    if (i > at && (is_zone || outlives(matcher, &frame, at))) {
      matcher->stack[top - staying] = frame;
      loop_end = matcher->loop_end.at == i ? top - staying : loop_end;
      staying++;
      continue;
    }
    matcher->figures.skipped += i > at ? count_orphans(matcher, i, i) : 0;
    if (staying)
      prof_matcher_emit(matcher, time, PROF_OP_EXIT_AROUND, 0, staying);
    else
      prof_matcher_emit(matcher, time, i > at ? PROF_OP_LANDED : PROF_OP_EXIT, 0, i > at);
  }
  for (uint32_t i = 0; i < staying; i++)
    matcher->stack[at + i] = matcher->stack[top - staying + 1 + i];
  if (matcher->loop_end.at >= at)
    matcher->loop_end.at = loop_end ? at + loop_end - (top - staying + 1) : 0;
  matcher->depth = at - 1 + staying;
}

void prof_matcher_leave_at(struct prof_matcher *matcher, uint64_t time, uint32_t at) {
  const struct prof_open_frame *left = &matcher->stack[at];
  uint32_t zone = zone_of(matcher->map, left);
  bool is_zone = zone && zone != PROF_MATCHER_ITERATION;
  uint32_t last = matcher->depth > at && !matcher->omitted ? last_staying(matcher, at, is_zone) : at;
  if (last > at && prof_encoder_reserve(matcher->encoder, PROF_MATCHER_ROOM + last - at)) {
    leave_around(matcher, time, at, last, is_zone);
    return;
  }
  prof_matcher_emit(matcher, time, PROF_OP_EXIT, 0, matcher->depth - at);
  matcher->figures.skipped += prof_matcher_orphans(matcher, at);
  matcher->depth = at - 1;
}
