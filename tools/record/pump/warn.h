/*
 * tools/record/pump/warn.h - warns after the first second: is the program much slower, does the trace grow fast, and
 * what helps.
 */
#ifndef PROF_RECORD_WARN_H
#define PROF_RECORD_WARN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct prof_warn { /* all zero: no warning yet */
  bool slow_said, growth_said;
};

struct prof_warn_figures { /* since the first event */
  double seconds;
  uint64_t events;        /* of the busiest thread, that read the clock */
  double event_ns;        /* calibrated; 0: unknown */
  double stalled_seconds; /* of that thread */
  bool has_budget;        /* what a budget can do is done */
  bool of_zones;          /* and it can do nothing about most of the events (prof_governor_is_of_zones) */
  uint64_t bytes;         /* of the trace */
};

#define PROF_WARN_AFTER_SECONDS 1.0
#define PROF_WARN_SLOWDOWN 2.0
#define PROF_WARN_BYTES_PER_SECOND 100e6

/* Slowdown of the thread by probes and by waits for the recorder: elapsed time divided by the rest.  At most 20. */
double prof_warn_slowdown(const struct prof_warn_figures *);

/* Writes a line for the user into `text`; false: none now.  Repeat it until false. */
bool prof_warn_next(struct prof_warn *, const struct prof_warn_figures *, char *text, size_t text_bytes);

#endif
