/*
 * tools/trace/read/cursor_inline.h - reads a chunk column by column, for readers that take every event of a trace.
 *
 * In: a chunk that prof_chunk_load has checked.  Take a few hundred events at a time, so that they stay in the first
 * cache: prof_times_next expands deltas; then a loop over `ops` normally meets only 0 (exit) and 1-253 (entry by edge
 * op - 1), and calls prof_side_take for 254 and 255.
 */
#ifndef PROF_TRACE_CURSOR_INLINE_H
#define PROF_TRACE_CURSOR_INLINE_H

#include <stddef.h>
#include <string.h>

#include "proftrace.h"

/* Ops of the spec that need the side column. */
#define PROF_CHUNK_OP_FAR 254u
#define PROF_CHUNK_OP_SPECIAL 255u
#define PROF_CHUNK_SPECIAL_VALUE 9u /* first byte in the side column of a VALUE event */

struct prof_times { /* a position in the delta column; initialise with prof_times_begin */
  const struct prof_chunk *chunk;
  uint32_t index;
  uint32_t escape; /* number of the next delta in the delta column */
  const uint8_t *delta;
  uint64_t time;
};

/* Delta number `escape` of the delta column, at `at`; *used: its bytes. */
static inline uint32_t prof_delta_escaped(const struct prof_chunk *chunk, uint32_t escape, const uint8_t *at,
                                          uint32_t *used) {
  uint32_t length = (chunk->lengths[escape / 4] >> 2 * (escape % 4)) & 3, value;
  memcpy(&value, at, sizeof value);
  *used = length + 1;
  return value & (UINT32_MAX >> 8 * (3 - length));
}

static inline void prof_times_begin(struct prof_times *position, const struct prof_chunk *chunk) {
  *position = (struct prof_times){.chunk = chunk, .delta = chunk->deltas, .time = chunk->base_time};
}

/*
 * The times of the next `most` events (a multiple of 4), or of the remaining ones: base_time + all deltas so far.  The
 * ticks of TIME specials are missing: prof_side_take returns them, and the caller adds them to this event and all later
 * ones.  Returns the number of events; 0 at the end.
 */
uint32_t prof_times_next(struct prof_times *, uint64_t *times, uint32_t most);

struct prof_side { /* a position in the side column; begin at chunk->side */
  const uint8_t *at;
};

/* The step of an event with op 254 or 255: sets op, value and count, not time.  *added: ticks of a TIME special, else
 * 0.  False: the side column is malformed, the chunk ends here. */
bool prof_side_take(struct prof_side *, const struct prof_chunk *, uint8_t op, struct prof_step *step, uint64_t *added);

/* Skips the side bytes of a VALUE event with op 255 without reading its two numbers.  False, and nothing skipped: it
 * isn't a VALUE, or prof_side_take must read it. */
static inline bool prof_side_pass_value(struct prof_side *side, const struct prof_chunk *chunk) {
  uint64_t word;
  if (chunk->side_end - side->at <= (ptrdiff_t)sizeof word || *side->at != PROF_CHUNK_SPECIAL_VALUE)
    return false;
  memcpy(&word, side->at + 1, sizeof word);
  uint64_t ends = ~word & 0x8080808080808080ull; /* a bit for each number's last byte */
  ends &= ends - 1;
  if (ends == 0)
    return false;
  side->at += 1 + ((unsigned)__builtin_ctzll(ends) + 1) / 8;
  return true;
}

#endif
