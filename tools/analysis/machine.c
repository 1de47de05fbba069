/*
 * tools/analysis/machine.c - see machine.h.
 */
#include "machine.h"

#include <stdlib.h>

#include "base/diag.h"
#include "base/order.h"
#include "proftrace.h"
#include "tally/reading_values.h"

/* A step of a sum belongs to the part that it ends in: parts begin with the last reading of the one before. */
static bool is_in_part(const prof_trace *trace, const struct prof_reading_series *series, size_t i) {
  const struct prof_part *part = prof_trace_part(trace);
  if (series->is_sum && ++i >= series->count)
    return false;
  const uint64_t time = series->readings[i].time;
  return part == NULL || (time >= part->begin_ticks && time < part->end_ticks);
}

/* One short step has a rate outside of its own. */
static double mean_of(const struct prof_machine_row *row, double amount, double weight) {
  const double mean = weight > 0 ? amount / weight : 0;
  return mean < row->min ? row->min : mean > row->max ? row->max : mean;
}

static struct prof_machine_row row_of(const prof_trace *trace, const struct prof_reading_series *series) {
  struct prof_machine_row row = {.series = series};
  double value, weights = 0, sum = 0;
  for (size_t i = 0; i < series->count; i++) {
    if (!is_in_part(trace, series, i) || !prof_reading_value(trace, series, i, &value))
      continue;
    row.min = row.count == 0 || value < row.min ? value : row.min;
    row.max = row.count == 0 || value > row.max ? value : row.max;
    const struct prof_reading_part part = prof_reading_part(trace, series, i);
    row.total += series->is_sum ? part.amount : 0;
    sum += part.amount;
    weights += part.weight;
    row.count++;
  }
  row.mean = mean_of(&row, sum, weights);
  return row;
}

static int by_process(const void *left, const void *right) {
  const struct prof_machine_row *a = left, *b = right;
  return prof_order(a->series->process + 1, b->series->process + 1) ?: prof_order(a->series->what, b->series->what);
}

static bool add_row(struct prof_machine_rows *out, struct prof_machine_row row) {
  if (row.series->what == PROF_READS_ENERGY && row.series->process == PROF_NONE)
    out->energy_joules += row.total;
  return row.count == 0 || prof_vec_push(&out->items, row);
}

/* ---- of a summary ---- */

static struct prof_machine_row row_of_track(const struct prof_track_sum *track,
                                            const struct prof_reading_series *series) {
  struct prof_machine_row row = {.series = series, .count = track->count};
  for (size_t i = 0; i < track->parts.count; i++) {
    const struct prof_track_part *part = &track->parts.items[i];
    row.min = i == 0 || part->least.value < row.min ? part->least.value : row.min;
    row.max = i == 0 || part->most.value > row.max ? part->most.value : row.max;
  }
  row.total = track->is_sum ? track->amount : 0;
  row.mean = mean_of(&row, track->amount, track->weight);
  return row;
}

static prof_status sum_tracks(const prof_trace *trace, struct prof_diag *diag, struct prof_machine_rows *out) {
  prof_status status = prof_track_tally_of(trace, diag, &out->kept);
  if (status != PROF_OK)
    return status == PROF_EMPTY ? PROF_OK : status;
  out->series = calloc(out->kept.tracks.count + 1, sizeof *out->series);
  if (!out->series)
    return prof_diag_memory(diag);
  for (size_t i = 0; i < out->kept.tracks.count; i++) {
    const struct prof_track_sum *track = &out->kept.tracks.items[i];
    out->series[i] = (struct prof_reading_series){.process = prof_track_process(trace, track),
                                                  .what = track->what,
                                                  .is_sum = track->is_sum,
                                                  .divisor = track->divisor,
                                                  .name = track->name,
                                                  .unit = track->unit};
    if (track->what != 0 && !add_row(out, row_of_track(track, &out->series[i])))
      return prof_diag_memory(diag);
  }
  return PROF_OK;
}

prof_status prof_machine_sum(const prof_trace *trace, struct prof_diag *diag, struct prof_machine_rows *out) {
  size_t count;
  const struct prof_reading_series *series = prof_trace_reading_series(trace, &count);
  *out = (struct prof_machine_rows){0};
  prof_status status = sum_tracks(trace, diag, out);
  for (size_t i = 0; i < count && status == PROF_OK; i++)
    if (!add_row(out, row_of(trace, &series[i])))
      status = prof_diag_memory(diag);
  if (status != PROF_OK)
    prof_machine_rows_fini(out);
  else
    prof_vec_sort(&out->items, by_process);
  return status;
}

void prof_machine_rows_fini(struct prof_machine_rows *rows) {
  prof_vec_fini(&rows->items);
  prof_track_tally_fini(&rows->kept);
  free(rows->series);
  *rows = (struct prof_machine_rows){0};
}
