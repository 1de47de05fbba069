/*
 * tools/fold/light_slices.h - looks up the sparse-clock intervals (sparse-clock intervals) of a thread by time.
 *
 * In them its probes read the clock now and then only, and several events share one time (docs/trace-format.md,
 * "Sparse-clock intervals").  Immutable, as the trace is.
 */
#ifndef PROF_FOLD_LIGHT_SLICES_H
#define PROF_FOLD_LIGHT_SLICES_H

#include "base/order.h"
#include "proftrace.h"

struct prof_light_slices {
  const struct prof_light_slice *items; /* rising */
  size_t count;
};

static inline struct prof_light_slices prof_light_slices_of(const prof_trace *trace, uint32_t thread) {
  struct prof_light_slices slices = {0};
  slices.items = prof_trace_light_slices(trace, thread, &slices.count);
  return slices;
}

/* How many end at or before the time: the one after them is the first that may hold it. */
static inline size_t prof_light_slices_before(const struct prof_light_slices *slices, uint64_t time) {
  return prof_search(0, slices->count, middle, slices->items[middle].end <= time);
}

static inline bool prof_light_slices_hold(const struct prof_light_slices *slices, uint64_t time) {
  size_t at = prof_light_slices_before(slices, time);
  return at < slices->count && slices->items[at].begin <= time;
}

#endif
