/*
 * tools/estimate/samples_load.h - a trace's samples and pauses, sorted by thread and time.
 *
 * Job: from chunks to arrays, for samples_fold.c alone.  Samples know their places in modules; nodes and weights come
 * later.  What the filter's threads and times hide is left out.
 */
#ifndef PROF_ESTIMATE_SAMPLES_LOAD_H
#define PROF_ESTIMATE_SAMPLES_LOAD_H

#include "estimate/samples_loading.h"

/* `loading` has trace and filter; end it in any case. */
prof_status prof_samples_load(struct prof_samples_loading *, struct prof_diag *) PROF_MUST_CHECK;
/* Frees all but `owned`, which prof_samples_free does. */
void prof_samples_load_end(struct prof_samples_loading *);

/* The cost of each thread's events, by samples; the caller frees it.  NULL: no memory. */
struct prof_event_cost *prof_samples_event_costs(const struct prof_samples_loading *);

/* Probes are calibrated in generated code before the process begins to record: the program does not run then. */
bool prof_sample_is_calibrating(const struct prof_samples_loading *, const struct prof_sample *);

/* Whether any thread has sparse-clock intervals. */
bool prof_samples_have_light_slices(const prof_trace *);

#endif
