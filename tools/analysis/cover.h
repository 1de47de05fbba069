/*
 * tools/analysis/cover.h - what do the figures cover, and what is missing?
 *
 * Job: the numbers above every view.  In: a profile.  Out: a struct of plain numbers.
 */
#ifndef PROF_ANALYSIS_COVER_H
#define PROF_ANALYSIS_COVER_H

#include "estimate/samples.h"

struct prof_cover {
  uint64_t events, calls;
  uint64_t hidden;             /* calls inside of `calls` that a filter hides */
  uint32_t threads, processes; /* shown ones */
  uint64_t span_ns;            /* first to last event */
  uint64_t thread_ns;          /* sum over threads of the time inside instrumented functions */
  bool has_switches;           /* scheduler switches were recorded: the parts of thread_ns are known */
  bool sparse_switches;        /* ... but for some time in stretches only: they are estimated */
  struct prof_time_ns time;    /* thread_ns and its parts */
  uint64_t open_ns; /* self time, of the kind shown, of frames open at a fork or at prof_start(), which are no calls */
  uint64_t spun_ns; /* part of time.waiting: spinning at OpenMP's barriers */
  enum prof_time_kind shown;               /* the view's kind of time */
  uint64_t measured_ns;                    /* thread_ns + taken_ns: as measured */
  uint32_t corrected_threads;              /* of `threads`: probe overhead is removed from their times */
  uint32_t sampled_threads, light_threads; /* of `threads`: their times come from samples */
  uint64_t shadow_ns;                      /* in times from samples: work that no sample met, spread over events */
  uint64_t taken_ns;                       /* probe overhead removed, all threads together */
  uint64_t error_ns;                       /* uncertainty of thread_ns because of probes */
  uint64_t low_ns, high_ns;                /* thread_ns minus and plus error_ns, within the running time as measured */
  uint64_t corrected_taken_ns, corrected_error_ns; /* of both, the part of corrected threads */
  double call_taken_ns;                            /* removed per call (two events) in corrected threads */
  double call_cost_ns;     /* calibrated cost of a call, an upper bound; included in uncorrected times */
  uint64_t readings;       /* of the clock for lines (lines=time), in times as measured */
  double reading_taken_ns; /* removed per reading in corrected threads */
  double reading_cost_ns;  /* upper bound of a reading's cost */
  bool has_loops;          /* entries of loops cost as much as calls, and are in these sums */
  double cost_ns;          /* of all calls, also hidden ones, of entries of loops, and of readings */
  double cost_share;       /* of the time as measured; above 1 when the calibration is too high */
  double step_ns;          /* smallest step of the clock */
  uint64_t stalled_ns;     /* waited for the recorder; in no figure */
  uint64_t lost, unmatched, skipped, inversions, torn, too_deep, frames_cut, folded_paths, folded_calls, folded_ns;
  uint32_t few_threads, loose_threads; /* uncorrected threads: with too few samples; with sparse-clock intervals */
  uint64_t unplaced_waits, unplaced_wait_ns; /* waits attributed to a caller of the unknown call that waited */
  uint64_t untimed_calls; /* of rows with durations: without one: in sparse-clock intervals, or cut */
  uint64_t chunks_damaged, bytes_skipped;
  /* Shares of CPU time by samples, 0 to 1; all 0 without samples.  Samples in the profiler are left out. */
  uint64_t samples;
  double probed_share, library_share, kernel_share, unknown_share;
  bool kernel_by_accounts; /* no samples in the kernel: kernel_share comes from the system's accounts */
  uint64_t line_samples;   /* samples behind the self times of lines; 0: none */
  double line_share;       /* of running time, that these stand for; 0: not known, or from samples of two rates */
  bool cut;                /* the recording did not end normally */
  bool has_budget;         /* some functions were recorded in bursts: the next three count */
  uint32_t functions_shown, burst_functions, unknown_functions, unseen_functions;
  uint32_t zones_shown, burst_zones, unknown_zones;
  bool any_estimated;                /* some figure of a function or zone shown is an estimate */
  uint64_t windows, windows_damaged; /* short times in which calls of these functions were counted */
};

/* All threads shown have times without probe overhead: corrected, or from samples. */
static inline bool prof_cover_is_corrected(const struct prof_cover *cover) {
  return cover->threads > 0 && cover->corrected_threads + cover->sampled_threads == cover->threads;
}

void prof_cover_of(const struct prof_profile *, enum prof_time_kind shown, struct prof_cover *out);
/* Adds the shares of CPU time; everything: no filter hides a part of the program. */
void prof_cover_add_samples(struct prof_cover *, const struct prof_profile *, const struct prof_samples *,
                            bool everything);
/* Sets line_samples and line_share; samples may be NULL. */
void prof_cover_add_lines(struct prof_cover *, const struct prof_samples *, uint64_t line_samples);
/* Are there many threads too short for their samples?  A thread's first one comes after a whole period, so such threads
 * have fewer than their time is worth. */
bool prof_cover_lacks_samples(const struct prof_cover *);

#endif
