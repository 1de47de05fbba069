/*
 * tools/estimate/summarize.h - a trace into a summary (fold/summary): calls, samples, pauses.
 */
#ifndef PROF_ESTIMATE_SUMMARIZE_H
#define PROF_ESTIMATE_SUMMARIZE_H

#include "fold/summary/summary.h"

/*
 * Adds all of a trace.  is_stretch: it is a stretch of a longer recording (prof_fold_task), which the summary is of.
 * After a failure the summary is unusable.
 */
prof_status prof_summarize(const prof_trace *, bool is_stretch, struct prof_diag *,
                           struct prof_summary *) PROF_MUST_CHECK;

#endif
