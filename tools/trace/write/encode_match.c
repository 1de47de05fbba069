/*
 * tools/trace/write/encode_match.c - what an event does to the stack, and the ops that say so: the rules of encode.h.
 *
 * Source of the rules: docs/trace-format.md, "EVENTS"; of loops: wire/row.h.
 */
#include <stdlib.h>

#include "encoder_state.h"

static uint32_t entry_of(const struct prof_site_map *map, uint32_t site) {
  return site < map->count ? map->functions[site] : PROF_ENCODER_NO_FUNCTION;
}

/* The identity of the function or loop that a site is of. */
uint32_t prof_encoder_function(const struct prof_site_map *map, uint32_t site) {
  uint32_t function = entry_of(map, site);
  return function < PROF_ENCODER_NO_FUNCTION ? function & ~PROF_ENCODER_MAYBE : PROF_ENCODER_NO_FUNCTION | site;
}

static bool is_maybe(const struct prof_site_map *map, uint32_t site) {
  uint32_t function = entry_of(map, site);
  return function < PROF_ENCODER_NO_FUNCTION && (function & PROF_ENCODER_MAYBE);
}

static bool is_unknown(const struct prof_site_map *map, uint32_t site) {
  return entry_of(map, site) >= PROF_ENCODER_NO_FUNCTION;
}

/* One event's op and time.  The caller has reserved room; side fields follow after this call. */
static void append(struct prof_encoder *encoder, uint8_t op, uint64_t time) {
  if (time < encoder->last_time) {
    encoder->figures.inversions++;
    time = encoder->last_time;
  }
  uint64_t delta = time - encoder->last_time;
  encoder->last_time = time;
  if (delta > UINT32_MAX) {
    append(encoder, PROF_FORMAT_OP_SPECIAL, time);
    prof_payload_varint(&encoder->side, PROF_FORMAT_TIME);
    prof_payload_varint(&encoder->side, delta);
    encoder->untimed++;
    delta = 0;
  }
  encoder->deltas[encoder->count] = (uint32_t)delta;
  encoder->ops[encoder->count++] = op;
}

static void append_special(struct prof_encoder *encoder, uint64_t time, enum prof_format_special code) {
  append(encoder, PROF_FORMAT_OP_SPECIAL, time);
  prof_payload_varint(&encoder->side, code);
}

static void append_counted(struct prof_encoder *encoder, uint64_t time, enum prof_format_special code,
                           uint64_t number) {
  append_special(encoder, time, code);
  prof_payload_varint(&encoder->side, number);
}

static uint64_t stalled_at(const struct prof_encoder *encoder, uint64_t time) {
  uint64_t running = encoder->stall_begin && time > encoder->stall_begin ? time - encoder->stall_begin : 0;
  return encoder->figures.stalled_ticks + running;
}

bool prof_encoder_grow_stack(struct prof_encoder *encoder) {
  uint32_t limit = encoder->stack_limit * 2;
  if (limit > PROF_FORMAT_FRAME_LIMIT)
    limit = PROF_FORMAT_FRAME_LIMIT;
  struct prof_open_frame *stack = realloc(encoder->stack, (limit + 2) * sizeof *stack);
  if (!stack)
    return false;
  encoder->stack = stack;
  encoder->stack_limit = limit;
  return true;
}

/* Frames [from, to] that are functions': loops end with theirs, and nobody misses their exits. */
static uint32_t count_functions(const struct prof_encoder *encoder, uint32_t from, uint32_t to) {
  uint32_t count = 0;
  for (uint32_t at = from; at <= to; at++)
    count += !prof_frame_is_loop(&encoder->stack[at]);
  return count;
}

/* Leaves the frames above `at`, at most one event; false: there are none. */
static bool leave_above(struct prof_encoder *encoder, uint64_t time, uint32_t at) {
  uint32_t gone = encoder->depth - at;
  if (!gone || encoder->omitted)
    return false;
  if (gone > 1)
    append_counted(encoder, time, PROF_FORMAT_EXIT_OUTER, gone - 1);
  else
    append(encoder, PROF_FORMAT_OP_EXIT, time);
  encoder->figures.skipped += gone;
  encoder->depth = at;
  return true;
}

