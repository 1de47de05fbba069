/*
 * tools/command/gpu.c - `prof gpu`: kernels and copies of a recording, under the host paths that asked for them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/gpu.h"
#include "base/diag.h"
#include "base/json.h"
#include "command.h"
#include "common.h"
#include "gpu_cover.h"
#include "output.h"
#include "reader.h"
#include "view/table.h"
#include "view/units.h"

#define DEFAULT_ROWS 20

struct settings {
  struct prof_common common;
  enum prof_gpu_by by;
  bool has_count;
  uint64_t count; /* rows; 0: all */
};

/* ---- kernels ---- */

/* The order of the cells below. */
static const struct prof_column kernel_columns[] = {
    {"launches", "CALLS", PROF_CELL_COUNT},
    {"total_ns", "TOTAL", PROF_CELL_NS},
    {"share", "SHARE", PROF_CELL_SHARE},
    {"avg_ns", "AVG", PROF_CELL_NS},
    {"min_ns", "MIN", PROF_CELL_NS},
    {"max_ns", "MAX", PROF_CELL_NS},
    {"p95_ns", "P95", PROF_CELL_NS},
    {"grid", "GRID", PROF_CELL_TEXT},
    {"block", "BLOCK", PROF_CELL_TEXT},
    {"registers", "REGS", PROF_CELL_COUNT},
    {"static_shared_bytes", NULL, PROF_CELL_COUNT},
    {"dynamic_shared_bytes", NULL, PROF_CELL_COUNT},
    {NULL, "SHARED", PROF_CELL_TEXT},
    {"host_paths", NULL, PROF_CELL_COUNT},
    {"call", NULL, PROF_CELL_TEXT},
    {"name", "KERNEL", PROF_CELL_TEXT},
    {"host_path", "HOST PATH", PROF_CELL_TEXT},
};
#define KERNEL_COLUMNS (sizeof kernel_columns / sizeof *kernel_columns)

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
static const char *path_text(char *out, size_t bytes, const char *path, uint64_t paths, bool in_table) {
  const char *shown = *path == 0 && in_table ? "[no probed function]" : path;
  if (paths > 1 && in_table)
    snprintf(out, bytes, "%s (and %llu more)", shown, (unsigned long long)(paths - 1));
  else
    snprintf(out, bytes, "%s", shown);
  return out;
}

static void add_kernel(struct prof_table *table, const struct prof_gpu_kernel_row *row, bool in_table) {
  char text[80], path[4200];
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
  prof_table_count(table, row->paths);
  prof_table_text(table, row->call);
  prof_table_text(table, row->name);
  prof_table_text(table, path_text(path, sizeof path, row->path, row->paths, in_table));
}

/* ---- copies ---- */

static const struct prof_column copy_columns[] = {
    {"count", "COUNT", PROF_CELL_COUNT},
    {"total_ns", "TOTAL", PROF_CELL_NS},
    {"share", "SHARE", PROF_CELL_SHARE},
    {"min_ns", NULL, PROF_CELL_NS},
    {"max_ns", NULL, PROF_CELL_NS},
    {"bytes", NULL, PROF_CELL_COUNT},
    {NULL, "BYTES", PROF_CELL_TEXT},
    {"bytes_per_second", NULL, PROF_CELL_COUNT},
    {NULL, "RATE", PROF_CELL_TEXT},
    {"kind", "COPY", PROF_CELL_TEXT},
    {"host_memory", "HOST MEMORY", PROF_CELL_TEXT},
    {"host_paths", NULL, PROF_CELL_COUNT},
    {"call", "CALL", PROF_CELL_TEXT},
    {"host_path", "HOST PATH", PROF_CELL_TEXT},
};
#define COPY_COLUMNS (sizeof copy_columns / sizeof *copy_columns)

static void add_copy(struct prof_table *table, const struct prof_gpu_copy_row *row, bool in_table) {
  char text[80], number[PROF_UNITS_BYTES], path[4200];
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
  prof_table_count(table, row->paths);
  prof_table_text(table, row->call);
  prof_table_text(table, path_text(path, sizeof path, row->path, row->paths, in_table));
}

/* ---- the three forms ---- */

static size_t rows_shown(const struct settings *settings, size_t count) {
  uint64_t limit = settings->has_count                            ? settings->count
                   : settings->common.format == PROF_FORMAT_TABLE ? DEFAULT_ROWS
                                                                  : 0;
  return limit > 0 && limit < count ? (size_t)limit : count;
}

static void print_part(const struct prof_table *table, const struct prof_output *output, size_t hidden,
                       const char *of_what) {
  fprintf(output->file, "\n");
  prof_table_print(table, output->file, &output->style);
  if (hidden > 0)
    fprintf(output->file, "... and %zu more %s: -n 0 shows all\n", hidden, of_what);
}

