/*
 * tools/command/gpu_work_parts.c - see gpu_parts.h: kernels and copies.
 */
#include <stdio.h>
#include <string.h>

#include "gpu_parts.h"
#include "view/units.h"

/* ---- kernels ---- */

/* The order of the cells below. */
static const struct prof_column kernel_columns[] = {
    {"launches", "CALLS", PROF_CELL_COUNT},
    {"total_ns", "TOTAL", PROF_CELL_NS},
    {"share", "SHARE", PROF_CELL_SHARE},
    {"avg_ns", "AVG", PROF_CELL_NS},
    {"min_ns", "MIN", PROF_CELL_NS, .spare = 8},
    {"max_ns", "MAX", PROF_CELL_NS, .spare = 3},
    {"p95_ns", "P95", PROF_CELL_NS, .spare = 4},
    {"grid", "GRID", PROF_CELL_TEXT, .spare = 5},
    {"block", "BLOCK", PROF_CELL_TEXT, .spare = 5},
    {"registers", "REGS", PROF_CELL_COUNT, .spare = 6},
    {"static_shared_bytes", NULL, PROF_CELL_COUNT},
    {"dynamic_shared_bytes", NULL, PROF_CELL_COUNT},
    {NULL, "SHARED", PROF_CELL_TEXT, .spare = 7},
    {"occupancy", "OCC", PROF_CELL_SHARE, .spare = 2},
    {"occupancy_limit", NULL, PROF_CELL_TEXT},
    {NULL, "LIMIT", PROF_CELL_TEXT, .spare = 3},
    {"host_paths", NULL, PROF_CELL_COUNT},
    {"call", NULL, PROF_CELL_TEXT},
    {"name", NULL, PROF_CELL_TEXT},
    {"short_name", "KERNEL", PROF_CELL_TEXT},
    {"created_path", NULL, PROF_CELL_TEXT},
    {"host_path", "HOST PATH", PROF_CELL_TEXT},
};
/* "256", "16x16", "16x16x2"; "+" behind it: not in all launches. */
static const char *shape(char out[80], const uint64_t size[3], bool differs) {
  const char *more = differs ? "+" : "";
  if (size[2] > 1)
    snprintf(out, 80, "%llux%llux%llu%s", (unsigned long long)size[0], (unsigned long long)size[1],
             (unsigned long long)size[2], more);
  else if (size[1] > 1)
    snprintf(out, 80, "%llux%llu%s", (unsigned long long)size[0], (unsigned long long)size[1], more);
  else
    snprintf(out, 80, "%llu%s", (unsigned long long)size[0], more);
  return out;
}

/* In a table of a row per kernel: "main > step", and how many other paths there are. */
const char *prof_gpu_path_text(char *out, size_t bytes, const char *path, uint64_t paths, bool in_table) {
  const char *shown = *path == 0 && in_table ? "[no instrumented function]" : path;
  if (paths > 1 && in_table)
    snprintf(out, bytes, "%s (and %llu more)", shown, (unsigned long long)(paths - 1));
  else
    snprintf(out, bytes, "%s", shown);
  return out;
}

/* "main > run; node created at main > build" */
static void add_path(struct prof_table *table, const char *path, const char *created, uint64_t paths, bool in_table) {
  char text[8500], launched[4200];
  prof_gpu_path_text(launched, sizeof launched, path, paths, in_table);
  if (in_table && *created != 0)
    snprintf(text, sizeof text, "%s; created at %s", launched, created);
  else
    snprintf(text, sizeof text, "%s", launched);
  prof_table_text(table, text);
}

static void add_kernel(struct prof_table *table, const struct prof_gpu_result *result, size_t at, bool in_table) {
  const struct prof_gpu_kernel_row *row = &result->work.kernels[at];
  char text[80];
  prof_table_count(table, row->launches);
  prof_table_count(table, row->total_ns);
  prof_table_share(table, row->share);
  prof_table_count(table, row->avg_ns);
  prof_table_count(table, row->min_ns);
  prof_table_count(table, row->max_ns);
  prof_table_count(table, row->p95_ns);
  prof_table_text(table, shape(text, row->grid, row->grids_differ));
  prof_table_text(table, shape(text, row->block, row->grids_differ));
  prof_table_count(table, row->registers);
  prof_table_count(table, row->static_shared);
  prof_table_count(table, row->dynamic_shared);
  prof_table_text(table, prof_units_bytes(text, row->static_shared + row->dynamic_shared));
  prof_table_share(table, row->occupancy);
  prof_table_text(table, row->occupancy_limit);
  prof_table_text(table, row->occupancy < 1 ? row->occupancy_limit : "");
  prof_table_count(table, row->paths);
  prof_table_text(table, row->call);
  prof_table_text(table, row->name);
  prof_table_text(table, row->short_name);
  prof_table_text(table, row->created);
  add_path(table, row->path, row->created, row->paths, in_table);
}