/* Before an entry whose address is known: the frames that are gone (wire/event.h) are left.  False: none. */
static bool leave_gone(struct prof_encoder *encoder, uint64_t time) {
  uint32_t at = encoder->depth;
  while (at && prof_frame_is_gone(&encoder->stack[at], encoder->next_address))
    at--;
  return leave_above(encoder, time, at);
}

/* The frame of a loop among those of loops that lie on top; 0: it isn't open in the innermost function. */
static uint32_t open_loop(const struct prof_encoder *encoder, uint32_t loop) {
  uint32_t at = encoder->omitted ? 0 : encoder->depth;
  while (at && prof_frame_is_loop(&encoder->stack[at]) && encoder->stack[at].function != loop)
    at--;
  return at && encoder->stack[at].function == loop ? at : 0;
}

/* Before a loop's entry: the same loop of the same call can't be open, so its exit was missed.  False: it isn't. */
static bool leave_missed(struct prof_encoder *encoder, uint64_t time, uint32_t loop) {
  uint32_t at = open_loop(encoder, loop);
  return at && leave_above(encoder, time, at - 1);
}

static void enter(struct prof_encoder *encoder, uint64_t time, uint64_t key, const struct prof_site_map *map) {
  uint32_t function = prof_encoder_function(map, prof_event_site((uint32_t)key)), address = 0;
  if (prof_event_kind((uint32_t)key) == PROF_EVENT_LOOP_ENTRY) {
    if (is_unknown(map, prof_event_site((uint32_t)key))) { /* its exits couldn't be told from others' */
      encoder->ignored_site = prof_event_site((uint32_t)key);
      return;
    }
    if (leave_missed(encoder, time, function))
      time = encoder->last_time; /* a step back is counted once */
  } else {
    address = encoder->next_address;
    if (address && leave_gone(encoder, time))
      time = encoder->last_time;
    encoder->next_address = 0;
  }
  const struct prof_edge_slot *edge = prof_encoder_edge(encoder, key, function);
  if (!edge) {
    encoder->figures.dropped++;
    return;
  }
  encoder->loop_entries += prof_event_kind((uint32_t)key) == PROF_EVENT_LOOP_ENTRY;
  uint32_t index = edge->index;
  if (index < PROF_FORMAT_OP_LAST_EDGE) {
    append(encoder, (uint8_t)(index + 1), time);
  } else {
    append(encoder, PROF_FORMAT_OP_FAR_EDGE, time);
    prof_payload_varint(&encoder->side, index);
  }
  bool full = encoder->depth == encoder->stack_limit;
  if (full && encoder->stack_limit < PROF_FORMAT_FRAME_LIMIT)
    full = !prof_encoder_grow_stack(encoder);
  struct prof_open_frame *frame = &encoder->stack[encoder->depth + 1];
  if (full) { /* also without memory: readers count what they can't hold, too */
    encoder->omitted++;
    encoder->figures.too_deep += prof_event_kind((uint32_t)key) == PROF_EVENT_ENTRY;
    frame->function = PROF_MATCHES_NOTHING;
    return;
  }
  encoder->depth++;
  *frame = (struct prof_open_frame){encoder->last_time, key, stalled_at(encoder, encoder->last_time), function,
                                    address & ~PROF_EVENT_STACK_INLINED};
}

/* The innermost frame of a function with that address; 0: none. */
static uint32_t leaving(const struct prof_encoder *encoder, uint32_t function, uint32_t address) {
  uint32_t at = address ? encoder->depth : 0;
  while (at && (encoder->stack[at].function != function || encoder->stack[at].address != address))
    at--;
  return at;
}

/* The exit of a frame that isn't held, whose function isn't known. */
static void leave_omitted(struct prof_encoder *encoder, uint64_t time) {
  encoder->omitted--;
  append(encoder, PROF_FORMAT_OP_EXIT, time);
}

static void leave_at(struct prof_encoder *encoder, uint64_t time, uint32_t at) {
  uint32_t inside = encoder->depth - at;
  if (inside)
    append_counted(encoder, time, PROF_FORMAT_EXIT_OUTER, inside);
  else
    append(encoder, PROF_FORMAT_OP_EXIT, time);
  encoder->figures.skipped += count_functions(encoder, at + 1, encoder->depth);
  encoder->depth = at - 1;
}

static void unmatched(struct prof_encoder *encoder, uint64_t time, uint32_t site) {
  encoder->figures.unmatched++;
  append_counted(encoder, time, PROF_FORMAT_UNMATCHED, site);
}