static void print_json(const struct prof_gpu_rows *rows, const struct prof_table *kernels,
                       const struct prof_table *copies, FILE *file) {
  struct prof_json json;
  prof_json_init(&json, file, 2);
  prof_json_object(&json, NULL);
  prof_table_json(kernels, &json, "kernels");
  prof_table_json(copies, &json, "copies");
  prof_gpu_cover_json(&rows->cover, &json, "gpu_cover");
  prof_json_object_end(&json);
}

static prof_status show(const struct settings *settings, const struct prof_gpu_rows *rows,
                        const struct prof_output *output, struct prof_diag *diag) {
  bool in_table = settings->common.format == PROF_FORMAT_TABLE;
  struct prof_table *kernels = prof_table_new(kernel_columns, KERNEL_COLUMNS),
                    *copies = prof_table_new(copy_columns, COPY_COLUMNS);
  size_t kernel_count = rows_shown(settings, rows->kernel_count), copy_count = rows_shown(settings, rows->copy_count);
  bool good = kernels != NULL && copies != NULL;
  for (size_t i = 0; good && i < kernel_count; i++)
    add_kernel(kernels, &rows->kernels[i], in_table);
  for (size_t i = 0; good && i < copy_count; i++)
    add_copy(copies, &rows->copies[i], in_table);
  good = good && !prof_table_failed(kernels) && !prof_table_failed(copies);
  if (good && in_table) {
    prof_gpu_cover_lines(&rows->cover, output);
    if (kernel_count > 0)
      print_part(kernels, output, rows->kernel_count - kernel_count, "kernels");
    if (copy_count > 0)
      print_part(copies, output, rows->copy_count - copy_count, "copies");
  } else if (good && settings->common.format == PROF_FORMAT_JSON) {
    print_json(rows, kernels, copies, output->file);
  } else if (good) {
    prof_table_csv(kernels, output->file);
  }
  prof_table_free(kernels);
  prof_table_free(copies);
  return good ? PROF_OK : prof_diag_fill(diag, PROF_NO_MEMORY, NULL, PROF_NO_OFFSET, NULL, "out of memory");
}

static prof_status report(const struct settings *settings, const struct prof_reader *reader, int *result,
                          struct prof_diag *diag) {
  struct prof_gpu_rows rows;
  struct prof_output output;
  prof_status status = prof_gpu_rank(reader->trace, &reader->filter, reader->names, settings->common.demangle,
                                     settings->by, diag, &rows);
  if (status != PROF_OK)
    return status;
  prof_output_begin(&output, &settings->common);
  prof_reader_warn(reader, &output);
  status = show(settings, &rows, &output, diag);
  *result = prof_output_end(&output);
  prof_gpu_rows_free(&rows);
  return status;
}

/* ---- the command ---- */

static int run(void *argument, int argc, char **argv) {
  struct settings *settings = argument;
  struct prof_reader reader;
  struct prof_diag diag;
  int result = PROF_EXIT_OK;
  if (argc > 0) {
    prof_command_usage(&diag, "the recording is named by -i DIR; only below one function: -F NAME", "what is '%s'?",
                       argv[0]);
    return prof_command_fail(&diag);
  }
  prof_status status = prof_reader_open(&reader, &settings->common, &diag);
  if (status == PROF_OK) {
    status = report(settings, &reader, &result, &diag);
    prof_reader_close(&reader);
  }
  return status == PROF_OK ? result : prof_command_fail(&diag);
}

static prof_status take_by(void *settings, const char *value, struct prof_diag *diag) {
  static const char *const words[] = {[PROF_GPU_BY_KERNEL] = "kernel", [PROF_GPU_BY_PATH] = "path", NULL};
  int index = 0;
  prof_status status = prof_value_word("--by", value, words, &index, diag);
  ((struct settings *)settings)->by = (enum prof_gpu_by)index;
  return status;
}

static prof_status take_count(void *argument, const char *value, struct prof_diag *diag) {
  struct settings *settings = argument;
  settings->has_count = true;
  return prof_value_count("-n", value, 0, UINT64_MAX, &settings->count, diag);
}

static const struct prof_option options[] = {
    {"by", 0, "kernel|path", "a row per kernel (default), or one per kernel and host path", take_by},
    {"rows", 'n', "N", "at most N rows of each table; 0: all (default: 20 in a table, else all)", take_count},
    {0},
};

const struct prof_command prof_command_gpu = {
    .name = "gpu",
    .summary = "Show what the GPU did: kernels and copies, and the host paths that asked for them",
    .group = "Look",
    .options = options,
    .filters = true,
    .settings_bytes = sizeof(struct settings),
    .run = run,
};
