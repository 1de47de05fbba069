/*
 * tools/estimate/correct_sampled.h - self times from samples, for threads that spend much of their time in probes.
 *
 * Job: estimates self times where removing the probe overhead would not be honest (estimate/correct.h).  A node's self
 * time is then the sum of four parts: the weights of its samples outside of probes, its part of the work that no sample
 * saw, its waiting time, and its preempted time.  Totals are the sums of these.  In: a profile and its samples.  Called
 * by prof_samples_fold only.
 *
 * Work that no sample saw: the processor goes on with the program while it reads the clock, and has often done the work
 * behind a probe before a sample can see it.  The sum of that work is known: the thread's running time, less the most
 * that its events cost, less what samples saw.  Which function did it is not known (docs/benchmarks.md), so each event
 * is assigned the same part, at most prof_correction_hides.  A thread with enough samples in sparse-clock intervals
 * (light_samples.h) needs none of this: its probes hardly read the clock there.
 */
#ifndef PROF_ESTIMATE_CORRECT_SAMPLED_H
#define PROF_ESTIMATE_CORRECT_SAMPLED_H

#include "estimate/correct.h"
#include "estimate/profile.h"
#include "estimate/samples.h"

/* Whether a thread's self times come from samples, at least in part, if it has enough of them. */
bool prof_correct_wants_samples(const struct prof_correction *);
bool prof_correct_thread_wants_samples(const prof_trace *, uint32_t thread);

/* Whether shares are shares of it and its like: samples in frames, outside of probes, stalls and spinning. */
static inline bool prof_sample_counts(const struct prof_profile *profile, const struct prof_sample *sample) {
  return prof_sample_is_counted(sample) && sample->node != PROF_NONE && profile->nodes[sample->node].parent != 0;
}

/* Counts the threads with times as measured that lack samples, and those that have sparse-clock intervals in the
   filter's range. filter: NULL: everything. */
void prof_correct_count_measured(struct prof_profile *, const struct prof_filter *, bool raw);

/* knows_shadow: samples->light has the work that no sample saw, found over all calls; else it is found and stored. */
prof_status prof_correct_by_samples(struct prof_profile *, struct prof_samples *, bool knows_shadow,
                                    struct prof_diag *) PROF_MUST_CHECK;

#endif