/* The innermost frame of a function or loop; 0: it isn't open. */
static uint32_t innermost(const struct prof_encoder *encoder, uint32_t function) {
  uint32_t at = encoder->depth;
  while (at && encoder->stack[at].function != function)
    at--;
  return at;
}

static void leave(struct prof_encoder *encoder, uint64_t time, uint32_t site, uint32_t address,
                  const struct prof_site_map *map) {
  if (encoder->omitted) {
    leave_omitted(encoder, time);
    return;
  }
  uint32_t function = prof_encoder_function(map, site), at = leaving(encoder, function, address);
  if (!at)
    at = innermost(encoder, function);
  if (at)
    leave_at(encoder, time, at);
  else
    unmatched(encoder, time, site);
}

/* The frame that a loop's exit leaves; 0: none, it means nothing. */
static uint32_t leaving_loop(const struct prof_encoder *encoder, uint32_t site, const struct prof_site_map *map) {
  uint32_t loop = prof_encoder_function(map, site);
  return is_maybe(map, site) ? open_loop(encoder, loop) : innermost(encoder, loop);
}

static void leave_loop(struct prof_encoder *encoder, uint64_t time, uint32_t site, const struct prof_site_map *map) {
  bool unknown = is_unknown(map, site);
  if (encoder->omitted && !is_maybe(map, site) && !unknown) {
    leave_omitted(encoder, time);
    return;
  }
  uint32_t at = unknown ? 0 : leaving_loop(encoder, site, map);
  if (at) {
    leave_at(encoder, time, at);
    return;
  }
  encoder->ignored_site = site;
  if (!is_maybe(map, site) && !unknown)
    unmatched(encoder, time, site);
}

/* VALUE: `time` holds the value. */
static void take_value(struct prof_encoder *encoder, uint64_t time, uint32_t site) {
  if (site == encoder->ignored_site) {
    encoder->ignored_site = 0; /* the loop's entry wasn't seen */
    return;
  }
  if (!encoder->last_time) { /* of no event */
    encoder->figures.dropped++;
    return;
  }
  uint64_t value = prof_event_value(time);
  encoder->untimed++;
  append_counted(encoder, encoder->last_time, PROF_FORMAT_VALUE, site);
  prof_payload_varint(&encoder->side, value);
}

/* The frame where control landed, 0: none. */
static uint32_t landing(const struct prof_encoder *encoder, uint32_t function, uint32_t address) {
  uint32_t maybe = 0;
  for (uint32_t at = encoder->depth; at; at--) {
    const struct prof_open_frame *frame = &encoder->stack[at];
    if (frame->function != function)
      continue;
    if (address && frame->address == address)
      return at;
    if (!maybe && (!address || !frame->address))
      maybe = at;
  }
  return encoder->omitted ? 0 : maybe; /* a frame that isn't held could be the nearer one */
}

static void land(struct prof_encoder *encoder, uint64_t time, uint32_t site, uint32_t address,
                 const struct prof_site_map *map) {
  uint32_t at = landing(encoder, prof_encoder_function(map, site), address);
  if (!at) {
    unmatched(encoder, time, site);
    return;
  }
  while (at < encoder->depth && prof_frame_is_loop(&encoder->stack[at + 1]))
    at++; /* control may still be in its loops; LOOP_EXITs follow if it isn't */
  append_counted(encoder, time, PROF_FORMAT_LANDED, encoder->depth - at + encoder->omitted);
  encoder->figures.skipped += count_functions(encoder, at + 1, encoder->depth) + encoder->omitted;
  encoder->depth = at;
  encoder->omitted = 0;
}

/* The thread has ended from below, without the exits of its frames. */
static void leave_all(struct prof_encoder *encoder, uint64_t time) {
  uint32_t inside = encoder->depth + encoder->omitted;
  if (!inside)
    return;
  append_counted(encoder, time, PROF_FORMAT_LANDED, inside);
  encoder->figures.skipped += count_functions(encoder, 1, encoder->depth) + encoder->omitted;
  encoder->depth = encoder->omitted = 0;
}

static void stall_begin(struct prof_encoder *encoder, uint64_t time) {
  if (encoder->stall_begin)
    return;
  append_special(encoder, time, PROF_FORMAT_STALL_BEGIN);
  encoder->stall_begin = encoder->last_time;
}

