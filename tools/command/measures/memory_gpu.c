/*
 * tools/command/measures/memory_gpu.c - see memory_gpu.h.
 */
#include "memory_gpu.h"

#include <stdio.h>
#include <stdlib.h>

#include "analysis/gpu/gpu_memory_events.h"
#include "base/diag.h"
#include "measure_rows.h"
#include "measure_view.h"
#include "memory_moments.h"
#include "view/units.h"

/* ---- columns ---- */

#define AT(member) PROF_MEMBER(struct prof_gpu_memory_pool, member)
#define HAS_DEVICE .known = offsetof(struct prof_gpu_memory_pool, has_device)
static const struct prof_field pool_fields[] = {
    {{"device", "DEVICE", PROF_CELL_COUNT}, AT(device), HAS_DEVICE},
    {{"pid", NULL, PROF_CELL_COUNT}, AT(pid)},
    {{NULL, "PID", PROF_CELL_TEXT}, AT(pid)},
    {{"memory", "MEMORY", PROF_CELL_TEXT}, AT(sort)},
    {{"peak_bytes", "PEAK", PROF_CELL_BYTES}, AT(sum.peak_bytes)},
    {{"peak_ns", "PEAK AT", PROF_CELL_NS}, AT(peak_ns)},
    {{"live_bytes", "LEFT", PROF_CELL_BYTES}, AT(sum.live_bytes)},
    {{"live_calls", "BLOCKS", PROF_CELL_COUNT, .spare = 3}, AT(sum.live_calls)},
    {{"bytes", "BYTES", PROF_CELL_BYTES}, AT(sum.bytes)},
    {{"calls", "CALLS", PROF_CELL_COUNT}, AT(sum.calls)},
    {{"temporary", NULL, PROF_CELL_COUNT}, AT(sum.temporary)},
    {{"frees", NULL, PROF_CELL_COUNT}, AT(frees)},
    {{"unknown_frees", NULL, PROF_CELL_COUNT}, AT(unknown_frees)},
    {{"name", "NAME", PROF_CELL_TEXT, .spare = 4}, AT(name)},
};
#undef AT
#undef HAS_DEVICE
#define POOL_FIELDS (sizeof pool_fields / sizeof *pool_fields)

struct shown { /* a row */
  struct prof_gpu_memory_row row;
  const char *function, *growth; /* as tables show them */
  char growth_text[PROF_MEMORY_CHANGE_BYTES];
};

#define AT(member) PROF_MEMBER(struct shown, member)
#define HAS_DEVICE .known = offsetof(struct shown, row.has_device)
#define LAST                                                                                                           \
  {                                                                                                                    \
    {NULL, NULL, PROF_CELL_TEXT}, {                                                                                    \
      0, 0                                                                                                             \
    }                                                                                                                  \
  }
static const struct prof_field keys[] = {
    {{"function", NULL, PROF_CELL_TEXT}, AT(row.function)},
    {{"file", NULL, PROF_CELL_TEXT}, AT(row.file)},
    {{"call", NULL, PROF_CELL_TEXT}, AT(row.call)},
    {{"kind", NULL, PROF_CELL_TEXT}, AT(row.kind)},
    {{"device", NULL, PROF_CELL_COUNT}, AT(row.device), HAS_DEVICE},
    LAST,
};
static const struct prof_field figures[] = {
    {{"peak_bytes", "PEAK", PROF_CELL_BYTES}, AT(row.sum.peak_bytes)},
    {{"live_bytes", "LEFT", PROF_CELL_BYTES}, AT(row.sum.live_bytes)},
    {{"live_calls", NULL, PROF_CELL_COUNT}, AT(row.sum.live_calls)},
    {{"bytes", "BYTES", PROF_CELL_BYTES}, AT(row.sum.bytes)},
    {{"calls", "CALLS", PROF_CELL_COUNT}, AT(row.sum.calls)},
    {{"temporary", "TEMPORARY", PROF_CELL_COUNT, .spare = 3}, AT(row.sum.temporary)},
    LAST,
};
static const struct prof_field changes[] = {
    {{"before_bytes", "BEFORE", PROF_CELL_BYTES}, AT(row.before.bytes)},
    {{"after_bytes", "AFTER", PROF_CELL_BYTES}, AT(row.after.bytes)},
    {{"before_calls", NULL, PROF_CELL_COUNT}, AT(row.before.calls)},
    {{"after_calls", "BLOCKS", PROF_CELL_COUNT}, AT(row.after.calls)},
    {{NULL, "CHANGE", PROF_CELL_TEXT}, AT(growth)},
    LAST,
};
static const struct prof_field titles[] = {
    {{NULL, "KIND", PROF_CELL_TEXT}, AT(row.kind)},
    {{NULL, "DEVICE", PROF_CELL_COUNT, .spare = 2}, AT(row.device), HAS_DEVICE},
    {{NULL, "FUNCTION", PROF_CELL_TEXT, PROF_CUT_NAME}, AT(function)},
    {{NULL, "FILE", PROF_CELL_TEXT, PROF_CUT_LEFT, .spare = 1}, AT(row.file)},
    {{NULL, "CALL", PROF_CELL_TEXT, .spare = 4}, AT(row.call)},
    LAST,
};
static const struct prof_field path_field[] = {
    {{"host_path", "HOST PATH", PROF_CELL_TEXT, PROF_CUT_MIDDLE}, AT(row.path)},
    LAST,
};

