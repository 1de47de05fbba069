/*
 * tools/estimate/profile.h - what a profile is: the calling context tree and figures per function.
 *
 * profile_build.h and samples_fold.h make one.  Immutable once built; indices instead of pointers; all times in ticks,
 * stalls removed.  Nodes stand in depth-first order, siblings by function index and place: the same for any number of
 * workers.  Node 0 is the root of all; its children are one node per thread (function PROF_NONE).
 *
 * Loops are part of their functions, unless they are asked for: then they are nodes with numbers behind those of
 * functions (names/loop_frames.h), and a function's self time lies outside of its loops.
 */
#ifndef PROF_ESTIMATE_PROFILE_H
#define PROF_ESTIMATE_PROFILE_H

#include "base/stop.h"
#include "estimate/time_kind.h"
#include "fold/call_places.h"
#include "fold/filter.h"
#include "fold/histogram.h"
#include "fold/loops.h"
#include "proftrace.h"

struct prof_node {
  uint32_t parent;       /* PROF_NONE for node 0 */
  uint32_t first_child;  /* PROF_NONE: none */
  uint32_t next_sibling; /* PROF_NONE: last */
  uint32_t function;     /* index, of a loop its number; PROF_NONE for node 0, thread nodes and unknown sites */
  uint32_t thread;       /* index; PROF_NONE for node 0 */
  uint32_t place;        /* index of the place that called it; PROF_NONE where calls are not distinguished by place */
  uint64_t calls;
  uint64_t total_ticks; /* inclusive; thread nodes: sum of their children */
  uint64_t self_ticks;  /* total less the children's totals, not below 0; 0 for node 0 and thread nodes */
  struct prof_off_ticks off, self_off; /* of total_ticks, of self_ticks: the thread did not run */
  uint64_t taken_ticks;                /* probe overhead that was removed from total_ticks (correct.h) */
  uint64_t error_ticks;                /* uncertainty of total_ticks because of probes */
  uint64_t own_events;                 /* events whose cost lies in self_ticks as measured */
  double own_readings;                 /* of the clock for lines; their cost lies there too (line_readings.h) */
  float open_share;                    /* part of total_ticks in frames that were open at the fork, and are no calls */
  bool forker;  /* of the thread that forked the calls below: no call here, and only their time */
  bool cold;    /* the sum of subtrees that were too cold to be kept: calls and times of several functions */
  bool sampled; /* times are from samples: the squares of such nodes' errors add up */
};

/* Its calls' part of total_ticks. */
static inline uint64_t prof_node_called_ticks(const struct prof_node *node) {
  double called = 1 - (double)node->open_share;
  return node->open_share == 0 ? node->total_ticks : (uint64_t)((double)node->total_ticks * called + 0.5);
}

struct prof_function_figures { /* over all threads shown */
  uint64_t calls;
  uint64_t total_ticks; /* recursion counted once */
  uint64_t self_ticks;
  struct prof_off_ticks off, self_off; /* of total_ticks, of self_ticks */
  uint64_t error_ticks;                /* of total_ticks, as of a node's */
  uint64_t sum_ticks;                  /* of the durations of all calls; recursion counted each time */
  uint64_t taken_ticks;                /* probe overhead that was removed from sum_ticks */
  uint64_t min_ticks, max_ticks;       /* of one call, inclusive, as in prof_call_times; 0 when no duration is known */
  /* Durations of calls, inclusive, less the known cost of their probes (fold/core.h); NULL: it is in no path.  Calls in
     sparse-clock intervals, or cut while recording went on, are left out, so it may be empty.  Self times leave out
     calls across an edge of chunks, too.
   */
  const struct prof_histogram *durations, *self_durations;
};

/* Whether it was called, or was open at the fork of a process. */
static inline bool prof_figures_are_shown(const struct prof_function_figures *figures) {
  return figures->durations != NULL;
}

/* Whether a call's duration is known. */
static inline bool prof_figures_have_durations(const struct prof_function_figures *figures) {
  return figures->durations && !prof_histogram_is_empty(figures->durations);
}

/* Whether min_ticks and max_ticks are known: of a single call, which may have been cut, they are the sum. */
static inline bool prof_figures_have_extremes(const struct prof_function_figures *figures) {
  return figures->calls == 1 || (figures->calls > 0 && prof_figures_have_durations(figures));
}

