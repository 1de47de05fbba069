/*
 * tools/fold/plain_calls.h - the innermost loop of the fold: calls that are nothing but calls.
 *
 * Most events are entries by edges whose node is known (struct prof_fold_edge), and exits of frames without bits.
 * Nothing else is looked at, so that all stays in registers.  It must do what the pass of chunk.c does with them.  For
 * chunk.c, which takes what this leaves.
 */
#ifndef PROF_FOLD_PLAIN_CALLS_H
#define PROF_FOLD_PLAIN_CALLS_H

#include "fold/piece.h"
#include "trace/read/cursor_inline.h"

/* What the pass over a block keeps in registers; the core's stack is only right after it. */
struct prof_fold_pass {
  struct prof_fold_core *core;
  struct prof_fold_frame *top, *limit, *bottom; /* bottom: the innermost frame that is no call, or the root */
  uint32_t node;                                /* top's */
  uint32_t serial;                              /* of the present event */
  uint64_t late;                                /* what expanded times are ahead of net times */
  struct prof_fold_edge *edges;
  uint32_t edge_count; /* at least as many as an op of one byte can name */
  bool forks;          /* outermost calls may be counted elsewhere */
  struct prof_side *side;
  const uint8_t *side_end;
};

struct prof_fold_block {
  const uint8_t *ops;
  const uint64_t *times; /* expanded */
  uint32_t count;
};

/*
 * Takes events from `at` on, up to the first that it can't take; returns that one's number.  It may leave the last one.
 * serial: of event 0.  pass->serial is not changed.
 */
typedef uint32_t prof_fold_plain(struct prof_fold_pass *, const struct prof_fold_block *, uint32_t serial, uint32_t at);

/* The one for this processor. */
prof_fold_plain *prof_fold_plain_choose(void);

#endif
