/*
 * tools/trace/cursor_inline.h - reading a chunk column by column, for readers that take every event of a trace.
 *
 * In: a chunk that prof_chunk_load has checked.  The fast way through it: prof_chunk_times expands the deltas of all
 * events; then a loop over `ops` that meets only 0 (exit) and 1-253 (entry by edge op - 1) in the common case, and
 * calls prof_side_take for 254 and 255.
 */
#ifndef PROF_TRACE_CURSOR_INLINE_H
#define PROF_TRACE_CURSOR_INLINE_H

#include "proftrace.h"

/* Ops of the spec that need the side column. */
#define PROF_CHUNK_OP_FAR 254u
#define PROF_CHUNK_OP_SPECIAL 255u

/*
 * times[i] = base_time + the deltas of events 0 to i, without what TIME specials add: prof_side_take returns that, and
 * it holds for the special's own event and all later ones.  Room for event_count rounded up to a multiple of 4.
 */
void prof_chunk_times(const struct prof_chunk *, uint64_t *times);

struct prof_side { /* a position in the side column; begin at chunk->side */
  const uint8_t *at;
};

/*
 * The step of an event whose op is 254 or 255: op, value and count are filled in, time is not.  *added: ticks of a TIME
 * special, else 0.  False: the side column is malformed, the chunk ends here.
 */
bool prof_side_take(struct prof_side *, const struct prof_chunk *, uint8_t op, struct prof_step *step, uint64_t *added);

#endif
