/*
 * tools/command/gpu_range_parts.c - see gpu_parts.h: ranges of NVTX, and their instances one by one.
 */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "export/unfinished.h"
#include "gpu_parts.h"
#include "view/units.h"

static const struct prof_column range_columns[] = {
    {"instances", "COUNT", PROF_CELL_COUNT}, {"total_ns", "TOTAL", PROF_CELL_NS},
    {"avg_ns", "AVG", PROF_CELL_NS},         {"min_ns", "MIN", PROF_CELL_NS},
    {"max_ns", "MAX", PROF_CELL_NS},         {"api_ns", "IN CUDA", PROF_CELL_NS},
    {"gpu_ns", "GPU", PROF_CELL_NS},         {"kernels", "KERNELS", PROF_CELL_COUNT},
    {"copies", "COPIES", PROF_CELL_COUNT},   {"open", NULL, PROF_CELL_COUNT},
    {NULL, "OPEN", PROF_CELL_TEXT},          {"domain", NULL, PROF_CELL_TEXT},
    {"name", "RANGE", PROF_CELL_TEXT},
};

static size_t count_ranges(const struct prof_gpu_result *result) {
  return result->ranges.count;
}

static void add_range(struct prof_table *table, const struct prof_gpu_result *result, size_t at, bool in_table) {
  const struct prof_gpu_range_row *row = &result->ranges.rows[at];
  char open[32] = "";
  (void)in_table;
  prof_table_count(table, row->instances);
  prof_table_count(table, row->total_ns);
  prof_table_count(table, row->avg_ns);
  prof_table_count(table, row->min_ns);
  prof_table_count(table, row->max_ns);
  prof_table_count(table, row->api_ns);
  prof_table_count(table, row->gpu_ns);
  prof_table_count(table, row->kernels);
  prof_table_count(table, row->copies);
  prof_table_count(table, row->open);
  if (row->open > 0)
    snprintf(open, sizeof open, "%llu at the end", (unsigned long long)row->open);
  prof_table_text(table, open);
  prof_table_text(table, row->domain);
  prof_table_text(table, row->name);
}

const struct prof_gpu_part prof_gpu_ranges_part = {
    .name = "ranges",
    .title = "NVTX ranges with their GPU time; --nvtx=RANGE lists each",
    .rows_of = "ranges",
    .default_rows = 10,
    .columns = range_columns,
    .column_count = sizeof range_columns / sizeof *range_columns,
    .count = count_ranges,
    .add = add_range,
};

/* ---- instances ---- */

static const struct prof_column kernel_columns[] = {
    {"count", "COUNT", PROF_CELL_COUNT}, {"total_ns", "TOTAL", PROF_CELL_NS},    {"min_ns", "MIN", PROF_CELL_NS},
    {"max_ns", "MAX", PROF_CELL_NS},     {"short_name", "WHAT", PROF_CELL_TEXT}, {"name", NULL, PROF_CELL_TEXT},
};

/* NULL: no memory. */
static struct prof_table *kernels_of(const struct prof_gpu_instance *instance) {
  struct prof_table *table = prof_table_new(kernel_columns, sizeof kernel_columns / sizeof *kernel_columns);
  for (size_t i = 0; table != NULL && i < instance->row_count; i++) {
    const struct prof_gpu_range_kernel *row = &instance->rows[i];
    prof_table_count(table, row->count);
    prof_table_count(table, row->total_ns);
    prof_table_count(table, row->min_ns);
    prof_table_count(table, row->max_ns);
    prof_table_text(table, row->short_what);
    prof_table_text(table, row->what);
  }
  if (table != NULL && prof_table_failed(table)) {
    prof_table_free(table);
    return NULL;
  }
  return table;
}

