/*
 * tools/analysis/machine.c - see machine.h.
 */
#include "machine.h"

#include "base/order.h"
#include "proftrace.h"

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

bool prof_machine_value(const prof_trace *trace, const struct prof_reading_series *series, size_t i, double *value) {
  const struct prof_reading *at = &series->readings[i];
  if (series->is_sum)
    return goes_on(series, i) && rate_of(trace, series, i, value);
  *value = (double)at->value / (double)series->divisor;
  return i + 1 >= series->count || at[1].time > at->time;
}

/* A step of a sum belongs to the part that it ends in: parts begin with the last reading of the one before. */
static bool is_in_part(const prof_trace *trace, const struct prof_reading_series *series, size_t i) {
  const struct prof_part *part = prof_trace_part(trace);
  if (series->is_sum && ++i >= series->count)
    return false;
  const uint64_t time = series->readings[i].time;
  return part == NULL || (time >= part->begin_ticks && time < part->end_ticks);
}

struct prof_machine_part prof_machine_part(const prof_trace *trace, const struct prof_reading_series *series,
                                           size_t i) {
  const struct prof_reading *at = &series->readings[i];
  if (series->is_sum)
    return (struct prof_machine_part){difference(series, i, i + 1), seconds(trace, at[1].time - at->time)};
  return (struct prof_machine_part){(double)at->value / (double)series->divisor, 1};
}

static struct prof_machine_row row_of(const prof_trace *trace, const struct prof_reading_series *series) {
  struct prof_machine_row row = {.series = series};
  double value, weights = 0, sum = 0;
  for (size_t i = 0; i < series->count; i++) {
    if (!is_in_part(trace, series, i) || !prof_machine_value(trace, series, i, &value))
      continue;
    row.min = row.count == 0 || value < row.min ? value : row.min;
    row.max = row.count == 0 || value > row.max ? value : row.max;
    const struct prof_machine_part part = prof_machine_part(trace, series, i);
    row.total += series->is_sum ? part.amount : 0;
    sum += part.amount;
    weights += part.weight;
    row.count++;
  }
  row.mean = weights > 0 ? sum / weights : 0;
  row.mean = row.mean < row.min ? row.min : row.mean > row.max ? row.max : row.mean; /* one short step */
  return row;
}

static int by_process(const void *left, const void *right) {
  const struct prof_machine_row *a = left, *b = right;
  return prof_order(a->series->process + 1, b->series->process + 1) ?: prof_order(a->series->what, b->series->what);
}

prof_status prof_machine_sum(const prof_trace *trace, struct prof_machine_rows *out) {
  size_t count;
  const struct prof_reading_series *series = prof_trace_reading_series(trace, &count);
  *out = (struct prof_machine_rows){0};
  for (size_t i = 0; i < count; i++) {
    struct prof_machine_row row = row_of(trace, &series[i]);
    if (row.count > 0 && !prof_vec_push(&out->items, row)) {
      prof_machine_rows_fini(out);
      return PROF_NO_MEMORY;
    }
    if (series[i].what == PROF_READS_ENERGY && series[i].process == PROF_NONE)
      out->energy_joules += row.total;
  }
  prof_vec_sort(&out->items, by_process);
  return PROF_OK;
}

void prof_machine_rows_fini(struct prof_machine_rows *rows) {
  prof_vec_fini(&rows->items);
}
