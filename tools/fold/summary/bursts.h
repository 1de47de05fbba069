/*
 * tools/fold/summary/bursts.h - what a summary keeps of functions that were not always recorded (a budget).
 *
 * In: sums of stretches of a recording (estimate/burst/in_summary.h).  Out: their sum, in rows that mean the same in
 * every trace with the same facts: threads have their numbers, functions, loops and zones are keys without a caller.
 * Part of a prof_summary.
 */
#ifndef PROF_FOLD_SUMMARY_BURSTS_H
#define PROF_FOLD_SUMMARY_BURSTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/index_map.h"
#include "base/vec.h"

enum prof_summary_link_kind {                               /* as in the file */
                              PROF_SUMMARY_LINK_ALWAYS = 0, /* a function in state ALWAYS: events show it */
                              PROF_SUMMARY_LINK_BURST = 1,  /* a function or zone in another state */
                              PROF_SUMMARY_LINK_AROUND =
                                  2, /* a zone in whose code the function before it was inlined */
                              PROF_SUMMARY_LINK_OUTSIDE = 3, /* code without probes called all before it */
};
#define PROF_SUMMARY_LINK_KINDS 4u

struct prof_summary_chain { /* number n is item n - 1 */
  uint32_t around;          /* number; 0: none */
  uint32_t key;             /* index; of LINK_OUTSIDE 0 */
  uint8_t kind;
};

enum { PROF_SUMMARY_BY_EVENTS, PROF_SUMMARY_BY_COUNTS, PROF_SUMMARY_WINDOW_KINDS };
#define PROF_SUMMARY_COSTS 3 /* of an event: as assumed, lower, higher */

struct prof_summary_windows { /* of one kind */
  uint64_t count;
  double weight; /* ticks that all of them stand for */
  /* Not in the file: */
  uint64_t weighed; /* up to then windows stand for all time; 0: there were none */
};

struct prof_summary_window_thread {
  uint32_t thread; /* number */
  uint64_t events; /* in windows */
  double life;     /* ticks that it ran */
  /* By kind: weights of the windows in its life; of those that are used, of the part that it ran. */
  double met[PROF_SUMMARY_WINDOW_KINDS], ran[PROF_SUMMARY_WINDOW_KINDS];
  /* Not in the file: */
  uint64_t used_ns; /* CPU time */
  uint32_t process; /* number; 0: not known */
  bool over;        /* it has ended */
};

struct prof_summary_frame { /* of a function, loop or zone in a thread */
  uint32_t thread, key;
  double ran, events, off; /* ticks that the thread ran, and its events, in state BURST; ticks in state OFF */
  /* By kind, of windows in which it was on: weights; these times their lengths. */
  double on[PROF_SUMMARY_WINDOW_KINDS], on_ticks[PROF_SUMMARY_WINDOW_KINDS];
};

/* Callers of calls in windows; other ones are 3 more than the index of a key. */
enum { PROF_SUMMARY_CALLER_UNKNOWN = 0, PROF_SUMMARY_CALLER_ANY = 1, PROF_SUMMARY_CALLER_COUNTED = 2 };
#define PROF_SUMMARY_CALLERS 3u

struct prof_summary_rate {      /* sums over windows (estimate/burst/rate.h) */
  uint32_t thread, key, caller; /* PROF_SUMMARY_CALLER_ */
  uint64_t counted, iterations;
  double sums[PROF_SUMMARY_COSTS], squares, ran, spent, least;
  /* Callers of counted calls (estimate/burst/callers.h): those that were divided, and calls in windows with events
   * since. Of CALLER_ANY: calls that were counted since, and the number of windows with events. */
  double given, waiting;
};

struct prof_summary_place { /* calls that windows saw from one place */
  uint32_t key;             /* with its caller */
  double calls;
};

struct prof_summary_bursts {
  bool used;        /* functions were in bursts, or samples in stretches */
  uint64_t changes; /* of states */
  uint64_t pooled;  /* threads that were over, whose rows became those of another one of their process */
  struct prof_summary_windows windows[PROF_SUMMARY_WINDOW_KINDS];
  PROF_VEC(struct prof_summary_window_thread) threads;
  struct prof_index_map known_threads;
  PROF_VEC(struct prof_summary_frame) frames;
  struct prof_index_map known_frames;
  PROF_VEC(struct prof_summary_rate) rates;
  struct prof_index_map known_rates;
  PROF_VEC(struct prof_summary_place) places;
  struct prof_index_map known_places;
  PROF_VEC(struct prof_summary_chain) chains;
  struct prof_index_map known_chains;
};

void prof_summary_bursts_fini(struct prof_summary_bursts *); /* a zeroed one is fine */

/* What a row has is added to the one alike.  false: no memory. */
bool prof_summary_add_window_thread(struct prof_summary_bursts *, const struct prof_summary_window_thread *);
bool prof_summary_add_frame(struct prof_summary_bursts *, const struct prof_summary_frame *);
bool prof_summary_add_rate(struct prof_summary_bursts *, const struct prof_summary_rate *);
bool prof_summary_add_place(struct prof_summary_bursts *, struct prof_summary_place);
/* The number of a chain, which is added if need be.  0: no memory. */
uint32_t prof_summary_chain(struct prof_summary_bursts *, struct prof_summary_chain);

/* ---- burst_prune.c ---- */

uint64_t prof_summary_bursts_bytes(const struct prof_summary_bursts *); /* in memory */

#endif
