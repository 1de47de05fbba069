/*
 * tools/estimate/samples_load.h - a trace's samples and pauses, sorted by thread and time.
 *
 * Job: from chunks to arrays, for samples_fold.c alone.  Samples know their places in modules; nodes and weights come
 * later.  What the filter's threads and times hide is left out.
 */
#ifndef PROF_ESTIMATE_SAMPLES_LOAD_H
#define PROF_ESTIMATE_SAMPLES_LOAD_H

#include "base/vec.h"
#include "estimate/code_functions.h"
#include "estimate/correct_sampled.h"
#include "estimate/measured_pauses.h"
#include "estimate/sample_modules.h"
#include "estimate/sample_rates.h"
#include "estimate/samples.h"
#include "fold/filter.h"

struct prof_samples_owned { /* samples and what their const pointers point to */
  struct prof_samples samples;
  PROF_VEC(struct prof_sample) items;
  struct prof_pause_list pauses;
  struct prof_light_samples *light; /* by thread */
};

struct prof_samples_loading {
  const prof_trace *trace;
  const struct prof_filter *filter; /* NULL: everything is shown */
  struct prof_samples_owned *owned;
  struct prof_sample_module *modules;
  const struct prof_code_functions *code; /* NULL: the samples' functions are not needed */
  struct in_probes {
    uint64_t probes, all;
  } * ordinary; /* by thread: samples, whatever the filter shows */
  struct prof_sample_rates rates;
  bool all_threads; /* are shown */
};

/* `loading` has trace and filter; end it in any case. */
prof_status prof_samples_load(struct prof_samples_loading *, struct prof_diag *) PROF_MUST_CHECK;
/* Frees all but `owned`, which prof_samples_free does. */
void prof_samples_load_end(struct prof_samples_loading *);

/* The cost of each thread's events, by samples; the caller frees it.  NULL: no memory. */
struct prof_event_cost *prof_samples_event_costs(const struct prof_samples_loading *);

/* Whether any thread has sparse-clock intervals. */
bool prof_samples_have_light_slices(const prof_trace *);

#endif