/*
 * Times of one call.  Min and max are durations; the sum behind the mean may come from samples, and covers calls
 * without a duration.  So that a row does not contradict itself, the mean bounds min and max, and of a single call all
 * are equal.
 */
struct prof_call_times {
  uint64_t min, mean, max;
};

/* All in ticks, or all in ns.  min, max: of durations; unused for a single call.  calls: not 0. */
static inline struct prof_call_times prof_call_times_of(uint64_t min, uint64_t max, uint64_t sum, uint64_t calls) {
  uint64_t mean = (sum + calls / 2) / calls;
  bool alone = calls == 1;
  return (struct prof_call_times){alone || min > mean ? mean : min, mean, alone || max < mean ? mean : max};
}

struct prof_cold_figures { /* of a function's calls in nodes that are `cold` */
  uint64_t calls, total_ticks, sum_ticks;
  int64_t self_ticks; /* below 0: corrects nodes that were kept, whose callees are here */
  struct prof_off_ticks off, self_off;
};

/* A sum of self times with those of cold paths, not below 0. */
static inline uint64_t prof_cold_self(uint64_t self_ticks, int64_t cold_ticks) {
  return cold_ticks < 0 && (uint64_t)-cold_ticks > self_ticks ? 0 : self_ticks + (uint64_t)cold_ticks;
}

/* A node's inclusive time, and its own, of a kind. */
static inline uint64_t prof_node_total(const struct prof_node *node, enum prof_time_kind kind) {
  return prof_time_part(kind, node->total_ticks, &node->off);
}

static inline uint64_t prof_node_self(const struct prof_node *node, enum prof_time_kind kind) {
  return prof_time_part(kind, node->self_ticks, &node->self_off);
}

struct prof_coverage { /* what the figures cover */
  uint64_t events, calls;
  uint64_t hidden; /* calls that the filter hides: their time is their caller's self time */
  uint64_t lost, unmatched, skipped, inversions, torn;
  uint64_t stalled_ticks;
  uint64_t chunks, chunks_damaged;
  uint64_t frames_cut;                 /* calls without a known begin or end: counted with the known part */
  uint64_t folded_paths;               /* too cold to be kept (prof_fold_options): part of nodes that are `cold` */
  uint64_t folded_calls, folded_ticks; /* of these nodes */
  uint64_t too_deep;                   /* calls beyond 65,536 levels: their time is their caller's self time */
  uint64_t span_ticks;                 /* first to last event shown */
  uint64_t thread_ticks;               /* sum over threads of the total of their outermost frames */
  struct prof_off_ticks off;           /* of it */
  uint64_t spun_ticks;                 /* of off.waiting: by samples, of threads that waited in a loop (spin_waits.h) */
  bool has_switches;                   /* waits are known (measured_pauses.h), and placed: `off` is known */
  bool sparse_switches;                /* ... from switches that were recorded in stretches only: `off` is estimated */
  double event_cost_ticks;             /* the most that an event costs; calibrated, mean over processes by events */
  double event_taken_ticks;            /* what is removed for an event, where something is; likewise */
  uint32_t sampled_threads;            /* with times from samples (correct_sampled.h) */
  uint32_t light_threads;  /* of them, with times from samples in sparse-clock intervals (light_samples.h) */
  uint32_t few_threads;    /* as measured, though dense: they have too few samples */
  uint32_t loose_threads;  /* as measured, also in sparse-clock intervals, where a time may belong to the next call */
  uint64_t unplaced_waits; /* in sparse-clock intervals: attributed to a call around the one that waited */
  uint64_t unplaced_ticks; /* all of them */
  uint64_t shadow_ticks;   /* of sampled times: work that no sample saw, as far as it is known */
  uint32_t threads, corrected_threads; /* shown; of them, those that probe overhead was removed from */
  uint64_t taken_ticks;                /* of all of them together */
  double readings;                     /* of the clock for lines, in the times as measured (line_readings.h) */
  double reading_cost_ticks;           /* the most that one costs, and what is removed for one; means */
  double reading_taken_ticks;
  uint64_t error_ticks;       /* of thread_ticks */
  uint32_t functions_shown;   /* in a recording with a budget */
  uint32_t burst_functions;   /* of them, some calls are estimated */
  uint32_t unknown_functions; /* of those, some calls are in no figure: no window tells how many */
  uint32_t zones_shown, burst_zones, unknown_zones; /* the same of zones */
  uint32_t unseen_functions; /* not shown: neither a window nor a sample saw them, and they may have run */
  uint64_t windows;          /* that the estimates come from */
  uint64_t windows_damaged;  /* chunks of them */
};

