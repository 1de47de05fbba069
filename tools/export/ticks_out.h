/*
 * tools/export/ticks_out.h - converts ticks to nanoseconds and keeps the sum.
 */
#ifndef PROF_EXPORT_TICKS_OUT_H
#define PROF_EXPORT_TICKS_OUT_H

#include <stdint.h>

#include "proftrace.h"

/* Rounds the running sum instead of each part, so that the parts' nanoseconds add up to the rounded total. */
struct prof_ticks_out {
  const prof_trace *trace;
  uint64_t ticks, ns;
};

static inline uint64_t prof_ticks_out_ns(struct prof_ticks_out *out, uint64_t ticks) {
  uint64_t before = out->ns;
  out->ticks += ticks;
  out->ns = prof_trace_ns(out->trace, out->ticks);
  return out->ns - before;
}

#endif
