/*
 * tools/match/matcher_rules.c - applies events to the stack and emits the steps: the rules of matcher.h.
 *
 * Each kind of event is a row of `rules`, at the end.  The rules are from docs/trace-format.md, "EVENTS"; of loops:
 * wire/row.h.
 */
#include "matcher_state.h"

static uint32_t entry_of(const struct prof_matcher *matcher, uint32_t site) {
  const struct prof_site_map *map = matcher->map;
  return site < map->count ? map->functions[site] : PROF_MATCHER_NO_FUNCTION;
}

uint32_t prof_matcher_function(const struct prof_matcher *matcher, uint32_t site) {
  uint32_t function = entry_of(matcher, site);
  return function < PROF_MATCHER_NO_FUNCTION ? function & ~PROF_MATCHER_BITS : PROF_MATCHER_NO_FUNCTION | site;
}

static bool is_maybe(const struct prof_matcher *matcher, uint32_t site) {
  uint32_t function = entry_of(matcher, site);
  return function < PROF_MATCHER_NO_FUNCTION && (function & PROF_MATCHER_MAYBE);
}

static bool is_unknown(const struct prof_matcher *matcher, uint32_t site) {
  return entry_of(matcher, site) >= PROF_MATCHER_NO_FUNCTION;
}

uint64_t prof_matcher_stalled(const struct prof_matcher *matcher, uint64_t time) {
  uint64_t running = matcher->stall_begin && time > matcher->stall_begin ? time - matcher->stall_begin : 0;
  return matcher->figures.stalled_ticks + running;
}

/* ---- entries ---- */

/* Leaves the frames above `at`, at most one step; false: there are none. */
static bool leave_above(struct prof_matcher *matcher, uint64_t time, uint32_t at) {
  uint32_t gone = matcher->depth - at;
  if (!gone || matcher->omitted)
    return false;
  prof_matcher_emit(matcher, time, PROF_OP_EXIT, 0, gone - 1);
  matcher->figures.skipped += gone;
  matcher->depth = at;
  return true;
}

/* The innermost frame that stays, where all below an address of the same stack are gone. */
static uint32_t frame_above(const struct prof_matcher *matcher, uint32_t address) {
  uint32_t stays = matcher->depth;
  for (uint32_t at = matcher->depth; at; at--) {
    const struct prof_open_frame *frame = &matcher->stack[at];
    if (!frame->address)
      continue; /* a loop, or not known */
    if (!prof_frame_is_gone(frame, address))
      break;
    stays = at - 1;
  }
  if (stays == matcher->depth)
    return stays;
  while (stays < matcher->depth && prof_frame_is_part(matcher->map, &matcher->stack[stays + 1]))
    stays++; /* control may still be in the loops and zones of the frame that stays */
  return stays;
}

/* Before an entry with a known address: leaves frames that are gone (wire/event.h).  False: none. */
static bool leave_gone(struct prof_matcher *matcher, uint64_t time) {
  uint32_t at = matcher->depth;
  if (matcher->heals)
    return leave_above(matcher, time, frame_above(matcher, matcher->next_address));
  while (at && prof_frame_is_gone(&matcher->stack[at], matcher->next_address))
    at--;
  return leave_above(matcher, time, at);
}

/* The number of a loop's frame; 0: it isn't open in the innermost function. */
static uint32_t open_loop(const struct prof_matcher *matcher, uint32_t loop) {
  const struct prof_open_frame *frame =
      matcher->omitted ? NULL : prof_frame_open_loop(matcher->map, matcher->stack + matcher->depth, loop);
  return frame ? (uint32_t)(frame - matcher->stack) : 0;
}

/* The same of an iteration of a loop. */
static uint32_t open_iteration(const struct prof_matcher *matcher, uint32_t loop) {
  const struct prof_open_frame *frame =
      matcher->omitted ? NULL : prof_frame_open_iteration(matcher->map, matcher->stack + matcher->depth, loop);
  return frame ? (uint32_t)(frame - matcher->stack) : 0;
}

/* Is a zone open inside of frame `at` that may end in another function? */
static bool holds_apart(const struct prof_matcher *matcher, uint32_t at) {
  while (++at <= matcher->depth)
    if (prof_frame_is_apart(matcher->map, &matcher->stack[at]))
      return true;
  return false;
}

