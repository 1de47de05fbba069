/*
 * tools/estimate/burst/heads.h - a window without what it counted: when it was, and which functions were on.
 */
#ifndef PROF_ESTIMATE_BURST_HEADS_H
#define PROF_ESTIMATE_BURST_HEADS_H

#include <stdbool.h>
#include <stdint.h>

#include "estimate/burst/paths.h"
#include "estimate/burst/thread_time.h"

struct prof_burst_head { /* of a window */
  uint64_t begin, seed;
  uint64_t length;
  uint32_t part;
  enum prof_burst_kind kind;
  double weight; /* ticks */
};

/* Whether the function or loop was on in the window. */
bool prof_burst_was_on(const struct prof_burst_paths *, const struct prof_burst_frame *,
                       const struct prof_burst_head *);

#endif
