/*
 * tools/command/added_cost.h - how much processor time recording added to a program, about.
 *
 * The one estimate of `prof record` at its end and of `prof info`: each event that reads the clock at its calibrated
 * cost, one probe right after another, which is near what it costs in programs of short calls (docs/benchmarks.md), and
 * each reading of the clock for a line at its own.  Where an event costs less, among independent work and in light
 * slices, it is too much.
 */
#ifndef PROF_COMMAND_ADDED_COST_H
#define PROF_COMMAND_ADDED_COST_H

#include <stdint.h>

static inline double prof_added_cost_ns(uint64_t timed_events, double event_ns, double all_readings_ns) {
  return (double)timed_events * event_ns + all_readings_ns;
}

#endif