/* Before an entry: leaves frame `at`, of the same loop in the same call, whose exit was missed, or still waits.  False:
 * at is 0. */
static bool leave_missed(struct prof_matcher *matcher, uint64_t time, uint32_t at) {
  struct prof_loop_end end = matcher->loop_end;
  if (at && end.at >= at)
    matcher->loop_end.at = 0;
  if (!at || (end.at != at && !holds_apart(matcher, at)))
    return at && leave_above(matcher, time, at - 1);
  prof_matcher_leave_at(matcher, time, at);
  if (end.at == at && end.has_value)
    prof_matcher_emit_iterations(matcher, end.site, end.value);
  return true;
}

void prof_matcher_push(struct prof_matcher *matcher, uint64_t time, uint64_t key, uint32_t function, uint32_t address) {
  if (!prof_matcher_is_begun(matcher, time))
    return;
  bool is_loop = prof_event_kind((uint32_t)key) == PROF_EVENT_LOOP_ENTRY;
  if (!prof_matcher_put_entry(matcher, time, key, function, is_loop)) {
    matcher->figures.dropped++;
    return;
  }
  bool full = matcher->depth == matcher->stack_limit;
  if (full && matcher->stack_limit < PROF_FORMAT_FRAME_LIMIT)
    full = !prof_matcher_grow_stack(matcher);
  struct prof_open_frame *frame = &matcher->stack[matcher->depth + 1];
  if (full) { /* or no memory: readers count what they can't hold, too */
    matcher->omitted++;
    matcher->figures.too_deep += !is_loop;
    frame->function = PROF_MATCHES_NOTHING;
    return;
  }
  matcher->depth++;
  *frame = (struct prof_open_frame){matcher->last_time, key, prof_matcher_stalled(matcher, matcher->last_time),
                                    function, address & ~PROF_EVENT_STACK_INLINED};
}

static uint64_t key_of(const struct prof_event *event) {
  return (uint64_t)event->aux << 32 | event->what;
}

static void enter(struct prof_matcher *matcher, const struct prof_event *event) {
  uint64_t time = event->time;
  if (prof_zone_begin_waits(matcher, event))
    return;
  uint32_t address = matcher->next_address, site = prof_event_site(event->what);
  uint32_t function = prof_matcher_function(matcher, site);
  uint32_t zone = prof_site_zone(matcher->map, site);
  bool iterates = zone == PROF_MATCHER_ITERATION;
  if (address && leave_gone(matcher, time))
    time = matcher->last_time; /* a step back is counted once */
  if (iterates && leave_missed(matcher, time, open_iteration(matcher, function)))
    time = matcher->last_time;
  matcher->next_address = 0;
  prof_matcher_push(matcher, time, zone ? prof_zone_key(site) : key_of(event), function, address);
}

static void enter_loop(struct prof_matcher *matcher, const struct prof_event *event) {
  uint64_t time = event->time;
  uint32_t site = prof_event_site(event->what), loop = prof_matcher_function(matcher, site);
  if (is_unknown(matcher, site)) { /* its exits would be unknown too */
    matcher->ignored_site = site;
    return;
  }
  if (leave_missed(matcher, time, open_loop(matcher, loop)))
    time = matcher->last_time;
  prof_matcher_push(matcher, time, key_of(event), loop, 0);
}

static void note_frame(struct prof_matcher *matcher, const struct prof_event *event) {
  struct prof_open_frame *top = &matcher->stack[matcher->depth];
  if (matcher->depth && !matcher->omitted && prof_event_site((uint32_t)top->key) == prof_event_site(event->what))
    top->address = event->aux;
}

static void note_stack(struct prof_matcher *matcher, const struct prof_event *event) {
  matcher->next_address = event->aux;
}

/* ---- exits ---- */

/* The innermost frame of a function or loop, with that address if `address` isn't 0; 0: it isn't open. */
static uint32_t innermost(const struct prof_matcher *matcher, uint32_t function, uint32_t address) {
  uint32_t at = matcher->depth;
  while (at && (matcher->stack[at].function != function || (address && matcher->stack[at].address != address)))
    at--;
  return at;
}

uint32_t prof_matcher_left_by(const struct prof_matcher *matcher, const struct prof_event *event) {
  uint32_t function = prof_matcher_function(matcher, prof_event_site(event->what));
  uint32_t at = innermost(matcher, function, event->aux);
  return at ? at : innermost(matcher, function, 0);
}

