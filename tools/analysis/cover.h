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
  uint64_t hidden;             /* calls within those that a filter hides */
  uint32_t threads, processes; /* that were shown */
  uint64_t span_ns;            /* first to last event */
  uint64_t thread_ns;          /* sum over threads of the time inside probed functions */
  bool has_switches;           /* scheduler switches were recorded: the parts of thread_ns are known */
  struct prof_time_ns time;    /* thread_ns and its parts */
  uint64_t open_ns; /* own time, of the kind shown, of frames open at a fork or at prof_start(), which are no calls */
  uint64_t spun_ns; /* of time.waiting: in a loop, at OpenMP's barriers */
  enum prof_time_kind shown;               /* what the view is about */
  uint64_t measured_ns;                    /* thread_ns and taken_ns: as measured, with the probes */
  uint32_t corrected_threads;              /* of `threads`: the probes' cost was taken out of their times */
  uint32_t sampled_threads, light_threads; /* of `threads`: their times come from samples */
  uint64_t shadow_ns;                      /* in times from samples: work that no sample saw, spread over events */
  uint64_t taken_ns;                       /* that was taken out, of all of them together */
  uint64_t error_ns;                       /* uncertainty of thread_ns because of probes */
  uint64_t low_ns, high_ns;                /* thread_ns less and more by that, not beyond what ran, as measured */
  uint64_t corrected_taken_ns, corrected_error_ns; /* of both, the part of threads without times from samples */
  double call_taken_ns;                            /* what is taken out for one call's two events, where it is */
  double call_cost_ns;     /* the most that they cost, as calibrated; in the figures where nothing was taken out */
  uint64_t readings;       /* of the clock for lines (lines=time), in the times as measured */
  double reading_taken_ns; /* what is taken out for one, where it is */
  double reading_cost_ns;  /* the most that one costs */
  bool has_loops;          /* entries of loops cost as much as calls, and are in these sums */
  double cost_ns;          /* of all calls, hidden ones too, of entries of loops, and of readings */
  double cost_share;       /* of the time as measured, 0 to 1; may pass 1 when the calibration is too high */
  double step_ns;          /* smallest step of the clock */
  uint64_t stalled_ns;     /* waited for the recorder; taken out of the figures */
  uint64_t lost, unmatched, skipped, inversions, torn, too_deep, frames_cut, folded_paths, folded_calls, folded_ns;
  uint32_t few_threads, loose_threads;       /* as measured: for want of samples; with light slices in them */
  uint64_t unplaced_waits, unplaced_wait_ns; /* waits that stand in a call around the one that had them, not known */
  uint64_t untimed_calls; /* of `calls` in rows with durations: have none, as they began or ended in light slices */
  uint64_t chunks_damaged, bytes_skipped;
  /* Shares of processor time by samples, 0 to 1; all 0 where there are none.  Samples in the profiler are left out. */
  uint64_t samples;
  double probed_share, library_share, kernel_share, unknown_share;
  bool kernel_by_accounts; /* samples in the kernel were not to be had: kernel_share is what the system accounts say */
  uint64_t line_samples;   /* self times of lines come from so many; 0: none do */
  bool cut;                /* the recording was not ended as it should */
};

/* Every thread shown has times without the probes' cost: it was taken out, or they come from samples. */
static inline bool prof_cover_is_corrected(const struct prof_cover *cover) {
  return cover->threads > 0 && cover->corrected_threads + cover->sampled_threads == cover->threads;
}

void prof_cover_of(const struct prof_profile *, enum prof_time_kind shown, struct prof_cover *out);
/* Adds where the processor's time went; everything: no filter hides a part of the program. */
void prof_cover_add_samples(struct prof_cover *, const struct prof_profile *, const struct prof_samples *,
                            bool everything);

#endif
