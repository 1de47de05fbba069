/*
 * tools/match/keep_state.h - shared by keep.c (what becomes of a step), keep_around.c and keep_held.c (steps that
 * wait).
 */
#ifndef PROF_MATCH_KEEP_STATE_H
#define PROF_MATCH_KEEP_STATE_H

#include "base/vec.h"
#include "keep_rules.h"
#include "trace/write/encode.h"

enum keep_status {
  KEEP_HIDDEN,  /* not shown, or not written while `off` is set */
  KEEP_HELD,    /* its entry is among the held steps, */
  KEEP_DECIDED, /* and will be written */
  KEEP_WRITTEN,
};

struct keep_frame {
  uint64_t entry, stalled, key;
  uint64_t position;     /* HELD, DECIDED: of its entry */
  uint64_t calls, loops; /* left out inside of it, not told yet */
  uint32_t function;
  uint32_t shown_at; /* the innermost frame that is shown, from this one outwards; 0: none */
  struct prof_filter_state state;
  bool loop;
  bool slow;  /* a call that may be slow */
  bool leads; /* to a call with FILTER_CALLER, or the rules don't ask; outer frames then do, too */
  enum keep_status status;
};

enum keep_sort {
  KEEP_ENTRY,
  KEEP_ENTRY_VALUE, /* of the entry before */
  KEEP_INNER,       /* gone with the call that it lies in */
  KEEP_ALWAYS,
};

struct keep_held {
  struct prof_step step;
  enum keep_sort sort;
  uint64_t key; /* ENTRY */
  uint32_t function, frame;
  bool decided; /* ENTRY: is written */
};

struct prof_keep {
  struct prof_keep_rules *rules;
  prof_encoder *encoder;
  bool off;                          /* as the rules had it when this thread was switched */
  PROF_VEC(struct keep_frame) stack; /* [0]: the thread */
  uint64_t closed;                   /* frames inside of the innermost of `stack` */
  uint64_t stalled, stall_begin;     /* up to the last step; stall_begin 0: it doesn't wait */
  uint32_t last_unit;                /* of a loop's entry or exit, the last step; 0: it was another one */
  bool last_exit, last_kept;
  uint64_t left_out;
  PROF_VEC(struct keep_held) held;
  size_t begin;            /* of `held`: those before it are written */
  uint64_t first_position; /* of held.items[0] */
  /* as written */
  PROF_VEC(struct prof_open_frame) open; /* [0] unused */
  uint64_t written_stalled, written_stall_begin;
};

static inline struct keep_frame *keep_top(struct prof_keep *keep) {
  return &keep->stack.items[keep->stack.count - 1];
}

static inline uint64_t keep_net(const struct prof_keep *keep, const struct keep_frame *frame, uint64_t time) {
  uint64_t running = keep->stall_begin && time > keep->stall_begin ? time - keep->stall_begin : 0;
  uint64_t gross = time - frame->entry, waited = keep->stalled + running - frame->stalled;
  return gross > waited ? gross - waited : 0;
}

static inline uint16_t keep_flags_of(const struct prof_keep *keep, uint32_t function) {
  return function < keep->rules->flag_count ? keep->rules->flags[function] : keep->rules->unknown;
}

/* ---- keep.c ---- */

/* EXIT and LANDED. */
bool keep_leave(struct prof_keep *, const struct prof_step *);
/* Whatever is held is written. */
bool keep_settle(struct prof_keep *);

/* ---- keep_around.c ---- */

/* EXIT_AROUND. */
bool keep_leave_around(struct prof_keep *, const struct prof_step *);

/* ---- keep_held.c ---- */

static inline bool keep_holds(const struct prof_keep *keep) {
  return keep->begin < keep->held.count;
}

/* Writes a step, or holds it behind those that are held.  False: no memory. */
bool keep_out(struct prof_keep *, const struct keep_held *);
bool keep_hold(struct prof_keep *, const struct keep_held *);

/* Frame `at` is to be written, and those around it whose calls are longer. */
void keep_decide(struct prof_keep *, size_t at);
/* Calls that have lasted long enough by now are written. */
bool keep_decide_old(struct prof_keep *, uint64_t time);
/* Writes held steps up to the first entry that isn't decided. */
bool keep_release(struct prof_keep *);

/* The innermost frame's entry is taken back. */
void keep_forget(struct prof_keep *, const struct keep_frame *);
/* What lies inside of the innermost frame is taken back, and counted in it. */
void keep_empty(struct prof_keep *, struct keep_frame *);

#endif
