/*
 * tools/analysis/cover.h - what do the figures cover, and what is missing?
 *
 * Job: the numbers above every view.  In: a profile.  Out: a struct of plain numbers.
 */
#ifndef PROF_ANALYSIS_COVER_H
#define PROF_ANALYSIS_COVER_H

#include "model/profile.h"

struct prof_cover {
  uint64_t events, calls;
  uint64_t hidden;             /* calls within those that a filter hides */
  uint32_t threads, processes; /* that were shown */
  uint64_t span_ns;            /* first to last event */
  uint64_t thread_ns;          /* sum over threads of the time inside probed functions */
  double call_cost_ns;         /* calibrated cost of one call's two events, still contained in the figures */
  double cost_ns;              /* of all calls, hidden ones too */
  double cost_share;           /* of thread_ns, 0 to 1; may pass 1 when the calibration is too high */
  double step_ns;              /* smallest step of the clock */
  uint64_t stalled_ns;         /* waited for the recorder; taken out of the figures */
  uint64_t lost, unmatched, skipped, inversions, torn, too_deep, frames_cut;
  uint64_t chunks_damaged, bytes_skipped;
  bool cut; /* the recording was not ended as it should */
};

void prof_cover_of(const struct prof_profile *, struct prof_cover *out);

#endif
