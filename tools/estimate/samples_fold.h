/*
 * tools/estimate/samples_fold.h - makes a profile of a trace, and places its samples and pauses in it.
 *
 * Job: the samples' addresses become places in modules, and the fold (fold/marks.h) finds each one's node, and each
 * pause's.  The weight of a sample, and which call waited, are found over all calls of the threads and the time that
 * the filter shows, whatever calls it hides: a function has the same time under any filter.
 */
#ifndef PROF_ESTIMATE_SAMPLES_FOLD_H
#define PROF_ESTIMATE_SAMPLES_FOLD_H

#include "estimate/profile_build.h"
#include "estimate/samples.h"

/*
 * Folds the trace as prof_profile_fold does, and places its samples and pauses; dense threads get their times from
 * samples, unless `raw` is set (correct_sampled.h).  Samples of threads or times that the filter hides are left out.  A
 * recording without samples gives an empty object.  PROF_EMPTY: no calls were left, and neither is made.
 */
prof_status prof_samples_fold(const prof_trace *, const struct prof_filter *, const struct prof_fold_options *,
                              struct prof_diag *, struct prof_profile **, struct prof_samples **) PROF_MUST_CHECK;

#endif
