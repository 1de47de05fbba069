/*
 * tools/command/info/machine_info.c - see machine_info.h.
 */
#include "machine_info.h"

#include <string.h>

#include "analysis/gpu/gpu_energy.h"
#include "analysis/machine.h"
#include "base/diag.h"
#include "base/whole.h"
#include "view/table.h"
#include "view/units.h"

enum { CELL_BYTES = 40, NAME_BYTES = 128 };
#define JOULES_PER_KWH 3.6e6

static bool has_usage(const struct prof_trace_info *info) {
  return info->minor_faults + info->peak_bytes > 0;
}

static void print_usage(const struct prof_trace_info *info, const struct prof_output *output) {
  char first[PROF_UNITS_BYTES], second[PROF_UNITS_BYTES];
  prof_output_fact(output, "page faults", "%s minor, %s major", prof_units_count(first, info->minor_faults),
                   prof_units_count(second, info->major_faults));
  prof_output_fact(output, "context switches", "%s to wait, %s preempted", prof_units_count(first, info->waits),
                   prof_units_count(second, info->preemptions));
  prof_output_fact(output, "peak memory", "%s resident, of the largest process",
                   prof_units_bytes(first, info->peak_bytes));
}

static const struct prof_column columns[] = {
    {"pid", "PID", PROF_CELL_TEXT}, {"min", "MIN", PROF_CELL_TEXT},     {"mean", "MEAN", PROF_CELL_TEXT},
    {"max", "MAX", PROF_CELL_TEXT}, {"total", "TOTAL", PROF_CELL_TEXT}, {"name", "FIGURE", PROF_CELL_TEXT},
};

static void put_value(struct prof_table *table, const struct prof_reading_series *series, double value) {
  char text[PROF_UNITS_VALUE_BYTES];
  prof_table_text(table, prof_units_value(text, value, series->unit));
}

static void put_total(struct prof_table *table, const struct prof_machine_row *row) {
  char text[CELL_BYTES] = "", part[PROF_UNITS_BYTES];
  switch (row->series->is_sum ? row->series->what : 0) {
  case PROF_READS_CPU:
    prof_units_duration(part, prof_whole(row->total * 1e9));
    snprintf(text, sizeof text, "%s", part);
    break;
  case PROF_READS_ENERGY:
    snprintf(text, sizeof text, "%.1f J", row->total);
    break;
  case PROF_READS_FAULTS:
    snprintf(text, sizeof text, "%s", prof_units_count(part, prof_whole(row->total)));
    break;
  case PROF_READS_DISK_READ:
  case PROF_READS_DISK_WRITTEN:
  case PROF_READS_RECEIVED:
  case PROF_READS_SENT:
    snprintf(text, sizeof text, "%s", prof_units_bytes(part, prof_whole(row->total)));
    break;
  default: /* of a later version */
    break;
  }
  prof_table_text(table, text);
}

static uint32_t pid_of(const prof_trace *trace, const struct prof_reading_series *series) {
  size_t count;
  const struct prof_process *processes = prof_trace_processes(trace, &count);
  return series->process < count ? processes[series->process].pid : 0;
}

static struct prof_table *table_of(const prof_trace *trace, const struct prof_machine_rows *rows) {
  struct prof_table *table = prof_table_new(columns, sizeof columns / sizeof *columns);
  char text[NAME_BYTES];
  for (size_t i = 0; table != NULL && i < rows->items.count; i++) {
    const struct prof_machine_row *row = &rows->items.items[i];
    snprintf(text, sizeof text, "%u", pid_of(trace, row->series));
    prof_table_text(table, row->series->process == PROF_NONE ? "machine" : text);
    put_value(table, row->series, row->min);
    put_value(table, row->series, row->mean);
    put_value(table, row->series, row->max);
    put_total(table, row);
    prof_table_text(table, row->series->name);
  }
  return table;
}

/* ---- energy ---- */

struct energy { /* of the machine, as far as it was read */
  double processors, all;
  struct prof_gpu_energy gpus;
};

static prof_status find_energy(const prof_trace *trace, const struct prof_machine_rows *rows, struct energy *out) {
  prof_status status = prof_gpu_energy_sum(trace, &out->gpus);
  out->processors = rows->energy_joules;
  out->all = out->processors + out->gpus.joules;
  return status;
}

static double grams(const struct energy *energy, double carbon) {
  return energy->all / JOULES_PER_KWH * carbon;
}

