/*
 * tools/estimate/correct_sampled.h - self times from samples, for threads that are more probe than program.
 *
 * Job: estimates self times where removing the probe overhead from measured times would not be honest
 * (estimate/correct.h).  A call path's self time becomes the sum of four parts: the number of its samples outside of
 * probes times what a sample stands for, its part of the work that no sample saw, what it waited, and what it was
 * preempted.  Inclusive times are the sums of these.  In: a profile just folded and its samples.  Called by
 * prof_samples_fold only.
 *
 * Work that no sample saw: a processor goes on while it reads the clock, so that what follows a probe has often been
 * done by the time a sample could see it.  Its sum is known: what the thread ran, less the most that its events cost,
 * less what samples saw.  Which function did it is not known (docs/benchmarks.md), so each event is assigned the same,
 * at most prof_correction_hides.  A thread with enough samples in light slices (light_samples.h) needs none
 * of it: the probes hardly read the clock there.
 */
#ifndef PROF_ESTIMATE_CORRECT_SAMPLED_H
#define PROF_ESTIMATE_CORRECT_SAMPLED_H

#include "estimate/correct.h"
#include "estimate/profile.h"
#include "estimate/samples.h"

/* Do a thread's self times come from samples, at least in part, if it has enough of them? */
bool prof_correct_wants_samples(const struct prof_correction *);
bool prof_correct_thread_wants_samples(const prof_trace *, uint32_t thread);

/* Of the time of threads, outside of probes and of waits for the recorder: what shares of samples are shares of. */
static inline bool prof_sample_counts(const struct prof_profile *profile, const struct prof_sample *sample) {
  return prof_sample_is_counted(sample) && sample->node != PROF_NONE && profile->nodes[sample->node].parent != 0;
}

/* Counts threads whose times are as measured, where they would be from samples if there were enough, or have light
   slices.  The range is the filter's; NULL: everything. */
void prof_correct_count_measured(struct prof_profile *, const struct prof_filter *, bool raw);

/* knows_shadow: what no sample saw is known of each thread, by all of its calls; else it is found, and stored there. */
prof_status prof_correct_by_samples(struct prof_profile *, struct prof_samples *, bool knows_shadow,
                                    struct prof_diag *) PROF_MUST_CHECK;

#endif
