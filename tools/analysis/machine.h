/*
 * tools/analysis/machine.h - what the machine and the processes did, from readings at intervals (--machine).
 */
#ifndef PROF_ANALYSIS_MACHINE_H
#define PROF_ANALYSIS_MACHINE_H

#include <stdbool.h>

#include "base/vec.h"
#include "prof_status.h"
#include "proftrace_readings.h"

struct prof_machine_row {
  const struct prof_reading_series *series;
  double min, mean, max; /* in its unit */
  double total;          /* of a sum: unit times seconds, as bytes, joules, core seconds; else 0 */
  size_t count;          /* readings in the part that is shown */
};
struct prof_machine_rows {
  PROF_VEC(struct prof_machine_row) items;
  double energy_joules; /* of the machine's processors; 0: not known */
};

/* What is shown from reading i on: its value, or the rate up to the next one.  Of CPU time, which the kernel counts in
 * ticks, it is the rate over 50 ms at least.  False: that isn't known. */
bool prof_machine_value(const prof_trace *, const struct prof_reading_series *, size_t i, double *value);

/* What it counts for in a mean, from reading i on: mean = sum of amounts / sum of weights.  Over time for sums, over
 * readings for others.  Reading i has a value. */
struct prof_machine_part {
  double amount, weight;
};
struct prof_machine_part prof_machine_part(const prof_trace *, const struct prof_reading_series *, size_t i);

/* Rows of series with a known value, the machine's first.  In a part of a recording: of its own time. */
prof_status prof_machine_sum(const prof_trace *, struct prof_machine_rows *out) PROF_MUST_CHECK;
void prof_machine_rows_fini(struct prof_machine_rows *);

#endif