/* What is estimated of a node or function, in a recording with a budget.  Figures without their bit are exact. */
#define PROF_ESTIMATED_CALLS 1u
#define PROF_ESTIMATED_SELF 2u
#define PROF_ESTIMATED_TOTAL 4u
#define PROF_ESTIMATED_UNKNOWN 8u /* some calls were counted nowhere: `calls` are the others */

struct prof_estimated {                        /* 95% intervals */
  uint8_t what;                                /* PROF_ESTIMATED_ */
  uint64_t calls_low, calls_high;              /* bounds; of an exact figure both are it */
  uint64_t self_below_ticks, self_above_ticks; /* from the self time to its bounds; 0, 0: exact.  A function's are of
                                                  its loops' time too */
};

/* Of a loop that was not always recorded: what windows tell of the rest of the time. */
struct prof_estimated_loop {
  bool in_bursts;
  bool unknown; /* no window tells about most of the time: entries and iterations are those that are events */
  uint64_t entries, iterations;
  double entries_below2, entries_above2; /* squares of the distances to the bounds of the 95% interval */
  bool timed; /* its own running time is estimated, also of a loop that was always recorded around one that wasn't */
  uint64_t self_ticks, self_below_ticks, self_above_ticks; /* if so; from it to the bounds of its interval */
};

/* Of the estimated calls of a function from another, the part that one place made. */
struct prof_estimated_place {
  uint32_t function, caller; /* indices */
  uint32_t place;            /* index */
  double share;              /* of these calls, 0 to 1 */
};

struct prof_profile {
  const prof_trace *trace;
  const struct prof_node *nodes;
  uint32_t node_count;
  const struct prof_function_figures *functions; /* of the trace's functions, then of unknown sites */
  size_t function_count;                         /* with the unknown one: at least 1 */
  const struct prof_function_figures *loops;     /* of the trace's loops; calls: entries; NULL: not asked for */
  const struct prof_loop_values *loop_values;    /* likewise */
  const struct prof_histogram_pool *histograms;  /* where `durations` count */
  const struct prof_cold_figures *cold;          /* by number of function or loop; NULL: all paths were kept */
  const struct prof_cold_figures *cold_places;   /* by place, without self times; NULL likewise */
  const struct prof_call_place *places;          /* by function, module and address; NULL: not distinguished */
  uint32_t place_count;
  const struct prof_estimated_place *estimated_places; /* by function and caller; NULL: as `places`, or no budget */
  size_t estimated_place_count;
  const struct prof_estimated *estimated_nodes;      /* by node; NULL: the recording has no budget */
  const struct prof_estimated *estimated_functions;  /* by function, and by loop as `functions`; NULL likewise */
  const struct prof_estimated_loop *estimated_loops; /* by loop; NULL: as `loops`, or no loop was in bursts */
  struct prof_coverage coverage;
};

struct prof_event_cost { /* of one event in a thread, by its samples */
  double ticks;          /* 0: not known */
  double off_ticks;      /* its uncertainty by chance */
};

struct prof_fold_marks;
struct prof_fold_options {
  unsigned workers;              /* 0: one per core */
  _Atomic uint64_t *done;        /* grows by the events of each chunk while they are folded; may be NULL */
  struct prof_fold_marks *marks; /* gets its nodes; may be NULL; see samples.h */
  bool loops;                    /* they are nodes; if the filter asks for loops, levels for it too */
  bool raw; /* probe overhead stays in all times; else it is removed where that is honest (correct.h) */
  const struct prof_event_cost *event_costs; /* by thread; NULL: as calibrated */
  uint64_t max_bytes; /* that the profile may take; 0: any number.  Beyond, the coldest paths become one node each */
  const struct prof_stop *stop; /* ends the fold, with PROF_STOPPED; NULL: nobody does */
  bool places;                  /* one node per path of places: calls of a function from two lines are two nodes */
};

#endif
