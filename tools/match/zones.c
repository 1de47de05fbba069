/*
 * tools/match/zones.c - zones whose begin or end is in a function that made it for its caller: a constructor, a
 * wrapper.
 *
 *   events:   enter F, begin Z, exit F, work, enter G, end Z, exit G
 *   steps:    enter F, exit F, enter Z, work, enter G, exit G, exit Z
 *
 * A begin is F's own, and an end leaves what is open inside of Z, if anything but the exit comes next.  A wrapper in a
 * wrapper is the same, twice.
 */
#include "matcher_state.h"

static bool is_of_function(const struct prof_matcher *matcher) {
  return matcher->depth && !matcher->omitted && !prof_frame_is_part(matcher->map, &matcher->stack[matcher->depth]);
}

bool prof_zone_begin_waits(struct prof_matcher *matcher, const struct prof_event *event) {
  uint32_t site = prof_event_site(event->what);
  if (!prof_site_zone(matcher->map, site) || !is_of_function(matcher) || matcher->next_address)
    return false;
  matcher->zone = (struct prof_zone_wait){
      .time = event->time, .key = prof_zone_key(site), .function = prof_matcher_function(matcher, site)};
  return true;
}

bool prof_zone_end_waits(struct prof_matcher *matcher, const struct prof_event *event, uint32_t at) {
  uint32_t begun = prof_event_site((uint32_t)matcher->stack[at].key);
  if (at == matcher->depth || !prof_site_zone(matcher->map, begun) || !is_of_function(matcher))
    return false;
  matcher->zone = (struct prof_zone_wait){.time = event->time, .at = at};
  return true;
}

void prof_matcher_settle(struct prof_matcher *matcher) {
  const struct prof_zone_wait zone = matcher->zone;
  matcher->zone.time = 0;
  if (!zone.time)
    return;
  if (!prof_encoder_reserve(matcher->encoder, 2))
    matcher->figures.dropped++;
  else if (zone.at)
    prof_matcher_leave_at(matcher, zone.time, zone.at);
  else
    prof_matcher_push(matcher, zone.time, zone.key, zone.function, 0);
}

bool prof_zone_takes(struct prof_matcher *matcher, const struct prof_event *event) {
  uint32_t kind = prof_event_kind(event->what), depth = matcher->depth;
  bool exits = kind == PROF_EVENT_EXIT && is_of_function(matcher) &&
               prof_site_zone(matcher->map, prof_event_site(event->what)) != PROF_MATCHER_ZONE &&
               prof_matcher_left_by(matcher, event) == depth;
  if (kind == PROF_EVENT_SAMPLE || kind == PROF_EVENT_NONE)
    return false;
  if (!exits) {
    prof_matcher_settle(matcher);
    return false;
  }
  struct prof_zone_wait zone = matcher->zone;
  matcher->zone.time = 0;
  prof_matcher_take(matcher, event);
  zone.time = matcher->last_time;
  matcher->zone = zone;
  if (zone.at == matcher->depth && zone.at)
    prof_matcher_settle(matcher);
  return true;
}
