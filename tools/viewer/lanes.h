/*
 * tools/viewer/lanes.h - what threads did in time, at a level of detail that fits into a number of records.
 *
 * Job: keeps calls of at least one step (2^shift ns) one by one, and sums shorter ones in cells of one step.  The step
 * doubles whenever there are too many records, so that one pass over a recording of any length is enough.
 * docs/view-format.md, "lanes".  In: calls of each lane in the order of their ends.  Memory: 32 bytes a record.
 */
#ifndef PROF_VIEWER_LANES_H
#define PROF_VIEWER_LANES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

enum prof_lane_kind { PROF_LANE_CALLS = 0, PROF_LANE_STATES = 1, PROF_LANE_GPU = 2 };

#define PROF_LANE_CUT_BEGIN 1u
#define PROF_LANE_CUT_END 2u

struct prof_lane_call {
  uint64_t begin, length; /* ns */
  uint32_t frame, flags;
};

struct prof_lane_cell {
  uint64_t bucket, cover; /* steps; ns */
  uint64_t weight;        /* of `frame` against all others: a vote (Boyer and Moore, 1991) */
  uint32_t calls, frame;
};

struct prof_lane {
  enum prof_lane_kind kind;
  uint32_t thread, depth; /* of PROF_LANE_GPU: the stream, 0 */
  PROF_VEC(struct prof_lane_call) calls;
  PROF_VEC(struct prof_lane_cell) cells;
};

struct prof_lanes {
  PROF_VEC(struct prof_lane) items;
  uint32_t shift;         /* may be set before the first call is added */
  uint64_t records, most; /* calls and cells; how many there may be */
  uint64_t merged;        /* calls of threads in cells; set by prof_lanes_finish */
  bool failed;            /* no memory: some calls are missing */
};

void prof_lanes_init(struct prof_lanes *, uint64_t most);
void prof_lanes_fini(struct prof_lanes *);

#define PROF_LANES_NO_LIMIT (UINT64_MAX / 2) /* for `most` */

/* Index of a new lane; PROF_NONE: no memory. */
uint32_t prof_lanes_add_lane(struct prof_lanes *, enum prof_lane_kind, uint32_t thread, uint32_t depth);

/* Ends of a lane's calls don't fall, and its calls don't overlap. */
void prof_lanes_add(struct prof_lanes *, uint32_t lane, const struct prof_lane_call *);

/* Takes coarser steps until no more than `most` records are left; counts `merged`. */
void prof_lanes_finish(struct prof_lanes *);

/*
 * Makes `shift` the step, if it is the larger one.  For lanes that are to be joined, or whose records nobody counts.
 */
void prof_lanes_coarsen(struct prof_lanes *, uint32_t shift);
void prof_lanes_trim(struct prof_lanes *); /* gives back memory that is reserved for more */

/*
 * Appends the records of `from` to lane `into`, in the order of time: those of `into` end before they do.  Both have
 * the same step.  `from` is empty then.
 */
void prof_lanes_append(struct prof_lanes *, uint32_t into, struct prof_lane *from);

/* One more call of a cell, as heavy as its length is. */
static inline void prof_lane_cell_vote(struct prof_lane_cell *to, uint32_t frame, uint64_t weight) {
  if (to->frame == frame) {
    to->weight += weight;
  } else if (to->weight >= weight) {
    to->weight -= weight;
  } else {
    to->frame = frame;
    to->weight = weight - to->weight;
  }
}

/* Adds to the last of `count` cells if that has the same bucket, else behind it.  Returns how many there are then. */
size_t prof_lane_cell_put(struct prof_lane_cell *, size_t count, const struct prof_lane_cell *);

/* The part of a recording that is looked at. */
struct prof_lane_span {
  uint64_t begin, end; /* ns */
};

/*
 * Adds a lane with those calls and cells of `from` (whose step is 2^from_shift) that lie in the span, at least in part,
 * to `lanes`, which have no limit and whose step is not smaller.  Their times stay whole.  PROF_NONE: there are none,
 * or no memory.
 */
uint32_t prof_lanes_cut(struct prof_lanes *, const struct prof_lane *from, uint32_t from_shift,
                        const struct prof_lane_span *);

/* The section's bytes, which the caller frees; NULL: no memory. */
uint8_t *prof_lanes_bytes(const struct prof_lanes *, size_t *count);

#endif