static size_t count_kernels(const struct prof_gpu_result *result) {
  return result->work.kernel_count;
}

const struct prof_gpu_part prof_gpu_kernels_part = {
    .name = "kernels",
    .title = "Kernels",
    .rows_of = "kernels",
    .default_rows = 20,
    .columns = kernel_columns,
    .column_count = sizeof kernel_columns / sizeof *kernel_columns,
    .count = count_kernels,
    .add = add_kernel,
};

/* ---- copies ---- */

static const struct prof_column copy_columns[] = {
    {"count", "COUNT", PROF_CELL_COUNT},    {"total_ns", "TOTAL", PROF_CELL_NS},
    {"share", "SHARE", PROF_CELL_SHARE},    {"min_ns", NULL, PROF_CELL_NS},
    {"max_ns", NULL, PROF_CELL_NS},         {"bytes", NULL, PROF_CELL_COUNT},
    {NULL, "BYTES", PROF_CELL_TEXT},        {"bytes_per_second", NULL, PROF_CELL_COUNT},
    {NULL, "RATE", PROF_CELL_TEXT},         {"kind", "COPY", PROF_CELL_TEXT},
    {"host_memory", NULL, PROF_CELL_TEXT},  {NULL, "HOST MEMORY", PROF_CELL_TEXT},
    {"host_paths", NULL, PROF_CELL_COUNT},  {"call", "CALL", PROF_CELL_TEXT},
    {"created_path", NULL, PROF_CELL_TEXT}, {"host_path", "HOST PATH", PROF_CELL_TEXT},
};
static void add_copy(struct prof_table *table, const struct prof_gpu_result *result, size_t at, bool in_table) {
  const struct prof_gpu_copy_row *row = &result->work.copies[at];
  char text[80], number[PROF_UNITS_BYTES];
  prof_table_count(table, row->count);
  prof_table_count(table, row->total_ns);
  prof_table_share(table, row->share);
  prof_table_count(table, row->min_ns);
  prof_table_count(table, row->max_ns);
  prof_table_count(table, row->bytes);
  prof_table_text(table, prof_units_bytes(number, row->bytes));
  prof_table_count(table, row->bytes_per_second);
  snprintf(text, sizeof text, "%s/s", prof_units_bytes(number, row->bytes_per_second));
  prof_table_text(table, text);
  prof_table_text(table, row->kind);
  prof_table_text(table, row->memory);
  snprintf(text, sizeof text, "%s%s", row->memory, strcmp(row->memory, "pageable") == 0 ? " !" : "");
  prof_table_text(table, text);
  prof_table_count(table, row->paths);
  prof_table_text(table, row->call);
  prof_table_text(table, row->created);
  add_path(table, row->path, row->created, row->paths, in_table);
}

static size_t count_copies(const struct prof_gpu_result *result) {
  return result->work.copy_count;
}

static void remark_on_copies(const struct prof_gpu_result *result, FILE *file) {
  const struct prof_gpu_cover *cover = &result->work.cover;
  char count[PROF_UNITS_BYTES], bytes[PROF_UNITS_BYTES], time[PROF_UNITS_BYTES];
  if (cover->pageable > 0)
    fprintf(file, "! pageable copies: %s, %s in %s; pinned (cudaMallocHost) is faster\n",
            prof_units_count(count, cover->pageable), prof_units_bytes(bytes, cover->pageable_bytes),
            prof_units_duration(time, cover->pageable_ns));
}

const struct prof_gpu_part prof_gpu_copies_part = {
    .name = "copies",
    .title = "Copies and sets",
    .rows_of = "copies",
    .default_rows = 20,
    .columns = copy_columns,
    .column_count = sizeof copy_columns / sizeof *copy_columns,
    .count = count_copies,
    .add = add_copy,
    .remark = remark_on_copies,
};