static size_t put_fields(struct prof_field *to, size_t count, const struct prof_field *fields) {
  for (; fields->column.key || fields->column.title; fields++)
    to[count++] = *fields;
  return count;
}

static size_t choose_fields(const struct prof_memory_gpu *gpu, struct prof_field out[PROF_MEASURE_MOST_FIELDS]) {
  size_t count = put_fields(out, 0, keys);
  count = put_fields(out, count, gpu->with_moments ? changes : figures);
  count = put_fields(out, count, titles);
  return gpu->settings->memory.by_path ? put_fields(out, count, path_field) : count;
}

/* ---- find ---- */

static struct shown *show_rows(const struct prof_gpu_memory *memory) {
  struct shown *rows = calloc(memory->count + 1, sizeof *rows);
  for (size_t i = 0; rows && i < memory->count; i++) {
    struct shown *row = &rows[i];
    row->row = memory->rows[i];
    row->function = *row->row.function ? row->row.function : "[no instrumented function]";
    row->growth = prof_memory_change_text(row->growth_text, row->row.before.bytes, row->row.after.bytes);
  }
  return rows;
}

prof_status prof_memory_gpu_find(struct prof_memory_gpu *gpu, const struct prof_memory_settings *settings,
                                 const struct prof_reader *reader, const struct prof_memory_options *options,
                                 struct prof_diag *diag) {
  const struct prof_recording *recording = &reader->recording;
  *gpu = (struct prof_memory_gpu){.settings = settings, .with_moments = options->moment_count > 0};
  if (!prof_gpu_memory_is_there(recording->trace))
    return PROF_OK;
  prof_status status = prof_gpu_study_open(&gpu->study, recording->trace, &recording->filter, recording->names,
                                           reader->common->demangle, diag);
  if (status != PROF_OK)
    return status;
  status = prof_gpu_memory_rank(&gpu->study, options, &gpu->memory);
  gpu->rows = status == PROF_OK ? show_rows(&gpu->memory) : NULL;
  return gpu->rows ? PROF_OK : prof_diag_memory(diag);
}

void prof_memory_gpu_free(struct prof_memory_gpu *gpu) {
  free(gpu->rows);
  prof_gpu_memory_free(&gpu->memory);
  if (gpu->study.trace)
    prof_gpu_study_close(&gpu->study);
  *gpu = (struct prof_memory_gpu){0};
}

/* ---- tables ---- */

static bool print_pools(const struct prof_gpu_memory *memory, const struct prof_output *output) {
  struct prof_column columns[POOL_FIELDS];
  struct prof_gpu_memory_pool *pools = calloc(memory->pool_count + 1, sizeof *pools);
  size_t count = 0;
  for (size_t i = 0; pools && i < memory->pool_count; i++)
    if (memory->pools[i].sum.calls > 0)
      pools[count++] = memory->pools[i];
  struct prof_table *table =
      pools ? prof_field_table(pool_fields, POOL_FIELDS, pools, sizeof *pools, count, columns) : NULL;
  if (table) {
    prof_output_line(output, (char[]){"GPU memory, by device"});
    prof_table_print(table, output->file, &output->style);
  }
  prof_table_free(table);
  free(pools);
  return table != NULL;
}

static void print_missing(const struct prof_gpu_memory *memory, const struct prof_output *output) {
  char missing[PROF_UNITS_BYTES], damaged[PROF_UNITS_BYTES], line[160];
  if (memory->missing + memory->damaged == 0)
    return;
  snprintf(line, sizeof line, "GPU records are missing: %s dropped or lost, %s damaged chunks",
           prof_units_count(missing, memory->missing), prof_units_count(damaged, memory->damaged));
  prof_output_wrap(output, line, 0);
}

static bool print_above(const struct prof_memory_gpu *gpu, const struct prof_output *output) {
  const bool good = print_pools(&gpu->memory, output);
  print_missing(&gpu->memory, output);
  fputc('\n', output->file);
  prof_output_line(output, (char[]){"GPU allocations"});
  return good;
}

