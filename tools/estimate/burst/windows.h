/*
 * tools/estimate/burst/windows.h - what all windows of a recording counted, as rates by thread, function and caller.
 *
 * In: WINDOWS; states of functions.  Out: the windows, each with its weight, and the sums of what they counted. Windows
 * in or soon after a preemption of a thread don't count for it.
 */
#ifndef PROF_ESTIMATE_BURST_WINDOWS_H
#define PROF_ESTIMATE_BURST_WINDOWS_H

#include "estimate/burst/callers.h"
#include "estimate/burst/paths.h"
#include "estimate/burst/rate.h"
#include "estimate/burst/thread_time.h"
#include "fold/filter.h"

struct prof_burst_head { /* of a window */
  uint64_t begin, seed;
  uint64_t length;
  uint32_t part;
  enum prof_burst_kind kind;
  double weight;
};

/* In place of a caller's function: all of them, in windows with events and in those that count. */
#define PROF_BURST_ANY_CALLER (PROF_NONE - 1)
#define PROF_BURST_COUNTED (PROF_NONE - 2)

struct prof_burst_sum {
  uint32_t thread, frame;
  uint32_t caller; /* number of a function, PROF_NONE (not known), or one of the above */
  struct prof_burst_rate rate;
};

struct prof_burst_counted { /* calls of a function from one place, in windows with events */
  uint32_t frame;
  struct prof_burst_from from; /* with a module */
  double calls;                /* weighed as the windows are */
};

struct prof_burst_counted_places {
  PROF_VEC(struct prof_burst_counted) items; /* in any order */
};

struct prof_burst_windows {
  /* In: */
  struct prof_burst_paths *paths;
  const struct prof_filter *filter; /* NULL: everything */
  struct prof_burst_time *times;    /* by thread; windows are added */
  size_t thread_count;
  const struct prof_burst_cost *event_costs, *count_costs; /* by thread */
  /* Out: */
  PROF_VEC(struct prof_burst_head) heads; /* by begin */
  PROF_VEC(struct prof_burst_sum) sums;   /* by frame, thread, caller */
  struct prof_burst_counted_places places;
  struct prof_burst_callers callers; /* finished */
  uint64_t chunks_damaged;
};

/* Out is zeroed.  false: no memory; fini it all the same, which frees what is out. */
bool prof_burst_windows_read(struct prof_burst_windows *, struct prof_diag *);
void prof_burst_windows_fini(struct prof_burst_windows *);

/* Whether the function or loop was on in the window. */
bool prof_burst_was_on(const struct prof_burst_paths *, const struct prof_burst_frame *,
                       const struct prof_burst_head *);

#endif
