/*
 * tools/estimate/burst/sums.h - what windows and states say of functions in bursts, as sums.
 *
 * Of a trace, or of a stretch of a longer recording (gather.h); or what a summary has of all its stretches
 * (in_summary.h).  By function and thread, which is what calls.h needs and no more: those of two stretches can be
 * added.  Weights are ticks (weights.h); frames are numbers of functions or loops.
 */
#ifndef PROF_ESTIMATE_BURST_SUMS_H
#define PROF_ESTIMATE_BURST_SUMS_H

#include "estimate/burst/callers.h"
#include "estimate/burst/paths.h"
#include "estimate/burst/rate.h"
#include "estimate/burst/thread_time.h"

/* In place of a caller's function: all of them, in windows with events and in those that count. */
#define PROF_BURST_ANY_CALLER (PROF_NONE - 1)
#define PROF_BURST_COUNTED (PROF_NONE - 2)

struct prof_burst_sum { /* calls that windows saw */
  uint32_t thread, frame;
  uint32_t caller; /* number of a function, PROF_NONE (not known), or one of the above */
  struct prof_burst_rate rate;
};

struct prof_burst_on { /* windows in which a frame was on, in the life of a thread */
  double weight;
  double ticks; /* weight times length */
};

struct prof_burst_frame_sum { /* of a frame in a thread */
  uint32_t thread, frame;
  struct prof_burst_ran burst; /* while it was in state BURST */
  double off_ticks;            /* that the thread ran while it was in state OFF */
  struct prof_burst_on on[PROF_BURST_KINDS];
};

struct prof_burst_thread_sum {
  double life_ticks;      /* that it ran */
  uint64_t window_events; /* in windows */
  /* By kind: windows in its life; of those that are used, the parts that it ran. */
  double met[PROF_BURST_KINDS], ran[PROF_BURST_KINDS];
};

struct prof_burst_counted { /* calls of a function from one place, in windows with events */
  uint32_t frame;
  struct prof_burst_from from; /* with a module */
  double calls;                /* weighed as the windows are */
};

struct prof_burst_counted_places {
  PROF_VEC(struct prof_burst_counted) items; /* in any order */
};

struct prof_burst_window_sum { /* windows of one kind */
  uint64_t count;
  double weight;
};

struct prof_burst_sums {
  PROF_VEC(struct prof_burst_frame_sum) frames; /* by frame, thread; those without any time or window are left out */
  PROF_VEC(struct prof_burst_sum) rates;        /* by frame, thread, caller; settled */
  struct prof_burst_counted_places places;
  struct prof_burst_callers callers;     /* of counted calls; finished, but for a stretch */
  struct prof_burst_thread_sum *threads; /* by index */
  size_t thread_count;
  struct prof_burst_window_sum windows[PROF_BURST_KINDS];
  uint64_t chunks_damaged;
};

/* Windows that count are no mean of all calls in the middle of one, so a stretch takes those that began in it. */
struct prof_burst_stretch_of {
  uint64_t begin, end;                /* ticks; 0: the recording's begin; UINT64_MAX: its end */
  uint64_t weighed[PROF_BURST_KINDS]; /* in and out: windows stand for the time since; 0: there were none yet */
  struct prof_burst_callers callers;  /* in: what stretches before left to be settled; out: empty */
};

/* Whatever is in them. */
void prof_burst_sums_fini(struct prof_burst_sums *);

/* NULL: no time, no window. */
const struct prof_burst_frame_sum *prof_burst_sums_frame(const struct prof_burst_sums *, uint32_t frame,
                                                         uint32_t thread);
/* Puts frames and rates in order. */
void prof_burst_sums_sort(struct prof_burst_sums *);

#endif