bool prof_gpu_instances_print(const struct prof_gpu_range_rows *ranges, size_t count,
                              const struct prof_output *output) {
  char time[PROF_UNITS_BYTES], start[PROF_UNITS_BYTES], gpu[PROF_UNITS_BYTES], api[PROF_UNITS_BYTES];
  for (size_t i = 0; i < count; i++) {
    const struct prof_gpu_instance *instance = &ranges->instances[i];
    struct prof_table *table = kernels_of(instance);
    if (table == NULL)
      return false;
    char name[512], thread[512];
    prof_text_escape(thread, sizeof thread, instance->thread_name, strlen(instance->thread_name));
    prof_text_escape(name, sizeof name, instance->name, strlen(instance->name));
    fprintf(output->file, "%s%s #%llu: %s%s from %s on, in thread %u%s%s%s; %s of it in CUDA; %s on the GPU\n",
            i > 0 ? "\n" : "", name, (unsigned long long)instance->number,
            prof_units_duration(time, instance->duration_ns), instance->open ? " (still open at the end)" : "",
            prof_units_duration(start, instance->start_ns), instance->tid, *thread != 0 ? " (" : "", thread,
            *thread != 0 ? ")" : "", prof_units_duration(api, instance->api_ns),
            prof_units_duration(gpu, instance->gpu_ns));
    if (instance->row_count > 0)
      prof_table_print(table, output->file, &output->style);
    prof_table_free(table);
  }
  if (count < ranges->instance_count)
    fprintf(output->file, "... and %zu more: -n 0 shows all\n", ranges->instance_count - count);
  return true;
}

bool prof_gpu_instances_json(const prof_trace *trace, const struct prof_gpu_range_rows *ranges, size_t count,
                             FILE *file) {
  struct prof_json json;
  prof_json_init(&json, file, 2);
  prof_json_object(&json, NULL);
  prof_unfinished_json(trace, &json);
  prof_json_array(&json, "instances");
  for (size_t i = 0; i < count; i++) {
    const struct prof_gpu_instance *instance = &ranges->instances[i];
    struct prof_table *table = kernels_of(instance);
    if (table == NULL)
      return false;
    prof_json_object(&json, NULL);
    prof_json_text(&json, "name", instance->name);
    prof_json_text(&json, "domain", instance->domain);
    prof_json_count(&json, "number", instance->number);
    prof_json_count(&json, "tid", instance->tid);
    prof_json_text(&json, "thread_name", instance->thread_name);
    prof_json_bool(&json, "open", instance->open);
    prof_json_count(&json, "start_ns", instance->start_ns);
    prof_json_count(&json, "duration_ns", instance->duration_ns);
    prof_json_count(&json, "api_ns", instance->api_ns);
    prof_json_count(&json, "gpu_ns", instance->gpu_ns);
    prof_json_count(&json, "kernels", instance->kernels);
    prof_json_count(&json, "copies", instance->copies);
    prof_table_json(table, &json, "works");
    prof_json_object_end(&json);
    prof_table_free(table);
  }
  prof_json_array_end(&json);
  prof_json_object_end(&json);
  return true;
}

bool prof_gpu_instances_csv(const struct prof_gpu_range_rows *ranges, size_t count, FILE *file) {
  static const struct prof_column columns[] = {
      {"name", NULL, PROF_CELL_TEXT},   {"number", NULL, PROF_CELL_COUNT},   {"tid", NULL, PROF_CELL_COUNT},
      {"start_ns", NULL, PROF_CELL_NS}, {"duration_ns", NULL, PROF_CELL_NS}, {"api_ns", NULL, PROF_CELL_NS},
      {"gpu_ns", NULL, PROF_CELL_NS},   {"kernels", NULL, PROF_CELL_COUNT},  {"copies", NULL, PROF_CELL_COUNT},
  };
  struct prof_table *table = prof_table_new(columns, sizeof columns / sizeof *columns);
  for (size_t i = 0; table != NULL && i < count; i++) {
    const struct prof_gpu_instance *instance = &ranges->instances[i];
    prof_table_text(table, instance->name);
    prof_table_count(table, instance->number);
    prof_table_count(table, instance->tid);
    prof_table_count(table, instance->start_ns);
    prof_table_count(table, instance->duration_ns);
    prof_table_count(table, instance->api_ns);
    prof_table_count(table, instance->gpu_ns);
    prof_table_count(table, instance->kernels);
    prof_table_count(table, instance->copies);
  }
  bool good = table != NULL && !prof_table_failed(table);
  if (good)
    prof_table_csv(table, file);
  prof_table_free(table);
  return good;
}
