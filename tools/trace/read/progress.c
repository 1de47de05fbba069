/*
 * tools/trace/read/progress.c - for a trace without END: is it still being written, and how old is its latest data?
 */
#include <time.h>

#include "trace.h"

static void raise_to(uint64_t *ticks, uint64_t other) {
  *ticks = *ticks > other ? *ticks : other;
}

static uint64_t youngest_ticks(const struct prof_trace *trace) {
  uint64_t ticks = trace->last_clock.ticks;
  raise_to(&ticks, trace->info.last_ticks);
  for (size_t i = 0; i < trace->sample_chunks.count; i++)
    raise_to(&ticks, trace->sample_chunks.items[i].last_time);
  for (size_t i = 0; i < trace->gpu_chunks.count; i++)
    raise_to(&ticks, trace->gpu_chunks.items[i].last_time);
  return ticks;
}

void prof_trace_settle_progress(struct prof_trace *trace) {
  if (trace->info.complete || !trace->was_locked)
    return;
  trace->info.in_progress = true;
  trace->damage.bytes_skipped -= trace->tail_bytes; /* the chunk being written */
  if (!trace->has_clock)
    return;
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC_RAW, &now);
  uint64_t now_ns = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
  uint64_t written_ns =
      trace->last_clock.monotonic_ns + prof_clock_ns(&trace->clock, youngest_ticks(trace) - trace->last_clock.ticks);
  trace->info.age_ns = now_ns > written_ns ? now_ns - written_ns : 0;
}
