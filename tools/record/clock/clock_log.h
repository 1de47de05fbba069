/*
 * tools/record/clock/clock_log.h - the CLOCK chunks of a recording.
 */
#ifndef PROF_RECORD_CLOCK_LOG_H
#define PROF_RECORD_CLOCK_LOG_H

#include "record/clock/clock_check.h"
#include "record/clock/ticks.h"
#include "trace/write/write.h"

struct prof_clock_log {
  struct prof_clock_pair first; /* start of the frequency's measurement */
  enum prof_ticks_of of;
  uint32_t step_ticks;
  struct prof_clock_facts facts;
  const char *doubt; /* a warning for the user; NULL: none */
};

/* Checks the machine and chooses the clock. */
void prof_clock_log_begin(struct prof_clock_log *, enum prof_clock_wish);

/* Sleeps until `span_ns` after the beginning. */
void prof_clock_log_wait(const struct prof_clock_log *, uint64_t span_ns);
#define PROF_CLOCK_ROUGH_NS 2000000u  /* the frequency's error is then about 50 ppm */
#define PROF_CLOCK_EXACT_NS 20000000u /* about 5 ppm */

/* In Hz, measured since the beginning. */
uint64_t prof_clock_log_frequency(const struct prof_clock_log *);

/* Writes a chunk for now; returns the frequency in Hz, measured since the beginning. */
uint64_t prof_clock_log_write(const struct prof_clock_log *, prof_writer *);

#endif
