/*
 * tools/estimate/summarize.h - a trace into a summary (fold/summary): calls, samples, pauses.
 */
#ifndef PROF_ESTIMATE_SUMMARIZE_H
#define PROF_ESTIMATE_SUMMARIZE_H

#include "fold/summary/summary.h"

struct prof_stretch_span;

/*
 * Adds all of a trace.  stretch: which one of a longer recording it is (prof_fold_task), which the summary is of; NULL:
 * it is a whole recording; its used_ns is not read.  After a failure the summary is unusable.
 */
prof_status prof_summarize(const prof_trace *, const struct prof_stretch_span *stretch, struct prof_diag *,
                           struct prof_summary *) PROF_MUST_CHECK;

#endif
