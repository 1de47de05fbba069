/*
 * tools/estimate/burst/callers.h - who made the calls that windows counted without events.
 *
 * Windows that count tell how many calls there were, but not from where; windows with events tell callers, of few calls
 * and fewer where events take most of the time.  So the calls that some neighbouring windows count have the callers
 * that windows with events among them show: a phase of the program has its own callers.
 *
 * In: rows of windows in the order of time.  Out: of each thread, frame and caller its part of the counted calls.
 * Memory grows with callers, not with windows.
 */
#ifndef PROF_ESTIMATE_BURST_CALLERS_H
#define PROF_ESTIMATE_BURST_CALLERS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/index_map.h"
#include "base/vec.h"

struct prof_burst_caller { /* of a frame in a thread */
  uint32_t frame, caller;  /* frame: index of the counted frame; caller: a function, as in prof_burst_edge */
  uint32_t next;           /* of the same frame; UINT32_MAX: it is the last */
  double seen;             /* in windows with events of the present stretch, weighed */
  double counted;          /* of the calls that were counted, weighed; valid after prof_burst_callers_finish */
};

struct prof_burst_counted_frame { /* in a thread */
  uint32_t thread, frame;
  uint32_t first;   /* caller; UINT32_MAX: none is known */
  uint32_t windows; /* with events of it, in the present stretch */
  uint64_t window;  /* the last one of them; 0: none */
  double seen;      /* in them */
  double counted;   /* by windows that count, in the present stretch */
};

struct prof_burst_callers {
  PROF_VEC(struct prof_burst_counted_frame) frames;
  PROF_VEC(struct prof_burst_caller) callers;
  struct prof_index_map known_frames, known_callers;
};

void prof_burst_callers_fini(struct prof_burst_callers *);

/* A row of a window with events.  window: its number, from 1; calls: above 0, weighed as below.  false: no memory. */
bool prof_burst_callers_see(struct prof_burst_callers *, uint32_t thread, uint32_t frame, uint32_t caller,
                            uint64_t window, double calls);
/* A row of a window that counts.  calls: weighed as the estimate of all calls is.  false: no memory. */
bool prof_burst_callers_count(struct prof_burst_callers *, uint32_t thread, uint32_t frame, double calls);
/* What stretches before had (in_summary.h): a caller's counted calls, and its calls in windows with events that are not
 * settled; calls that were counted since, and how many windows with events there were.  false: no memory. */
bool prof_burst_callers_resume(struct prof_burst_callers *, uint32_t thread, uint32_t frame, uint32_t caller,
                               double counted, double seen);
bool prof_burst_callers_resume_frame(struct prof_burst_callers *, uint32_t thread, uint32_t frame, double counted,
                                     double windows);
/* All windows were read. */
void prof_burst_callers_finish(struct prof_burst_callers *);

/* The part of the frame's counted calls that the caller made, 0 to 1; below 0: no window that counts saw it. */
double prof_burst_callers_part(const struct prof_burst_callers *, uint32_t thread, uint32_t frame, uint32_t caller);

#endif
