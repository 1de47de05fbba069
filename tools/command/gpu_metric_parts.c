/*
 * tools/command/gpu_metric_parts.c - see gpu_parts.h: what NVML measured.
 */
#include <stdio.h>

#include "base/whole.h"
#include "gpu_parts.h"
#include "view/units.h"

static const struct prof_column columns[] = {
    {"device", NULL, PROF_CELL_COUNT},
    {NULL, "DEVICE", PROF_CELL_TEXT},
    {"readings", "READINGS", PROF_CELL_COUNT},
    {"utilization", "BUSY%", PROF_CELL_SHARE},
    {"most_utilization", "MOST", PROF_CELL_SHARE},
    {"memory_utilization", "MEMORY%", PROF_CELL_SHARE},
    {"most_memory_bytes", NULL, PROF_CELL_COUNT},
    {NULL, "MEMORY", PROF_CELL_TEXT},
    {"power_milliwatts", NULL, PROF_CELL_COUNT},
    {NULL, "POWER", PROF_CELL_TEXT},
    {"most_power_milliwatts", NULL, PROF_CELL_COUNT},
    {NULL, "MOST", PROF_CELL_TEXT},
    {"energy_millijoules", NULL, PROF_CELL_COUNT},
    {NULL, "ENERGY", PROF_CELL_TEXT},
};

static size_t count_metrics(const struct prof_gpu_result *result) {
  return result->metrics.count;
}

/* A count of thousandths, and for people the unit. */
static void add_thousandths(struct prof_table *table, double value, const char *unit) {
  char text[48];
  prof_table_count(table, prof_whole(value * 1000 + 0.5));
  snprintf(text, sizeof text, value > 0 ? "%.1f %s" : "", value, unit);
  prof_table_text(table, text);
}

static void add_metrics(struct prof_table *table, const struct prof_gpu_result *result, size_t at, bool in_table) {
  const struct prof_gpu_metric_row *row = &result->metrics.rows[at];
  char text[PROF_UNITS_BYTES];
  (void)in_table;
  prof_table_count(table, row->device);
  snprintf(text, sizeof text, "%u", row->device);
  prof_table_text(table, text);
  prof_table_count(table, row->readings);
  prof_table_share(table, row->utilization);
  prof_table_share(table, row->most_utilization);
  prof_table_share(table, row->memory_utilization);
  prof_table_count(table, row->most_memory_bytes);
  prof_table_text(table, prof_units_bytes(text, row->most_memory_bytes));
  add_thousandths(table, row->power_watts, "W");
  add_thousandths(table, row->most_power_watts, "W");
  add_thousandths(table, row->energy_joules, "J");
}

const struct prof_gpu_part prof_gpu_metrics_part = {
    .name = "metrics",
    .title = "Device metrics (NVML, its device numbers); memory: maximum in use",
    .rows_of = "devices",
    .default_rows = 20,
    .columns = columns,
    .column_count = sizeof columns / sizeof *columns,
    .count = count_metrics,
    .add = add_metrics,
};
