/*
 * tools/estimate/switch_spans.h - when scheduler switches were recorded, and what those times stand for.
 *
 * In: RATES of a trace.  Out: spans in which switches are complete.  Where threads are switched so often that even
 * the records cost too much, spans are short stretches, at random times: then each stands for the time around it.
 *
 *    all switches | none | stretch | none | stretch | none | all switches
 *    span, 1 time          span, N times             ...     span, 1 time
 *
 * In every other stretch samples are taken; in the others windows are opened (burst/windows.h).
 */
#ifndef PROF_ESTIMATE_SWITCH_SPANS_H
#define PROF_ESTIMATE_SWITCH_SPANS_H

#include "estimate/stretch_parts.h"
#include "proftrace.h"

struct prof_switch_span {
  uint64_t begin, end; /* ticks; end UINT64_MAX: the recording's */
  double times;        /* 1, or what a stretch stands for */
  bool is_sampled;     /* of a stretch: samples come fast in it */
};

struct prof_switch_spans {
  PROF_VEC(struct prof_switch_span) items; /* by time, apart; without missing switches it is one, from 0 on */
  bool sparse;                             /* switches are missing between some */
};

/* false: no memory.  Free it in any case. */
bool prof_switch_spans_init(struct prof_switch_spans *, const prof_trace *);
void prof_switch_spans_fini(struct prof_switch_spans *);

/* Whether switches are missing for some time. */
bool prof_switches_are_sparse(const prof_trace *);

#endif
