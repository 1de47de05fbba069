/*
 * tools/estimate/burst/states.h - which functions and loops were recorded when, in a recording with a budget.
 *
 * In: STATES of a trace.  Out: the changes of each function or loop, by its frame number (names/loop_frames.h).
 */
#ifndef PROF_ESTIMATE_BURST_STATES_H
#define PROF_ESTIMATE_BURST_STATES_H

#include <stdbool.h>
#include <stdint.h>

#include "proftrace.h"

struct prof_burst_change {
  uint64_t time;
  uint32_t state; /* enum prof_record_state, from `time` on */
};

struct prof_burst_frame { /* a function or loop that was not always recorded */
  uint32_t frame;         /* its number */
  uint32_t site;          /* as in STATES */
  uint32_t first, count;  /* of its changes, by time */
};

struct prof_burst_states {
  struct prof_burst_frame *frames; /* by number */
  uint32_t frame_count;
  struct prof_burst_change *changes;
  uint32_t *of;          /* by frame number: index into frames; PROF_NONE: it was always recorded */
  uint32_t number_count; /* of frame numbers */
};

/* A trace without STATES has no frames here.  false: no memory; fini it all the same. */
bool prof_burst_states_init(struct prof_burst_states *, const prof_trace *);
void prof_burst_states_fini(struct prof_burst_states *);

/* PROF_RECORD_ALWAYS for a number that is none. */
uint32_t prof_burst_state_at(const struct prof_burst_states *, uint32_t frame, uint64_t time);

/* Whether it was in state BURST in all of [begin, end). */
bool prof_burst_state_holds(const struct prof_burst_states *, const struct prof_burst_frame *, uint64_t begin,
                            uint64_t end);

#endif