/* The innermost zone that an exit by line leaves; 0: it isn't open. */
static uint32_t innermost_zone(const struct prof_matcher *matcher, const struct prof_event *event) {
  uint32_t at = matcher->depth;
  while (at && !prof_exit_is_of(matcher->map, event, PROF_MATCHES_NOTHING, &matcher->stack[at]))
    at--;
  return at;
}

/* The exit of an omitted frame, whose function isn't known. */
static void leave_omitted(struct prof_matcher *matcher, uint64_t time) {
  prof_matcher_emit(matcher, time, PROF_OP_EXIT, 0, 0);
  matcher->omitted--;
}

/* After a pause no call was entered, of those that are open. */
static bool was_entered_while_paused(const struct prof_matcher *matcher) {
  return matcher->was_paused && (matcher->depth == 0 || matcher->stack[matcher->depth].entry == matcher->resumed_time);
}

static void unmatched(struct prof_matcher *matcher, const struct prof_event *event) {
  uint32_t function = prof_matcher_function(matcher, prof_event_site(event->what));
  if (matcher->keep && prof_keep_is_quiet(matcher->keep, function)) /* its entry was off already */
    return;
  if (was_entered_while_paused(matcher) ||
      (matcher->was_off && matcher->was_off(matcher->off_context, prof_event_site(event->what), function)))
    return;
  matcher->figures.unmatched++;
  prof_matcher_emit(matcher, event->time, PROF_OP_UNMATCHED, prof_event_site(event->what), 0);
}

static void watch_call(struct prof_matcher *matcher, const struct prof_event *event, uint32_t at) {
  uint32_t function = entry_of(matcher, prof_event_site(event->what));
  bool watched = function < PROF_MATCHER_NO_FUNCTION && (function & PROF_MATCHER_WATCHED);
  if (watched && matcher->watch && event->time >= matcher->stack[at].entry + matcher->watch->ticks)
    __atomic_fetch_add(&matcher->watch->met, 1, __ATOMIC_RELAXED);
}

static void leave(struct prof_matcher *matcher, const struct prof_event *event) {
  if (matcher->omitted) {
    leave_omitted(matcher, event->time);
    return;
  }
  bool of_zone = prof_site_zone(matcher->map, prof_event_site(event->what)) == PROF_MATCHER_ZONE;
  uint32_t at = of_zone ? innermost_zone(matcher, event) : prof_matcher_left_by(matcher, event);
  if (at)
    watch_call(matcher, event, at);
  if (at && prof_zone_end_waits(matcher, event, at))
    return;
  if (at)
    prof_matcher_leave_at(matcher, event->time, at);
  else
    unmatched(matcher, event);
}

/* The frame that a loop's exit leaves; 0: none, the exit is dropped. */
static uint32_t leaving_loop(const struct prof_matcher *matcher, uint32_t site) {
  uint32_t loop = prof_matcher_function(matcher, site);
  return is_maybe(matcher, site) ? open_loop(matcher, loop) : innermost(matcher, loop, 0);
}

/* Are only loops and zones open inside it, at least one zone that ends in its function? */
static bool waits_for_zones(const struct prof_matcher *matcher, uint32_t at) {
  bool zones = false;
  if (matcher->loop_end.at || matcher->omitted)
    return false;
  while (++at <= matcher->depth && prof_frame_is_part(matcher->map, &matcher->stack[at]))
    zones |= !prof_frame_is_loop(&matcher->stack[at]) && !prof_frame_is_apart(matcher->map, &matcher->stack[at]);
  return zones && at > matcher->depth;
}

/* After an event: leaves the loop whose exit waited, if what was inside it is left, or ends in other functions. */
static void end_loop(struct prof_matcher *matcher) {
  struct prof_loop_end end = matcher->loop_end;
  for (uint32_t at = end.at + 1; at <= matcher->depth; at++)
    if (!prof_frame_is_apart(matcher->map, &matcher->stack[at]))
      return;
  matcher->loop_end.at = 0;
  if (matcher->depth < end.at)
    return; /* left with a frame outside of it */
  prof_matcher_leave_at(matcher, matcher->last_time, end.at);
  if (end.has_value)
    prof_matcher_emit_iterations(matcher, end.site, end.value);
}

