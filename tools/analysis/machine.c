/*
 * tools/analysis/machine.c - see machine.h.
 */
#include "machine.h"

#include "base/order.h"
#include "proftrace.h"

static double seconds(const prof_trace *trace, uint64_t ticks) {
  return (double)prof_trace_ns(trace, ticks) / 1e9;
}

static double difference(const struct prof_reading_series *series, size_t i) {
  return (double)(series->readings[i + 1].value - series->readings[i].value) / (double)series->divisor;
}

bool prof_machine_value(const prof_trace *trace, const struct prof_reading_series *series, size_t i, double *value) {
  const struct prof_reading *at = &series->readings[i];
  if (!series->is_sum) {
    *value = (double)at->value / (double)series->divisor;
    return true;
  }
  if (i + 1 >= series->count || at[1].time <= at->time || at[1].value < at->value)
    return false;
  *value = difference(series, i) / seconds(trace, at[1].time - at->time);
  return true;
}

/* Means are over time for sums, over readings for others. */
static struct prof_machine_row row_of(const prof_trace *trace, const struct prof_reading_series *series) {
  const struct prof_part *part = prof_trace_part(trace);
  struct prof_machine_row row = {.series = series};
  double value, weights = 0, sum = 0;
  for (size_t i = 0; i < series->count; i++) {
    const struct prof_reading *at = &series->readings[i];
    if ((part != NULL && (at->time < part->begin_ticks || at->time >= part->end_ticks)) ||
        !prof_machine_value(trace, series, i, &value))
      continue;
    double weight = series->is_sum ? seconds(trace, at[1].time - at->time) : 1;
    row.min = row.count == 0 || value < row.min ? value : row.min;
    row.max = row.count == 0 || value > row.max ? value : row.max;
    row.total += series->is_sum ? difference(series, i) : 0;
    sum += value * weight;
    weights += weight;
    row.count++;
  }
  row.mean = weights > 0 ? sum / weights : 0;
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