static void stall_end(struct prof_encoder *encoder, uint64_t time) {
  if (!encoder->stall_begin)
    return;
  append_special(encoder, time, PROF_FORMAT_STALL_END);
  encoder->figures.stalled_ticks += encoder->last_time - encoder->stall_begin;
  encoder->stall_begin = 0;
}

static void keep_fork(struct prof_encoder *encoder, uint64_t time, uint32_t fork) {
  const struct prof_fork_stack stack = {.fork = fork,
                                        .depth = encoder->depth,
                                        .omitted = encoder->omitted,
                                        .time = time > encoder->last_time ? time : encoder->last_time,
                                        .frames = encoder->stack + 1};
  if (encoder->forks)
    prof_fork_stacks_keep(encoder->forks, &stack);
}

void prof_encoder_take(struct prof_encoder *encoder, uint64_t time, uint64_t key, const struct prof_site_map *map) {
  uint32_t what = (uint32_t)key, aux = (uint32_t)(key >> 32), site = prof_event_site(what);
  switch (prof_event_kind(what)) {
  case PROF_EVENT_ENTRY:
  case PROF_EVENT_LOOP_ENTRY:
    enter(encoder, time, key, map);
    break;
  case PROF_EVENT_EXIT:
    leave(encoder, time, site, aux, map);
    break;
  case PROF_EVENT_LOOP_EXIT:
    leave_loop(encoder, time, site, map);
    break;
  case PROF_EVENT_VALUE:
    take_value(encoder, time, site);
    break;
  case PROF_EVENT_LANDED:
    land(encoder, time, site, aux, map);
    break;
  case PROF_EVENT_FRAME:
    if (encoder->depth && !encoder->omitted && prof_event_site((uint32_t)encoder->stack[encoder->depth].key) == site)
      encoder->stack[encoder->depth].address = aux;
    break;
  case PROF_EVENT_STACK:
    encoder->next_address = aux;
    break;
  case PROF_EVENT_STALL_BEGIN:
    stall_begin(encoder, time);
    break;
  case PROF_EVENT_STALL_END:
    stall_end(encoder, time);
    break;
  case PROF_EVENT_GAP:
    append_counted(encoder, time, PROF_FORMAT_GAP, aux);
    encoder->figures.gap_lost += aux;
    break;
  case PROF_EVENT_STOP:
    append_special(encoder, time, PROF_FORMAT_STOP);
    if (aux & PROF_EVENT_STOP_PAUSE)
      prof_encoder_suspend(encoder);
    encoder->depth = encoder->omitted = 0;
    break;
  case PROF_EVENT_BOTTOM:
    leave_all(encoder, time);
    break;
  case PROF_EVENT_FORK:
    keep_fork(encoder, time, aux);
    break;
  case PROF_EVENT_SAMPLE:
    if (encoder->take_sample)
      encoder->take_sample(encoder->sample_context, time, site, aux);
    else
      encoder->figures.dropped++;
    break;
  case PROF_EVENT_NONE: /* a slot that its thread gave up */
    break;
  default: /* a kind of a later version */
    encoder->figures.dropped++;
  }
}

bool prof_encoder_makes_op(const struct prof_encoder *encoder, uint32_t what, const struct prof_site_map *map) {
  uint32_t kind = prof_event_kind(what), site = prof_event_site(what);
  if (kind == PROF_EVENT_STALL_BEGIN || kind == PROF_EVENT_STALL_END)
    return (kind == PROF_EVENT_STALL_END) == (encoder->stall_begin != 0);
  if (kind == PROF_EVENT_BOTTOM)
    return encoder->depth + encoder->omitted > 0;
  if (kind == PROF_EVENT_LOOP_ENTRY)
    return !is_unknown(map, site);
  if (kind == PROF_EVENT_LOOP_EXIT)
    return !is_unknown(map, site) && (!is_maybe(map, site) || leaving_loop(encoder, site, map) > 0);
  if (kind == PROF_EVENT_VALUE)
    return encoder->last_time && site != encoder->ignored_site;
  /* not: FORK, STACK */
  return kind != PROF_EVENT_NONE && kind != PROF_EVENT_FRAME && kind <= PROF_EVENT_STOP;
}

void prof_encoder_mark(struct prof_encoder *encoder, uint64_t time) {
  encoder->untimed++;
  append_counted(encoder, time, PROF_FORMAT_TIME, 0);
}
