/*
 * tools/command/added_cost.h - estimates the CPU time that recording added to a program.
 *
 * `prof record` at its end and `prof info` use this estimate.  It adds the calibrated cost of each event that reads the
 * clock, for one probe right after another, and of each reading of the clock for a line.  Programs of short calls come
 * near it (docs/benchmarks.md).  The estimate is too high among independent work and in sparse-clock intervals, where
 * events cost less.
 */
#ifndef PROF_COMMAND_ADDED_COST_H
#define PROF_COMMAND_ADDED_COST_H

#include <stdint.h>

static inline double prof_added_cost_ns(uint64_t timed_events, double event_ns, double all_readings_ns) {
  return (double)timed_events * event_ns + all_readings_ns;
}

#endif