static void leave_loop(struct prof_matcher *matcher, const struct prof_event *event) {
  uint32_t site = prof_event_site(event->what);
  bool sure = !is_unknown(matcher, site) && !is_maybe(matcher, site);
  if (matcher->omitted && sure) {
    leave_omitted(matcher, event->time);
    return;
  }
  uint32_t at = is_unknown(matcher, site) ? 0 : leaving_loop(matcher, site);
  if (at && waits_for_zones(matcher, at)) {
    matcher->loop_end = (struct prof_loop_end){.at = at, .site = site};
    return;
  }
  if (at) {
    prof_matcher_leave_at(matcher, event->time, at);
    return;
  }
  matcher->ignored_site = site;
  if (sure)
    unmatched(matcher, event);
}

/* VALUE: `time` holds the value. */
static void take_value(struct prof_matcher *matcher, const struct prof_event *event) {
  uint32_t site = prof_event_site(event->what);
  struct prof_loop_end *end = &matcher->loop_end;
  if (end->at && end->site == site && !end->has_value) {
    end->has_value = true;
    end->value = prof_event_value(event->time);
  } else if (site == matcher->ignored_site)
    matcher->ignored_site = 0; /* the loop's entry wasn't seen */
  else if (!matcher->last_time)
    matcher->figures.dropped++; /* no event before it */
  else
    prof_matcher_emit_iterations(matcher, site, prof_event_value(event->time));
}

/* ---- landings ---- */

/* The frame where control landed; 0: none. */
static uint32_t landing(const struct prof_matcher *matcher, uint32_t function, uint32_t address) {
  uint32_t maybe = 0;
  for (uint32_t at = matcher->depth; at; at--) {
    const struct prof_open_frame *frame = &matcher->stack[at];
    if (frame->function != function)
      continue;
    if (address && frame->address == address)
      return at;
    if (!maybe && (!address || !frame->address))
      maybe = at;
  }
  return matcher->omitted ? 0 : maybe; /* an omitted frame could be nearer */
}

/* Leaves all frames above `at`, and the omitted ones. */
static void land_at(struct prof_matcher *matcher, uint64_t time, uint32_t at) {
  prof_matcher_emit(matcher, time, PROF_OP_LANDED, 0, matcher->depth - at + matcher->omitted);
  matcher->figures.skipped += prof_matcher_orphans(matcher, at) + matcher->omitted;
  matcher->depth = at;
  matcher->omitted = 0;
}

/* In a function that has no frame here. */
static void land_unseen(struct prof_matcher *matcher, const struct prof_event *event) {
  uint32_t at = event->aux ? frame_above(matcher, event->aux) : matcher->depth;
  if (at < matcher->depth)
    land_at(matcher, event->time, at);
}

static void land(struct prof_matcher *matcher, const struct prof_event *event) {
  if (prof_event_site(event->what) == 0) {
    land_unseen(matcher, event);
    return;
  }
  uint32_t at = landing(matcher, prof_matcher_function(matcher, prof_event_site(event->what)), event->aux);
  if (!at) {
    unmatched(matcher, event);
    return;
  }
  while (at < matcher->depth && prof_frame_is_part(matcher->map, &matcher->stack[at + 1]))
    at++; /* control may still be in its loops and zones; their exits follow if it isn't */
  land_at(matcher, event->time, at);
}

/* The thread has ended without the exits of its frames. */
static void leave_all(struct prof_matcher *matcher, const struct prof_event *event) {
  if (matcher->depth + matcher->omitted)
    land_at(matcher, event->time, 0);
}

/* ---- the thread as a whole ---- */

static void begin_stall(struct prof_matcher *matcher, const struct prof_event *event) {
  if (matcher->stall_begin)
    return;
  prof_matcher_emit(matcher, event->time, PROF_OP_STALL_BEGIN, 0, 0);
  matcher->stall_begin = matcher->last_time;
}

static void end_stall(struct prof_matcher *matcher, const struct prof_event *event) {
  if (!matcher->stall_begin)
    return;
  prof_matcher_emit(matcher, event->time, PROF_OP_STALL_END, 0, 0);
  matcher->figures.stalled_ticks += matcher->last_time - matcher->stall_begin;
  matcher->stall_begin = 0;
}

static void take_gap(struct prof_matcher *matcher, const struct prof_event *event) {
  prof_matcher_emit(matcher, event->time, PROF_OP_GAP, 0, event->aux);
  matcher->figures.gap_lost += event->aux;
}

