/*
 * tools/match/kept.c - the loop of a matcher with a filter (keep.h): calls of which nothing is kept are matched here,
 * all else by the rules.
 */
#include <string.h>

#include "matcher_state.h"

struct pass { /* calls of which nothing is kept */
  uint64_t time, calls, depth;
};

/* An entry or exit of a function inside of a frame in which nothing is kept.  False: the rules have to take it. */
static bool take_closed(struct prof_matcher *matcher, const struct prof_event *event, struct pass *pass) {
  const struct prof_site_map *map = matcher->map;
  uint32_t site = prof_event_site(event->what), kind = prof_event_kind(event->what);
  struct prof_open_frame *top = matcher->stack + matcher->depth;
  uint32_t function = site < map->count ? map->functions[site] : PROF_MATCHER_NO_FUNCTION;
  if (event->time < matcher->last_time || function >= PROF_MATCHER_NO_FUNCTION)
    return false;
  if (kind == PROF_EVENT_ENTRY) {
    if (matcher->depth >= matcher->stack_limit || prof_keep_wants(matcher->keep, function) ||
        (matcher->next_address && (prof_frame_is_loop(top) || prof_frame_is_gone(top, matcher->next_address))))
      return false;
    uint64_t key = (uint64_t)event->aux << 32 | event->what;
    top[1] = (struct prof_open_frame){event->time, key, matcher->figures.stalled_ticks, function,
                                      matcher->next_address & ~PROF_EVENT_STACK_INLINED};
    matcher->next_address = 0;
    matcher->depth++;
    pass->depth++;
    pass->calls++;
  } else if (kind == PROF_EVENT_EXIT && pass->depth > 0) {
    if (function != top->function || (event->aux && event->aux != top->address))
      return false;
    matcher->depth--;
    pass->depth--;
  } else {
    return false;
  }
  pass->time = matcher->last_time = event->time;
  return true;
}

size_t prof_matcher_take_kept(struct prof_matcher *matcher, struct prof_event *slots, size_t count) {
  size_t i = 0;
  do {
    bool closed = prof_keep_is_closed(matcher->keep) && !matcher->stall_begin && !matcher->loop_end.at &&
                  !matcher->zone.time && !matcher->omitted && !matcher->suspended_depth && matcher->figures.first_ticks;
    struct pass pass = {matcher->last_time, 0, prof_keep_closed_depth(matcher->keep)};
    struct prof_event event = {0};
    bool taken = closed;
    for (; i < count && taken;) {
      event.time = __atomic_load_n(&slots[i].time, __ATOMIC_ACQUIRE);
      event.what = slots[i].what;
      event.aux = slots[i].aux;
      taken = event.time && take_closed(matcher, &event, &pass);
      if (taken)
        memset(&slots[i++], 0, sizeof *slots);
    }
    if (closed)
      matcher->figures.dropped += !prof_keep_pass(matcher->keep, pass.time, pass.calls, pass.depth);
    if (i == count)
      break;
    event.time = __atomic_load_n(&slots[i].time, __ATOMIC_ACQUIRE);
    if (!event.time)
      break;
    event.what = slots[i].what;
    event.aux = slots[i].aux;
    memset(&slots[i++], 0, sizeof *slots);
    prof_matcher_take(matcher, &event);
  } while (i < count && !matcher->suspended_depth);
  return i;
}