/* "processors 30.0 J, 2 GPUs 600.0 J": what is in the sum, and what isn't. */
static void parts_text(const struct energy *energy, char *text, size_t room) {
  const struct prof_gpu_energy *gpus = &energy->gpus;
  char power[40] = "";
  int used = energy->processors > 0 ? snprintf(text, room, "processors %.1f J", energy->processors)
                                    : snprintf(text, room, "processors not read");
  if (gpus->by_power > 0)
    snprintf(power, sizeof power, ", %zu by power", gpus->by_power);
  if (gpus->devices > 0)
    snprintf(text + used, room - (size_t)used, ", %zu GPU%s %.1f J%s%s", gpus->devices, gpus->devices == 1 ? "" : "s",
             gpus->joules, power, gpus->unknown > 0 ? ", other GPUs not known" : "");
  else if (gpus->unknown > 0)
    snprintf(text + used, room - (size_t)used, ", GPUs read for less than a second, or without energy");
  else if (gpus->has_gpus)
    snprintf(text + used, room - (size_t)used, ", GPUs not read");
}

static void print_carbon(const struct energy *energy, double carbon, const struct prof_output *output) {
  char parts[200];
  parts_text(energy, parts, sizeof parts);
  if (energy->all > 0)
    prof_output_fact(output, "carbon, about", "%.3g g: the machine used %.1f J, at %g g per kWh (%s)",
                     grams(energy, carbon), energy->all, carbon, parts);
  else
    prof_output_fact(output, "carbon, about", "not known: %s (prof record --machine, as root; for GPUs --gpu-metrics)",
                     energy->gpus.has_gpus ? parts : "no energy was read");
}

void prof_usage_info_print(const prof_trace *trace, double carbon, const struct prof_output *output) {
  struct prof_machine_rows rows;
  struct energy energy;
  struct prof_diag diag;
  if (has_usage(prof_trace_info(trace)))
    print_usage(prof_trace_info(trace), output);
  if (carbon <= 0 || prof_machine_sum(trace, &diag, &rows) != PROF_OK) /* the table reports the fault */
    return;
  if (find_energy(trace, &rows, &energy) == PROF_OK)
    print_carbon(&energy, carbon, output);
  prof_machine_rows_fini(&rows);
}

prof_status prof_machine_info_print(const prof_trace *trace, const struct prof_output *output, struct prof_diag *diag) {
  struct prof_machine_rows rows;
  prof_status status = prof_machine_sum(trace, diag, &rows);
  if (status != PROF_OK)
    return status;
  struct prof_table *table = rows.items.count > 0 ? table_of(trace, &rows) : NULL;
  if (table != NULL) {
    fputc('\n', output->file);
    prof_table_print(table, output->file, &output->style);
  } else if (rows.items.count > 0) {
    status = prof_diag_memory(diag);
  }
  prof_table_free(table);
  prof_machine_rows_fini(&rows);
  return status;
}

static void put_row(const prof_trace *trace, const struct prof_machine_row *row, struct prof_json *json) {
  prof_json_object(json, NULL);
  prof_json_count(json, "pid", pid_of(trace, row->series));
  prof_json_text(json, "name", row->series->name);
  prof_json_text(json, "unit", row->series->unit);
  prof_json_count(json, "readings", row->count);
  prof_json_number(json, "min", row->min);
  prof_json_number(json, "mean", row->mean);
  prof_json_number(json, "max", row->max);
  prof_json_number(json, "total", row->total);
  prof_json_object_end(json);
}

prof_status prof_machine_info_json(const prof_trace *trace, double carbon, struct prof_json *json,
                                   struct prof_diag *diag) {
  const struct prof_trace_info *info = prof_trace_info(trace);
  struct prof_machine_rows rows;
  struct energy energy;
  prof_status status = prof_machine_sum(trace, diag, &rows);
  if (status == PROF_OK && (status = find_energy(trace, &rows, &energy)) != PROF_OK)
    status = prof_diag_memory(diag);
  if (status != PROF_OK) {
    prof_machine_rows_fini(&rows);
    return status;
  }
  if (has_usage(info)) {
    prof_json_count(json, "minor_faults", info->minor_faults);
    prof_json_count(json, "major_faults", info->major_faults);
    prof_json_count(json, "waits", info->waits);
    prof_json_count(json, "preemptions", info->preemptions);
    prof_json_count(json, "peak_rss_bytes", info->peak_bytes);
  }
  if (rows.items.count > 0) {
    prof_json_array(json, "machine");
    for (size_t i = 0; i < rows.items.count; i++)
      put_row(trace, &rows.items.items[i], json);
    prof_json_array_end(json);
  }
  if (energy.all > 0)
    prof_json_number(json, "energy_joules", energy.all);
  if (energy.processors > 0)
    prof_json_number(json, "processor_energy_joules", energy.processors);
  if (energy.gpus.joules > 0)
    prof_json_number(json, "gpu_energy_joules", energy.gpus.joules);
  if (energy.all > 0 && carbon > 0)
    prof_json_number(json, "carbon_g", grams(&energy, carbon));
  prof_machine_rows_fini(&rows);
  return PROF_OK;
}
