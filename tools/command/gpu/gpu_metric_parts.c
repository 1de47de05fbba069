/*
 * tools/command/gpu/gpu_metric_parts.c - see gpu_parts.h: what NVML measured.
 */
#include <stdio.h>

#include "base/whole.h"
#include "gpu_parts.h"

static void add_thousandths(struct prof_table *table, const void *value) {
  prof_table_count(table, prof_whole(*(const double *)value * 1000 + 0.5));
}

static void add_unit(struct prof_table *table, double value, const char *unit) {
  char text[48];
  snprintf(text, sizeof text, value > 0 ? "%.1f %s" : "", value, unit);
  prof_table_text(table, text);
}

static void add_watts(struct prof_table *table, const void *watts) {
  add_unit(table, *(const double *)watts, "W");
}

static void add_joules(struct prof_table *table, const void *joules) {
  add_unit(table, *(const double *)joules, "J");
}

#define IN(member) PROF_MEMBER(struct prof_gpu_metric_row, member)
static const struct prof_field fields[] = {
    {{"device", NULL, PROF_CELL_COUNT}, IN(device)},
    {{NULL, "DEVICE", PROF_CELL_TEXT}, IN(device)},
    {{"readings", "READINGS", PROF_CELL_COUNT}, IN(readings)},
    {{"utilization", "BUSY%", PROF_CELL_SHARE}, IN(utilization)},
    {{"most_utilization", "MOST", PROF_CELL_SHARE}, IN(most_utilization)},
    {{"memory_utilization", "MEMORY%", PROF_CELL_SHARE}, IN(memory_utilization)},
    {{"most_memory_bytes", NULL, PROF_CELL_COUNT}, IN(most_memory_bytes)},
    {{NULL, "MEMORY", PROF_CELL_TEXT}, IN(most_memory_bytes), .cell = prof_field_bytes},
    {{"power_milliwatts", NULL, PROF_CELL_COUNT}, IN(power_watts), .cell = add_thousandths},
    {{NULL, "POWER", PROF_CELL_TEXT}, IN(power_watts), .cell = add_watts},
    {{"most_power_milliwatts", NULL, PROF_CELL_COUNT}, IN(most_power_watts), .cell = add_thousandths},
    {{NULL, "MOST", PROF_CELL_TEXT}, IN(most_power_watts), .cell = add_watts},
    {{"energy_millijoules", NULL, PROF_CELL_COUNT}, IN(energy_joules), .cell = add_thousandths},
    {{NULL, "ENERGY", PROF_CELL_TEXT}, IN(energy_joules), .cell = add_joules},
};

const struct prof_gpu_part prof_gpu_metrics_part = {
    .name = "metrics",
    .title = "Device metrics (NVML, its device numbers); memory: maximum in use",
    .rows_of = "devices",
    .default_rows = 20,
    PROF_GPU_ROWS(fields, metrics.rows, metrics.count),
};
