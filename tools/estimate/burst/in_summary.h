/*
 * tools/estimate/burst/in_summary.h - functions in bursts in a recording that keeps no events.
 *
 * Job: sums of a stretch (sums.h) and chains of samples (chains.h) into a summary, and those of all stretches out of
 * it.  So both kinds of recording have the same estimates, by the same code.
 */
#ifndef PROF_ESTIMATE_BURST_IN_SUMMARY_H
#define PROF_ESTIMATE_BURST_IN_SUMMARY_H

#include "estimate/burst/chains.h"
#include "estimate/burst/sums.h"
#include "fold/summary/summary.h"

struct prof_bursts_keeping { /* of one stretch */
  const prof_trace *trace;
  struct prof_summary *summary;
  uint32_t *keys;   /* by frame number: index; UINT32_MAX: not looked up yet */
  uint32_t *chains; /* by number in the stretch's chains: in the summary's */
};

/* false, here and below: no memory, and the summary is unusable.  fini it all the same. */
bool prof_bursts_keep_begin(struct prof_bursts_keeping *, const prof_trace *, struct prof_summary *) PROF_MUST_CHECK;
/* Moves out of the summary what stretches before left to be settled; it comes back with the sums.  fini it. */
bool prof_bursts_keep_resume(struct prof_bursts_keeping *, struct prof_burst_callers *) PROF_MUST_CHECK;
bool prof_bursts_keep_sums(struct prof_bursts_keeping *, const struct prof_burst_sums *) PROF_MUST_CHECK;
/* Fills `chains`. */
bool prof_bursts_keep_chains(struct prof_bursts_keeping *, const struct prof_burst_chains *) PROF_MUST_CHECK;
void prof_bursts_keep_fini(struct prof_bursts_keeping *);

/* From the summary of the paths' trace.  fini both whatever comes. */
prof_status prof_bursts_load(const struct prof_burst_paths *, struct prof_burst_sums *, struct prof_burst_chains *,
                             struct prof_diag *) PROF_MUST_CHECK;

#endif