static void stop(struct prof_matcher *matcher, const struct prof_event *event) {
  prof_matcher_emit(matcher, event->time, PROF_OP_STOP, 0, 0);
  matcher->was_paused = event->aux & PROF_EVENT_STOP_PAUSE;
  matcher->resumed_time = 0;
  if (matcher->was_paused)
    prof_matcher_suspend(matcher);
  matcher->depth = matcher->omitted = 0;
}

static void keep_fork(struct prof_matcher *matcher, const struct prof_event *event) {
  if (!matcher->forks)
    return;
  const struct prof_fork_stack stack = {.fork = event->aux,
                                        .depth = matcher->depth,
                                        .omitted = matcher->omitted,
                                        .time = event->time > matcher->last_time ? event->time : matcher->last_time,
                                        .frames = matcher->stack + 1};
  prof_fork_stacks_keep(matcher->forks, &stack);
}

static void take_sample(struct prof_matcher *matcher, const struct prof_event *event) {
  if (matcher->take_sample)
    matcher->take_sample(matcher->sample_context, event->time, prof_event_site(event->what), event->aux);
  else
    matcher->figures.dropped++;
}

/* ---- wrapped functions ---- */

static void hold_measure(struct prof_matcher *matcher, const struct prof_event *event) {
  matcher->measure = *event;
}

/* OPERAND: `time` holds the first one. */
static void end_measure(struct prof_matcher *matcher, const struct prof_event *event) {
  struct prof_event *measure = &matcher->measure;
  if (!measure->time) {
    matcher->figures.dropped++;
    return;
  }
  matcher->figures.operations |= 1ull << prof_measure_operation(measure->what);
  if (prof_matcher_is_begun(matcher, measure->time))
    prof_matcher_put_step(matcher, &(struct prof_step){.op = PROF_OP_MEASURE,
                                                       .value = prof_measure_operation(measure->what),
                                                       .count = prof_measure_caller(measure->what, measure->aux),
                                                       .time = measure->time,
                                                       .operands = {event->time & ~PROF_EVENT_VALUE_BIT,
                                                                    prof_measure_second(event->what, event->aux)}});
  measure->time = 0;
}

static void pass(struct prof_matcher *matcher, const struct prof_event *event) {
  (void)matcher, (void)event;
}

/* By kind of event; a kind without a row is of a later version. */
static void (*const rules[])(struct prof_matcher *, const struct prof_event *) = {
    [PROF_EVENT_NONE] = pass, /* a slot that its thread dropped */
    [PROF_EVENT_ENTRY] = enter,
    [PROF_EVENT_EXIT] = leave,
    [PROF_EVENT_LANDED] = land,
    [PROF_EVENT_FRAME] = note_frame,
    [PROF_EVENT_STALL_BEGIN] = begin_stall,
    [PROF_EVENT_STALL_END] = end_stall,
    [PROF_EVENT_GAP] = take_gap,
    [PROF_EVENT_STOP] = stop,
    [PROF_EVENT_FORK] = keep_fork,
    [PROF_EVENT_BOTTOM] = leave_all,
    [PROF_EVENT_STACK] = note_stack,
    [PROF_EVENT_LOOP_ENTRY] = enter_loop,
    [PROF_EVENT_LOOP_EXIT] = leave_loop,
    [PROF_EVENT_VALUE] = take_value,
    [PROF_EVENT_SAMPLE] = take_sample,
    [PROF_EVENT_MEASURE] = hold_measure,
    [PROF_EVENT_OPERAND] = end_measure,
    [PROF_EVENT_POINT] = prof_matcher_point,
    [PROF_EVENT_POINT_TIME] = prof_matcher_point_time,
    [PROF_EVENT_POINT_VALUE] = prof_matcher_point_value,
};

void prof_matcher_take(struct prof_matcher *matcher, const struct prof_event *event) {
  uint32_t kind = prof_event_kind(event->what);
  if (matcher->zone.time && prof_zone_takes(matcher, event))
    ; /* it has taken the event */
  else if (kind < sizeof rules / sizeof *rules && rules[kind])
    rules[kind](matcher, event);
  else
    matcher->figures.dropped++;
  if (matcher->loop_end.at)
    end_loop(matcher);
}
