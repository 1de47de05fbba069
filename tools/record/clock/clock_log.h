/*
 * tools/record/clock/clock_log.h - the CLOCK chunks of a recording.
 */
#ifndef PROF_RECORD_CLOCK_LOG_H
#define PROF_RECORD_CLOCK_LOG_H

#include "record/clock/clock_check.h"
#include "record/clock/ticks.h"
#include "trace/write/write.h"

struct prof_clock_log {
  struct prof_clock_pair first; /* the frequency is measured from here */
  enum prof_ticks_of of;
  uint32_t step_ticks;
  struct prof_clock_facts facts;
  const char *doubt; /* a line for the user; NULL: none */
};

/* Looks at the machine and chooses the clock. */
void prof_clock_log_begin(struct prof_clock_log *, enum prof_clock_wish);

/* Sleeps until so much time has passed since the beginning. */
void prof_clock_log_wait(const struct prof_clock_log *, uint64_t span_ns);
#define PROF_CLOCK_ROUGH_NS 2000000u  /* gives the frequency to about 50 ppm */
#define PROF_CLOCK_EXACT_NS 20000000u /* to about 5 ppm */

/* Writes a chunk for now; returns the frequency in Hz, as exact as the time since the beginning makes it. */
uint64_t prof_clock_log_write(const struct prof_clock_log *, prof_writer *);

#endif
