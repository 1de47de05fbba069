/*
 * tools/trace/write/encoder_inline.h - the chunk being built, for encode.c, columns.c and match/drain.c, which fills
 * the columns from a ring.
 */
#ifndef PROF_TRACE_ENCODER_INLINE_H
#define PROF_TRACE_ENCODER_INLINE_H

#include "trace/bytes.h"
#include "trace/format.h"

/* Call edges of the chunk: open addressing, key 0 is free, at most half full. */
struct prof_edge_slot {
  uint64_t key;      /* an ENTRY slot's `what` and `aux` as in the ring */
  uint32_t index;    /* in the edge column */
  uint32_t function; /* of the site */
  uint64_t exit;     /* likewise of an EXIT slot of this function, the last that a fast loop met; 0: it met none */
};

struct prof_encoder {
  struct prof_packer *packer;
  uint32_t thread, sequence;
  uint32_t count, capacity; /* count: events; capacity: of ops and deltas */
  uint8_t *ops;
  uint32_t *deltas;
  struct prof_payload side, frames, edges;
  uint32_t edge_count, frame_count, frames_omitted;
  uint64_t frames_spared; /* bytes that packing saved on the frames, if they were packed to measure it; else 0 */
  uint64_t base_time, last_time, stalled_before;
  uint32_t inversions;   /* clamped times; the caller counts them, and loop_entries */
  uint32_t loop_entries; /* entries of loops among the events */
  uint32_t untimed;      /* VALUEs and TIMEs among them */
  bool resumes;          /* the chunk begins in frames from before a pause */
  struct prof_edge_slot *table;
  uint32_t table_shift; /* 64 - log2(slots) */
  struct {              /* over all chunks so far */
    uint64_t events, untimed, calls, loop_entries;
    uint64_t dropped; /* events that could not be written */
  } written;
};

static inline uint32_t prof_edge_hash(uint64_t key, uint32_t shift) {
  return (uint32_t)(key * 0x9e3779b97f4a7c15ull >> shift);
}

#define PROF_ENCODER_SIDE_BYTES 32 /* maximum per event: a MEASURE has 1 + 1 + 8 + 9 + 9 */

/* The position of the next event.  As a local variable it stays in registers; memory must be reserved. */
struct prof_columns_end {
  uint8_t *ops, *side;
  uint32_t *deltas;
};

static inline struct prof_columns_end prof_columns_end(const struct prof_encoder *encoder) {
  return (struct prof_columns_end){encoder->ops + encoder->count, encoder->side.items + encoder->side.count,
                                   encoder->deltas + encoder->count};
}

static inline void prof_columns_take(struct prof_encoder *encoder, const struct prof_columns_end *end,
                                     uint64_t last_time) {
  encoder->count = (uint32_t)(end->ops - encoder->ops);
  encoder->side.count = (size_t)(end->side - encoder->side.items);
  encoder->last_time = last_time;
}

static inline void prof_columns_put(struct prof_columns_end *end, uint8_t op, uint32_t delta) {
  *end->deltas++ = delta;
  *end->ops++ = op;
}

/* The op of an entry by this edge; writes its side bytes. */
static inline uint8_t prof_columns_entry(struct prof_columns_end *end, uint32_t edge) {
  uint8_t op = (uint8_t)(edge + 1);
  if (edge >= PROF_FORMAT_OP_LAST_EDGE) {
    op = PROF_FORMAT_OP_FAR_EDGE;
    end->side = prof_varint_put(end->side, edge);
  }
  return op;
}

/* The op of a VALUE; writes its side bytes. */
static inline uint8_t prof_columns_value(struct prof_columns_end *end, uint32_t site, uint64_t value) {
  end->side = prof_varint_put(end->side, PROF_FORMAT_VALUE);
  end->side = prof_varint_put(end->side, site);
  end->side = prof_varint_put(end->side, value);
  return PROF_FORMAT_OP_SPECIAL;
}

/* The op of a MEASURE; writes its side bytes. */
static inline uint8_t prof_columns_measure(struct prof_columns_end *end, uint32_t operation, uint64_t caller,
                                           uint64_t first, uint64_t second) {
  end->side = prof_varint_put(end->side, PROF_FORMAT_MEASURE);
  end->side = prof_varint_put(end->side, operation);
  end->side = prof_varint_put(end->side, caller);
  end->side = prof_varint_put(end->side, first);
  end->side = prof_varint_put(end->side, second);
  return PROF_FORMAT_OP_SPECIAL;
}

#endif
