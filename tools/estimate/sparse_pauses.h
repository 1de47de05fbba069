/*
 * tools/estimate/sparse_pauses.h - pauses where switches were recorded in short stretches only.
 *
 * In: the switches, the stretches, samples.  Out: pauses within the stretches, each for as many times its length as
 * its stretch stands for.  Where a stretch begins, a thread's state is not known from switches: if it is put on a
 * processor next, it was off; if nothing happens to it, it ran if a sample shows it, as samples come fast there.
 * Without samples it ran if it runs more than half of its life.
 * How long a thread ran in all is known from its CPU time: what stretches stand for is changed so that it fits.  Of a
 * range that is not known: there they stand for the range.
 */
#ifndef PROF_ESTIMATE_SPARSE_PAUSES_H
#define PROF_ESTIMATE_SPARSE_PAUSES_H

#include "estimate/join_pauses.h"
#include "estimate/stretch_span.h"
#include "estimate/switch_spans.h"

#define PROF_SPARSE_TIMES_LEAST 1.0000001 /* more than 1: it remains a pause of a stretch */

struct prof_sparse_task {
  const prof_trace *trace;
  const struct prof_filter *filter;        /* NULL: everything is shown */
  const struct prof_stretch_span *stretch; /* NULL: the trace is a whole recording */
  const struct prof_switch_spans *spans;
  const struct prof_sample *samples; /* by thread and time */
  size_t sample_count;
  const struct prof_pause *switches; /* as prof_pauses_join takes them */
  size_t switch_count;
};

/* Pauses by thread and time, cut to the filter's range.  false: no memory. */
bool prof_sparse_pauses_find(const struct prof_sparse_task *, struct prof_pause_list *out);

#endif
