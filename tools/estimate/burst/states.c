/*
 * tools/estimate/burst/states.c - see states.h.
 */
#include "estimate/burst/states.h"

#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "names/loop_frames.h"

struct item {
  struct prof_burst_change change;
  uint32_t frame, site;
  size_t number; /* in the trace: changes at one time keep their order */
};

static int by_frame(const void *left, const void *right) {
  const struct item *a = left, *b = right;
  return prof_order(a->frame, b->frame) ?: prof_order(a->change.time, b->change.time) ?: prof_order(a->number, b->number);
}

/* Of the changes whose function or loop is known. */
static size_t collect(const prof_trace *trace, const struct prof_state_change *changes, size_t count,
                      struct item *items) {
  size_t kept = 0;
  for (size_t i = 0; i < count; i++) {
    struct prof_site_frame frame = prof_frame_of_site(trace, changes[i].site, true);
    if (frame.number == PROF_NONE || frame.is_quiet || changes[i].state > PROF_RECORD_OFF)
      continue;
    items[kept++] = (struct item){{changes[i].time, changes[i].state}, frame.number, changes[i].site, i};
  }
  if (kept)
    qsort(items, kept, sizeof *items, by_frame);
  return kept;
}

bool prof_burst_states_init(struct prof_burst_states *states, const prof_trace *trace) {
  size_t count;
  const struct prof_state_change *changes = prof_trace_states(trace, &count);
  *states = (struct prof_burst_states){.number_count = prof_frame_count(trace)};
  if (!changes || count == 0)
    return true;
  struct item *items = malloc(count * sizeof *items);
  states->frames = malloc(count * sizeof *states->frames);
  states->changes = malloc(count * sizeof *states->changes);
  states->of = malloc(((size_t)states->number_count + 1) * sizeof *states->of);
  bool done = items && states->frames && states->changes && states->of;
  if (done) {
    memset(states->of, 0xff, ((size_t)states->number_count + 1) * sizeof *states->of); /* PROF_NONE */
    size_t kept = collect(trace, changes, count, items);
    for (uint32_t i = 0; i < kept; i++) {
      if (i == 0 || items[i].frame != items[i - 1].frame) {
        states->of[items[i].frame] = states->frame_count;
        states->frames[states->frame_count++] = (struct prof_burst_frame){items[i].frame, items[i].site, i, 0};
      }
      states->changes[i] = items[i].change;
      states->frames[states->frame_count - 1].count++;
    }
  }
  free(items);
  return done;
}

void prof_burst_states_fini(struct prof_burst_states *states) {
  free(states->frames);
  free(states->changes);
  free(states->of);
  memset(states, 0, sizeof *states);
}

/* How many of its changes lie at or before the time. */
static size_t changes_until(const struct prof_burst_states *states, const struct prof_burst_frame *frame,
                            uint64_t time) {
  const struct prof_burst_change *changes = states->changes + frame->first;
  return prof_search(0, frame->count, middle, changes[middle].time <= time);
}

uint32_t prof_burst_state_at(const struct prof_burst_states *states, uint32_t frame, uint64_t time) {
  if (states->frame_count == 0 || frame >= states->number_count || states->of[frame] == PROF_NONE)
    return PROF_RECORD_ALWAYS;
  const struct prof_burst_frame *of = &states->frames[states->of[frame]];
  size_t until = changes_until(states, of, time);
  return until ? states->changes[of->first + until - 1].state : PROF_RECORD_ALWAYS;
}

bool prof_burst_state_holds(const struct prof_burst_states *states, const struct prof_burst_frame *frame,
                            uint64_t begin, uint64_t end) {
  size_t until = changes_until(states, frame, begin);
  if (until == 0 || states->changes[frame->first + until - 1].state != PROF_RECORD_BURST)
    return false;
  for (; until < frame->count && states->changes[frame->first + until].time < end; until++)
    if (states->changes[frame->first + until].state != PROF_RECORD_BURST)
      return false;
  return true;
}
