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

void prof_matcher_point_value(struct prof_matcher *matcher, const struct prof_event *event) {
  uint64_t value = (event->time & ~PROF_EVENT_VALUE_BIT) | (uint64_t)(event->aux & 1) << 63;
  if (matcher->last_time)
    (void)prof_matcher_emit_value(matcher, matcher->last_time, prof_event_site(event->what), value);
  else
    matcher->figures.dropped++; /* no event before it */
}
