/*
 * tools/tally/reading_values.c - see reading_values.h.
 */
#include "tally/reading_values.h"

#define LEAST_CPU_SECONDS 0.05 /* five of the kernel's ticks, of which it counts whole ones */

static double seconds(const prof_trace *trace, uint64_t ticks) {
  return (double)prof_trace_ns(trace, ticks) / 1e9;
}

/* Of a sum, between two readings, in its unit times seconds. */
static double difference(const struct prof_reading_series *series, size_t from, size_t to) {
  return (double)(series->readings[to].value - series->readings[from].value) / (double)series->divisor;
}

/* Is reading i followed by one that is later and not less?  Files of one recording may have a reading twice. */
static bool goes_on(const struct prof_reading_series *series, size_t i) {
  const struct prof_reading *at = &series->readings[i];
  return i + 1 < series->count && at[1].time > at->time && at[1].value >= at->value;
}

static bool is_wide(const prof_trace *trace, const struct prof_reading_series *series, size_t from, size_t to) {
  const double least = series->what == PROF_READS_CPU ? LEAST_CPU_SECONDS : 0;
  return seconds(trace, series->readings[to].time - series->readings[from].time) >= least;
}

/* Of the step that begins at reading i, with later ones and then those before until they are wide enough. */
static bool rate_of(const prof_trace *trace, const struct prof_reading_series *series, size_t i, double *value) {
  size_t from = i, to = i + 1;
  while (!is_wide(trace, series, from, to) && goes_on(series, to))
    to++;
  while (!is_wide(trace, series, from, to) && from > 0 && goes_on(series, from - 1))
    from--;
  if (!is_wide(trace, series, from, to))
    return false;
  *value = difference(series, from, to) / seconds(trace, series->readings[to].time - series->readings[from].time);
  return true;
}

bool prof_reading_value(const prof_trace *trace, const struct prof_reading_series *series, size_t i, double *value) {
  const struct prof_reading *at = &series->readings[i];
  if (series->is_sum)
    return goes_on(series, i) && rate_of(trace, series, i, value);
  *value = (double)at->value / (double)series->divisor;
  return i + 1 >= series->count || at[1].time > at->time;
}

bool prof_reading_value_is_open(const prof_trace *trace, const struct prof_reading_series *series, size_t i) {
  size_t to = i + 1;
  if (to >= series->count)
    return true;
  if (!goes_on(series, i))
    return false;
  while (!is_wide(trace, series, i, to)) {
    if (to + 1 >= series->count)
      return true;
    if (!goes_on(series, to))
      return false;
    to++;
  }
  return false;
}

struct prof_reading_part prof_reading_part(const prof_trace *trace, const struct prof_reading_series *series,
                                           size_t i) {
  const struct prof_reading *at = &series->readings[i];
  if (series->is_sum)
    return (struct prof_reading_part){difference(series, i, i + 1), seconds(trace, at[1].time - at->time)};
  return (struct prof_reading_part){(double)at->value / (double)series->divisor, 1};
}
