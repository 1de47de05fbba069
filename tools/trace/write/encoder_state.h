/*
 * tools/trace/write/encoder_state.h - what encode.c (events), encode_match.c (stack and matching) and columns.c
 * (columns, packing) share.
 */
#ifndef PROF_TRACE_ENCODER_STATE_H
#define PROF_TRACE_ENCODER_STATE_H

#include "encode.h"
#include "trace/bytes.h"

/* Call edges of the chunk in the making: open addressing, key 0 is free, at most half full. */
struct prof_edge_slot {
  uint64_t key;      /* an ENTRY slot's `what` and `aux` as they lie in the ring */
  uint32_t index;    /* in the edge column */
  uint32_t function; /* of the site */
};

struct prof_open_frame { /* of a function or a loop */
  uint64_t entry;        /* ticks */
  uint64_t key;          /* of its edge */
  uint64_t stalled;      /* ticks the thread had waited before */
  uint32_t function;
  uint32_t address; /* low bits of its frame address; 0 unknown */
};

struct prof_encoder {
  prof_packer *packer;
  void (*take_sample)(void *context, uint64_t time, uint32_t site, uint32_t aux); /* NULL: nobody does */
  void *sample_context;
  prof_fork_stacks *forks; /* NULL: none are kept */
  uint32_t thread, sequence;

  /* The chunk in the making. */
  uint32_t count, capacity; /* events; of ops and deltas */
  uint8_t *ops;
  uint32_t *deltas;
  struct prof_payload side, frames, edges;
  uint32_t edge_count, frame_count, frames_omitted;
  uint64_t frames_spared; /* bytes that packing takes off the frames, where they were packed to know; else 0 */
  uint64_t base_time, stalled_before;
  uint64_t inversions_before;
  uint32_t loop_entries; /* entries of loops among the events */
  uint32_t untimed;      /* VALUEs and TIMEs among them */
  struct prof_edge_slot *table;
  uint32_t table_shift; /* 64 - log2(slots) */

  /* The thread. */
  uint64_t last_time;
  uint64_t stall_begin; /* ticks; 0: doesn't wait */
  /* Frames [1, depth]; frame 0 matches nothing.  When `omitted`, frame depth + 1 stands for those and matches nothing.
   */
  struct prof_open_frame *stack;
  /* What was open when the program switched recording off: which of it still is, the next events tell. */
  struct prof_open_frame *suspended;
  uint32_t suspended_depth;
  bool resumes;                /* the chunk in the making begins in such frames */
  uint32_t depth, stack_limit; /* frames that fit, without growing */
  uint32_t omitted;            /* open frames beyond PROF_FORMAT_FRAME_LIMIT */
  uint32_t next_address;       /* of the frame of the next entry: its STACK event has come; else 0 */
  uint32_t ignored_site;       /* of the loop exit just passed that left nothing: its value means nothing; else 0 */
  uint32_t empties;            /* empty slots passed since the last finished one */
  struct prof_encoder_figures figures;
};

static inline uint32_t prof_edge_hash(uint64_t key, uint32_t shift) {
  return (uint32_t)(key * 0x9e3779b97f4a7c15ull >> shift);
}

#define PROF_MATCHES_NOTHING 0xfffffffeu /* no identity, nor what a recorder may put into its map */

/* Whether a frame is gone when there is a new one of the same stack at `address`, as STACK gives it. */
static inline bool prof_frame_is_gone(const struct prof_open_frame *frame, uint32_t address) {
  uint32_t above = (address & ~PROF_EVENT_STACK_INLINED) - frame->address;
  return frame->address && above <= PROF_EVENT_STACK_REACH && !(above == 0 && (address & PROF_EVENT_STACK_INLINED));
}

static inline bool prof_frame_is_loop(const struct prof_open_frame *frame) {
  return prof_event_kind((uint32_t)frame->key) == PROF_EVENT_LOOP_ENTRY;
}

/* What a VALUE says: a negative one is of no meaning. */
static inline uint64_t prof_event_value(uint64_t time) {
  uint64_t value = time & ~PROF_EVENT_VALUE_BIT;
  return value >> 62 ? 0 : value;
}

/* ---- encode_match.c ---- */

/* Any event, by the book.  Everything that the fast loop doesn't take comes here. */
void prof_encoder_take(prof_encoder *, uint64_t time, uint64_t key, const struct prof_site_map *);

/* The identity of the function or loop that a site is of. */
uint32_t prof_encoder_function(const struct prof_site_map *, uint32_t site);

/* An event that does nothing, so that a chunk's frames are those that are open at its first one. */
void prof_encoder_mark(prof_encoder *, uint64_t time);

/* Whether an event becomes one of a chunk.  Those that don't must not begin one: its base_time would be theirs. */
bool prof_encoder_makes_op(const prof_encoder *, uint32_t what, const struct prof_site_map *);

/* Room for more frames.  False: no memory. */
bool prof_encoder_grow_stack(prof_encoder *);

/* ---- encode_inherit.c ---- */

/* Before all frames are left: keeps them. */
void prof_encoder_suspend(prof_encoder *);

/* While something is suspended: takes up the frames that are open still, if this event tells.  False: it doesn't. */
bool prof_encoder_resume(prof_encoder *, const struct prof_event *slot, const struct prof_site_map *);

/* ---- columns.c ---- */

/* The slot of a key, made if it is new.  NULL: no memory. */
struct prof_edge_slot *prof_encoder_edge(prof_encoder *, uint64_t key, uint32_t function);

/* Room for `more` events and their side bytes.  False: no memory. */
bool prof_encoder_reserve(prof_encoder *, uint32_t more);
#define PROF_ENCODER_SIDE_BYTES 24 /* at most per event */

/* Starts a chunk at `time`: writes down the open frames.  False: no memory. */
bool prof_encoder_begin(prof_encoder *, uint64_t time);

#endif
