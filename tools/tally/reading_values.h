/*
 * tools/tally/reading_values.h - values of figures that were read at intervals (--machine): rates of sums, others as
 * they are.
 */
#ifndef PROF_TALLY_READING_VALUES_H
#define PROF_TALLY_READING_VALUES_H

#include "proftrace_readings.h"

/* What is shown from reading i on: its value, or the rate up to the next one.  Of CPU time, which the kernel counts in
 * ticks, it is the rate over 50 ms at least.  False: that isn't known. */
bool prof_reading_value(const prof_trace *, const struct prof_reading_series *, size_t i, double *value);

/* Of a sum: may later readings change that?  True too while there is no later one. */
bool prof_reading_value_is_open(const prof_trace *, const struct prof_reading_series *, size_t i);

/* What it counts for in a mean, from reading i on: mean = sum of amounts / sum of weights.  Over time for sums, over
 * readings for others.  Reading i has a value. */
struct prof_reading_part {
  double amount, weight;
};
struct prof_reading_part prof_reading_part(const prof_trace *, const struct prof_reading_series *, size_t i);

#endif
