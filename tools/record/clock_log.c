/*
 * tools/record/clock_log.c - see clock_log.h.
 */
#include "record/clock_log.h"

#include <time.h>

void prof_clock_log_begin(struct prof_clock_log *log) {
  log->first = prof_clock_pair_read();
  log->step_ticks = prof_clock_step_measure();
  log->flags = prof_clock_is_invariant() ? PROF_FORMAT_CLOCK_INVARIANT : 0;
}

void prof_clock_log_wait(const struct prof_clock_log *log, uint64_t span_ns) {
  struct prof_clock_pair now = prof_clock_pair_read();
  uint64_t passed = now.monotonic_ns - log->first.monotonic_ns;
  if (passed < span_ns)
    nanosleep(&(struct timespec){0, (long)(span_ns - passed)}, NULL);
}

uint64_t prof_clock_log_write(const struct prof_clock_log *log, prof_writer *writer) {
  struct prof_clock_pair now = prof_clock_pair_read();
  struct prof_clock_record record = {
      .ticks = now.ticks,
      .monotonic_ns = now.monotonic_ns,
      .realtime_ns = now.realtime_ns,
      .frequency_hz = prof_clock_frequency(&log->first, &now),
      .step_ticks = log->step_ticks,
      .flags = log->flags,
      .source = 1,
  };
  (void)prof_writer_clock(writer, &record); /* the writer keeps its first error */
  return record.frequency_hz;
}
