/*
 * tools/record/clock/clock_log.c - see clock_log.h.
 */
#include "record/clock/clock_log.h"

#include <time.h>

#define NS_PER_SECOND 1000000000u

void prof_clock_log_begin(struct prof_clock_log *log, enum prof_clock_wish wish) {
  prof_clock_facts_find(&log->facts);
  log->of = prof_clock_choose_tsc(&log->facts, wish, &log->doubt) ? PROF_TICKS_TSC : PROF_TICKS_OS;
  log->first = prof_clock_pair_read(log->of);
  log->step_ticks = prof_clock_step_measure(log->of);
}

/* CLOCK_MONOTONIC counts nanoseconds; the raw clock, by which others are measured, has another rate. */
static uint64_t frequency_of(const struct prof_clock_log *log, const struct prof_clock_pair *now) {
  return log->of == PROF_TICKS_OS ? NS_PER_SECOND : prof_clock_frequency(&log->first, now);
}

uint64_t prof_clock_log_frequency(const struct prof_clock_log *log) {
  struct prof_clock_pair now = prof_clock_pair_read(log->of);
  return frequency_of(log, &now);
}

void prof_clock_log_wait(const struct prof_clock_log *log, uint64_t span_ns) {
  struct prof_clock_pair now = prof_clock_pair_read(log->of);
  uint64_t passed = now.monotonic_ns - log->first.monotonic_ns;
  if (passed < span_ns)
    nanosleep(&(struct timespec){0, (long)(span_ns - passed)}, NULL);
}

uint64_t prof_clock_log_write(const struct prof_clock_log *log, prof_writer *writer) {
  struct prof_clock_pair now = prof_clock_pair_read(log->of);
  struct prof_clock_record record = {
      .ticks = now.ticks,
      .monotonic_ns = now.monotonic_ns,
      .realtime_ns = now.realtime_ns,
      .frequency_hz = frequency_of(log, &now),
      .step_ticks = log->step_ticks,
      .flags = (log->facts.invariant ? PROF_FORMAT_CLOCK_INVARIANT : 0) |
               (log->facts.compared ? PROF_FORMAT_CLOCK_COMPARED : 0),
      .source = log->of,
      .kernel_clock = prof_span(log->facts.kernel_clock),
  };
  record.skew_ticks = (uint32_t)(log->facts.skew_ns * (double)record.frequency_hz / NS_PER_SECOND + 0.5);
  (void)prof_writer_clock(writer, &record); /* the writer keeps its first error */
  return record.frequency_hz;
}