bool prof_memory_gpu_print(const struct prof_memory_gpu *gpu, const struct prof_output *output) {
  struct prof_field fields[PROF_MEASURE_MOST_FIELDS];
  struct prof_column columns[PROF_MEASURE_MOST_FIELDS];
  if (gpu->memory.count == 0)
    return true;
  fputc('\n', output->file);
  const size_t shown = prof_ranked_count(&gpu->settings->ranked, PROF_RANKED_TABLE, gpu->memory.count),
               hidden = gpu->memory.count - shown, field_count = choose_fields(gpu, fields);
  struct prof_table *table = prof_field_table(fields, field_count, gpu->rows, sizeof(struct shown), shown, columns);
  const bool good = print_above(gpu, output) && table;
  if (table)
    prof_table_print(table, output->file, &output->style);
  if (hidden)
    fprintf(output->file, "... and %zu more place%s: -n 0 shows all\n", hidden, hidden == 1 ? "" : "s");
  prof_table_free(table);
  return good;
}

/* ---- JSON ---- */

static bool pools_json(const struct prof_memory_gpu *gpu, struct prof_json *json) {
  struct prof_column columns[POOL_FIELDS];
  struct prof_table *table = prof_field_table(pool_fields, POOL_FIELDS, gpu->memory.pools, sizeof *gpu->memory.pools,
                                              gpu->memory.pool_count, columns);
  if (table)
    prof_table_json(table, json, "gpu_memory");
  prof_table_free(table);
  prof_json_count(json, "gpu_missing_records", gpu->memory.missing);
  prof_json_count(json, "gpu_damaged_chunks", gpu->memory.damaged);
  return table != NULL;
}

bool prof_memory_gpu_json(const struct prof_memory_gpu *gpu, struct prof_json *json) {
  struct prof_field fields[PROF_MEASURE_MOST_FIELDS];
  struct prof_column columns[PROF_MEASURE_MOST_FIELDS];
  if (!gpu->memory.recorded)
    return true;
  const size_t shown = prof_ranked_count(&gpu->settings->ranked, PROF_RANKED_TABLE, gpu->memory.count);
  struct prof_table *table =
      prof_field_table(fields, choose_fields(gpu, fields), gpu->rows, sizeof(struct shown), shown, columns);
  const bool good = pools_json(gpu, json) && table;
  if (table)
    prof_table_json(table, json, "gpu_sites");
  prof_table_free(table);
  return good;
}

/* ---- alone ---- */

static void above(const void *context, const struct prof_output *output) {
  (void)print_above(context, output);
}

static void members(const void *context, struct prof_json *json) {
  (void)pools_json(context, json);
}

prof_status prof_memory_gpu_places(const struct prof_memory_gpu *gpu, const struct prof_reader *reader, int *result,
                                   struct prof_diag *diag) {
  struct prof_field fields[PROF_MEASURE_MOST_FIELDS];
  const struct prof_measure_view view = {.key = "gpu_sites",
                                         .row = "place",
                                         .fields = fields,
                                         .field_count = choose_fields(gpu, fields),
                                         .rows = gpu->rows,
                                         .row_bytes = sizeof(struct shown),
                                         .count = gpu->memory.count,
                                         .above = above,
                                         .members = members,
                                         .context = gpu};
  return prof_measure_show(&gpu->settings->ranked, reader, &view, result, diag);
}

prof_status prof_memory_gpu_show(const struct prof_memory_settings *settings, const struct prof_reader *reader,
                                 int *result, struct prof_diag *diag) {
  struct prof_memory_gpu gpu;
  struct prof_memory_moments moments;
  struct prof_memory_options options = settings->memory;
  prof_status status = prof_memory_moments_find(settings, reader, &options, &moments, diag);
  if (status != PROF_OK)
    return status;
  status = prof_memory_gpu_find(&gpu, settings, reader, &options, diag);
  if (status == PROF_OK && !gpu.memory.recorded)
    status = prof_diag_fill(diag, PROF_EMPTY, prof_trace_info(reader->recording.trace)->path, PROF_NO_OFFSET,
                            "prof record --gpu=on says why, if the program uses CUDA",
                            "the recording has no GPU allocations");
  else if (status == PROF_OK && gpu.memory.count == 0)
    status = prof_diag_fill(diag, PROF_EMPTY, NULL, PROF_NO_OFFSET, "widen the filters (-F -N -D --tid --range)",
                            "no GPU allocations to show");
  if (status == PROF_OK)
    status = prof_memory_gpu_places(&gpu, reader, result, diag);
  prof_memory_gpu_free(&gpu);
  return status;
}
