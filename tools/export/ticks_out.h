/*
 * tools/export/ticks_out.h - converts ticks to nanoseconds and keeps the sum.
 */
#ifndef PROF_EXPORT_TICKS_OUT_H
#define PROF_EXPORT_TICKS_OUT_H

#include <stdint.h>

#include "estimate/time_kind.h"
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

/* The same for a time and its parts.  Running, waiting and preempted add up to those of the total, or 1 ns more. */
struct prof_parts_out {
  const prof_trace *trace;
  uint64_t ticks;
  struct prof_off_ticks off;
  struct prof_time_ns given;
};

static inline uint64_t prof_parts_out_one(uint64_t upto, uint64_t *given) {
  uint64_t part = upto > *given ? upto - *given : 0;
  *given += part;
  return part;
}

static inline struct prof_time_ns prof_parts_out_ns(struct prof_parts_out *out, uint64_t ticks,
                                                    const struct prof_off_ticks *off) {
  out->ticks += ticks;
  prof_off_add(&out->off, off);
  const struct prof_time_ns upto = prof_time_split(out->trace, out->ticks, &out->off);
  return (struct prof_time_ns){.running = prof_parts_out_one(upto.running, &out->given.running),
                               .waiting = prof_parts_out_one(upto.waiting, &out->given.waiting),
                               .preempted = prof_parts_out_one(upto.preempted, &out->given.preempted),
                               .elapsed = prof_parts_out_one(upto.elapsed, &out->given.elapsed)};
}

#endif
