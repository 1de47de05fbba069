/*
 * tools/estimate/stretch_span.h - which part of a recording a trace is, where one is summed up stretch by stretch.
 */
#ifndef PROF_ESTIMATE_STRETCH_SPAN_H
#define PROF_ESTIMATE_STRETCH_SPAN_H

#include <stdint.h>

struct prof_summary;

struct prof_stretch_span {
  uint64_t begin, end;        /* ticks; 0: the recording's begin; UINT64_MAX: its end */
  const uint64_t *used_ns;    /* by thread: CPU time before; NULL: none */
  struct prof_summary *waits; /* whose `waits` go on at its begin, and get those that do at its end; NULL: none */
};

#endif
