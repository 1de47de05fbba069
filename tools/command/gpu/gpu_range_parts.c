/*
 * tools/command/gpu/gpu_range_parts.c - see gpu_parts.h: ranges of NVTX, and their instances one by one.
 */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "export/unfinished.h"
#include "gpu_parts.h"
#include "view/units.h"

static void add_open(struct prof_table *table, const void *open) {
  uint64_t count = *(const uint64_t *)open;
  char text[32] = "";
  if (count > 0)
    snprintf(text, sizeof text, "%llu at the end", (unsigned long long)count);
  prof_table_text(table, text);
}

#define IN(member) PROF_MEMBER(struct prof_gpu_range_row, member)
static const struct prof_field range_fields[] = {
    {{"instances", "COUNT", PROF_CELL_COUNT}, IN(instances)},
    {{"total_ns", "TOTAL", PROF_CELL_NS}, IN(total_ns)},
    {{"avg_ns", "AVG", PROF_CELL_NS}, IN(avg_ns)},
    {{"min_ns", "MIN", PROF_CELL_NS}, IN(min_ns)},
    {{"max_ns", "MAX", PROF_CELL_NS}, IN(max_ns)},
    {{"api_ns", "IN CUDA", PROF_CELL_NS}, IN(api_ns)},
    {{"gpu_ns", "GPU", PROF_CELL_NS}, IN(gpu_ns)},
    {{"kernels", "KERNELS", PROF_CELL_COUNT}, IN(kernels)},
    {{"copies", "COPIES", PROF_CELL_COUNT}, IN(copies)},
    {{"open", NULL, PROF_CELL_COUNT}, IN(open)},
    {{NULL, "OPEN", PROF_CELL_TEXT}, IN(open), .cell = add_open},
    {{"domain", NULL, PROF_CELL_TEXT}, IN(domain)},
    {{"name", "RANGE", PROF_CELL_TEXT}, IN(name)},
};
#undef IN

const struct prof_gpu_part prof_gpu_ranges_part = {
    .name = "ranges",
    .title = "NVTX ranges with their GPU time; --nvtx=RANGE lists each",
    .rows_of = "ranges",
    .default_rows = 10,
    PROF_GPU_ROWS(range_fields, ranges.rows, ranges.count),
};

/* ---- instances ---- */

#define IN(member) PROF_MEMBER(struct prof_gpu_range_kernel, member)
static const struct prof_field kernel_fields[] = {
    {{"count", "COUNT", PROF_CELL_COUNT}, IN(count)},
    {{"total_ns", "TOTAL", PROF_CELL_NS}, IN(total_ns)},
    {{"min_ns", "MIN", PROF_CELL_NS}, IN(min_ns)},
    {{"max_ns", "MAX", PROF_CELL_NS}, IN(max_ns)},
    {{"short_name", "WHAT", PROF_CELL_TEXT}, IN(short_what)},
    {{"name", NULL, PROF_CELL_TEXT}, IN(what)},
};
#undef IN
#define KERNEL_FIELDS (sizeof kernel_fields / sizeof *kernel_fields)

/* NULL: no memory. */
static struct prof_table *kernels_of(const struct prof_gpu_instance *instance,
                                     struct prof_column columns[KERNEL_FIELDS]) {
  return prof_field_table(kernel_fields, KERNEL_FIELDS, instance->rows, sizeof *instance->rows, instance->row_count,
                          columns);
}

bool prof_gpu_instances_print(const struct prof_gpu_range_rows *ranges, size_t count,
                              const struct prof_output *output) {
  char time[PROF_UNITS_BYTES], start[PROF_UNITS_BYTES], gpu[PROF_UNITS_BYTES], api[PROF_UNITS_BYTES];
  struct prof_column columns[KERNEL_FIELDS];
  for (size_t i = 0; i < count; i++) {
    const struct prof_gpu_instance *instance = &ranges->instances[i];
    struct prof_table *table = kernels_of(instance, columns);
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
  prof_unfinished_begin(&json, file, 2, trace);
  prof_json_array(&json, "instances");
  struct prof_column columns[KERNEL_FIELDS];
  for (size_t i = 0; i < count; i++) {
    const struct prof_gpu_instance *instance = &ranges->instances[i];
    struct prof_table *table = kernels_of(instance, columns);
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

#define IN(member) PROF_MEMBER(struct prof_gpu_instance, member)
static const struct prof_field instance_fields[] = {
    {{"name", NULL, PROF_CELL_TEXT}, IN(name)},
    {{"number", NULL, PROF_CELL_COUNT}, IN(number)},
    {{"tid", NULL, PROF_CELL_COUNT}, IN(tid)},
    {{"start_ns", NULL, PROF_CELL_NS}, IN(start_ns)},
    {{"duration_ns", NULL, PROF_CELL_NS}, IN(duration_ns)},
    {{"api_ns", NULL, PROF_CELL_NS}, IN(api_ns)},
    {{"gpu_ns", NULL, PROF_CELL_NS}, IN(gpu_ns)},
    {{"kernels", NULL, PROF_CELL_COUNT}, IN(kernels)},
    {{"copies", NULL, PROF_CELL_COUNT}, IN(copies)},
};
#define INSTANCE_FIELDS (sizeof instance_fields / sizeof *instance_fields)

bool prof_gpu_instances_csv(const struct prof_gpu_range_rows *ranges, size_t count, FILE *file) {
  struct prof_column columns[INSTANCE_FIELDS];
  struct prof_table *table =
      prof_field_table(instance_fields, INSTANCE_FIELDS, ranges->instances, sizeof *ranges->instances, count, columns);
  if (table)
    prof_table_csv(table, file);
  prof_table_free(table);
  return table != NULL;
}
