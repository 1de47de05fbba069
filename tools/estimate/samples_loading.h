/*
 * tools/estimate/samples_loading.h - samples and pauses while they are loaded, from chunks or from a summary.
 */
#ifndef PROF_ESTIMATE_SAMPLES_LOADING_H
#define PROF_ESTIMATE_SAMPLES_LOADING_H

#include "base/vec.h"
#include "estimate/code_functions.h"
#include "estimate/correct_sampled.h"
#include "estimate/measured_pauses.h"
#include "estimate/sample_modules.h"
#include "estimate/sample_rates.h"
#include "estimate/samples.h"
#include "estimate/stretch_span.h"
#include "fold/filter.h"

struct prof_samples_owned { /* samples and what their const pointers point to */
  struct prof_samples samples;
  PROF_VEC(struct prof_sample) items;
  struct prof_pause_list pauses;
  struct prof_light_samples *light; /* by thread */
};

struct prof_samples_loading {
  const prof_trace *trace;
  const struct prof_stretch_span *stretch; /* NULL: the trace is a whole recording */
  const struct prof_filter *filter;        /* NULL: everything is shown */
  struct prof_samples_owned *owned;
  struct prof_sample_module *modules;
  const struct prof_code_functions *code; /* NULL: the samples' functions are not needed */
  struct in_probes {
    uint64_t probes, all;
  } * ordinary; /* by thread: samples, whatever the filter shows */
  struct prof_sample_rates rates;
  bool all_threads; /* are shown */
};

#endif
