/*
 * tools/match/points.c - what the program reports (wire/point.h): a time, then the value of a site.
 */
#include "matcher_state.h"

/* The value that follows says which point. */
void prof_matcher_point_time(struct prof_matcher *matcher, const struct prof_event *event) {
  (void)prof_matcher_emit_moment(matcher, event->time);
}

void prof_matcher_point(struct prof_matcher *matcher, const struct prof_event *event) {
  if (prof_matcher_emit_moment(matcher, event->time))
    (void)prof_matcher_emit_value(matcher, matcher->last_time, prof_event_site(event->what), 0);
}

/* An argument, or what is returned: is the call that it is of the innermost one?  It isn't where its ENTRY isn't
 * recorded.
 */
static bool is_of_call(const struct prof_matcher *matcher, uint32_t function) {
  const struct prof_open_frame *frame = &matcher->stack[matcher->depth];
  while (prof_frame_is_part(matcher->map, frame))
    frame--;
  return !matcher->omitted && matcher->depth > 0 && frame->function == function;
}

static bool is_wanted(const struct prof_matcher *matcher, uint32_t site) {
  const struct prof_site_map *map = matcher->map;
  uint32_t function = site < map->count ? map->functions[site] : PROF_MATCHER_NO_FUNCTION;
  if (function >= PROF_MATCHER_NO_FUNCTION)
    return function != PROF_MATCHER_NO_VALUE;
  return !(function & PROF_MATCHER_OF_CALL) || is_of_call(matcher, function & ~PROF_MATCHER_BITS);
}

void prof_matcher_point_value(struct prof_matcher *matcher, const struct prof_event *event) {
  if (!is_wanted(matcher, prof_event_site(event->what)))
    return;
  uint64_t value = (event->time & ~PROF_EVENT_VALUE_BIT) | (uint64_t)(event->aux & 1) << 63;
  if (matcher->last_time)
    (void)prof_matcher_emit_value(matcher, matcher->last_time, prof_event_site(event->what), value);
  else
    matcher->figures.dropped++; /* no event before it */
}
