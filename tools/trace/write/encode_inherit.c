/*
 * tools/trace/write/encode_inherit.c - chunks that begin in frames which were entered elsewhere: before a fork, or
 * before the program switched recording off.  See encode.h and docs/trace-format.md, "frames".
 *
 * Which frames are open still when recording goes on, its first events tell: an exit leaves one of them; a call returns
 * into one, whose code lies between its first sled and its last.
 */
#include <stdlib.h>
#include <string.h>

#include "encoder_state.h"

/* Without memory, and beyond a stack that is held, what comes begins at the root. */
void prof_encoder_suspend(struct prof_encoder *encoder) {
  if (!encoder->depth || encoder->omitted)
    return; /* of two stops with nothing between, the first counts */
  size_t bytes = (encoder->depth + 1) * sizeof *encoder->suspended;
  struct prof_open_frame *frames = realloc(encoder->suspended, bytes);
  if (!frames)
    return;
  memcpy(frames, encoder->stack, bytes);
  encoder->suspended = frames;
  encoder->suspended_depth = encoder->depth;
}

#define FAR_SITES 64u /* so many sites of others in a row lie between two of a function */

/* Whether an address lies between the first and the last sled of a frame's function or loop. */
static bool holds(const struct prof_open_frame *frame, uint32_t address, const struct prof_site_map *map) {
  uint32_t first = prof_event_site((uint32_t)frame->key), reach = 0;
  if (!map->addresses || first >= map->count)
    return false;
  for (uint32_t site = first + 1, last = first; site < map->count && site - last <= FAR_SITES; site++)
    if (prof_encoder_function(map, site) == frame->function) {
      uint32_t away = map->addresses[site] - map->addresses[first];
      reach = away > reach && away < UINT32_MAX / 2 ? away : reach;
      last = site;
    }
  return address - map->addresses[first] <= reach;
}

/* The suspended frame whose code an address is in, or a loop of it; all, when it is nowhere that is known: in a
 * function that was called meanwhile, or has no probes. */
static uint32_t frame_around(const struct prof_encoder *encoder, uint32_t address, const struct prof_site_map *map) {
  const struct prof_open_frame *frames = encoder->suspended;
  uint32_t at = encoder->suspended_depth;
  while (at && (prof_frame_is_loop(&frames[at]) || !holds(&frames[at], address, map)))
    at--;
  if (!at) {
    for (at = encoder->suspended_depth; at > 1 && prof_frame_is_loop(&frames[at]);)
      at--;
    return at;
  }
  while (at < encoder->suspended_depth && prof_frame_is_loop(&frames[at + 1]) && holds(&frames[at + 1], address, map))
    at++;
  return at;
}

/* The innermost suspended frame that is open still; 0: the event doesn't tell. */
static uint32_t still_open(const struct prof_encoder *encoder, const struct prof_event *slot,
                           const struct prof_site_map *map) {
  uint32_t at = encoder->suspended_depth, site = prof_event_site(slot->what);
  switch (prof_event_kind(slot->what)) {
  case PROF_EVENT_ENTRY:
    return frame_around(encoder, slot->aux, map);
  case PROF_EVENT_LOOP_ENTRY:
    return frame_around(encoder, map->addresses && site < map->count ? map->addresses[site] : 0, map);
  case PROF_EVENT_FORK:
    return at;
  case PROF_EVENT_EXIT:
  case PROF_EVENT_LOOP_EXIT:
  case PROF_EVENT_LANDED:
    while (at && encoder->suspended[at].function != prof_encoder_function(map, site))
      at--;
    return at;
  default:
    return 0;
  }
}

bool prof_encoder_resume(struct prof_encoder *encoder, const struct prof_event *slot, const struct prof_site_map *map) {
  uint32_t depth = still_open(encoder, slot, map);
  if (!depth)
    return false;
  encoder->suspended_depth = 0;
  (void)prof_encoder_flush(encoder, false); /* the writer keeps the error */
  while (encoder->stack_limit < depth)
    if (!prof_encoder_grow_stack(encoder))
      return false;
  uint64_t time = slot->time - 1 > encoder->last_time ? slot->time - 1 : encoder->last_time;
  uint64_t stalled = encoder->figures.stalled_ticks + (encoder->stall_begin ? time - encoder->stall_begin : 0);
  for (uint32_t i = 1; i <= depth; i++) {
    encoder->stack[i] = encoder->suspended[i];
    encoder->stack[i].entry = time;
    encoder->stack[i].stalled = stalled;
  }
  encoder->depth = depth;
  if (!prof_encoder_reserve(encoder, 1) || !prof_encoder_begin(encoder, time)) {
    encoder->depth = 0;
    return false;
  }
  encoder->resumes = true;
  prof_encoder_mark(encoder, time);
  return true;
}

bool prof_encoder_inherit(struct prof_encoder *encoder, const struct prof_fork_stack *stack) {
  if (!stack->depth)
    return true;
  while (encoder->stack_limit < stack->depth)
    if (!prof_encoder_grow_stack(encoder))
      return false;
  for (uint32_t i = 0; i < stack->depth; i++) {
    encoder->stack[i + 1] = stack->frames[i];
    encoder->stack[i + 1].entry = stack->time;
    encoder->stack[i + 1].stalled = 0;
  }
  encoder->depth = stack->depth;
  encoder->omitted = stack->omitted;
  encoder->stack[encoder->depth + 1].function = PROF_MATCHES_NOTHING;
  if (!prof_encoder_reserve(encoder, 1) || !prof_encoder_begin(encoder, stack->time)) {
    encoder->depth = encoder->omitted = 0;
    return false;
  }
  /* An event at the time of the fork, which does nothing: a chunk's frames are those that are open at its first one. */
  prof_encoder_mark(encoder, stack->time);
  encoder->figures.first_ticks = stack->time;
  return true;
}
