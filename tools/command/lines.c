/*
 * tools/command/lines.c - `prof lines`: what each source line cost.
 */
#include "analysis/lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/json.h"
#include "command.h"
#include "common.h"
#include "cover_lines.h"
#include "gpu_lines.h"
#include "gpu_time.h"
#include "output.h"
#include "reader.h"
#include "symbols.h"

#define DEFAULT_ROWS 20

struct settings {
  struct prof_common common;
  struct prof_line_options lines;
  bool gpu; /* of kernels */
  bool has_count;
  uint64_t count; /* rows; 0: all */
};

static const char *const sorts[] = {"self", "calls-time", "calls", "count", "gpu", "line", NULL};

/* ---- columns: in tables only those that say something ---- */

enum need { ALWAYS, SAMPLES, COUNTS, DATA, GPU }; /* DATA: JSON and CSV only; GPU: only in recordings with one */

struct field {
  struct prof_column column;
  enum need need;
  size_t offset; /* in struct prof_line_row */
  bool label;    /* a uint32_t */
};

#define AT(member) offsetof(struct prof_line_row, member)
static const struct field fields[] = {
    {{"file", NULL, PROF_CELL_TEXT}, DATA, AT(file), false},
    {{"line", NULL, PROF_CELL_COUNT}, DATA, AT(line), true},
    {{"function", NULL, PROF_CELL_TEXT}, DATA, AT(function), false},
    {{"self_ns", "SELF", PROF_CELL_NS}, SAMPLES, AT(self_ns), false},
    {{"samples", "SAMPLES", PROF_CELL_COUNT}, SAMPLES, AT(samples), false},
    {{"calls_ns", "IN CALLS", PROF_CELL_NS}, ALWAYS, AT(calls_ns), false},
    {{"calls", "CALLS", PROF_CELL_COUNT}, ALWAYS, AT(calls), false},
    {{"count", "COUNT", PROF_CELL_COUNT}, COUNTS, AT(count), false},
    {{"gpu_ns", "GPU", PROF_CELL_NS}, GPU, AT(gpu_ns), false},
    {{"self_share", "SELF%", PROF_CELL_SHARE}, SAMPLES, AT(self_share), false},
    {{"self_share_low", NULL, PROF_CELL_SHARE}, DATA, AT(share_interval.low), false},
    {{"self_share_high", NULL, PROF_CELL_SHARE}, DATA, AT(share_interval.high), false},
};
#define FIELD_COUNT (sizeof fields / sizeof *fields)

static bool wanted(const struct field *field, const struct prof_line_rows *rows, bool table) {
  bool counts = false, gpu = false;
  for (size_t i = 0; i < rows->count; i++) {
    counts |= rows->rows[i].count > 0;
    gpu |= rows->rows[i].gpu_ns > 0;
  }
  if (field->need == GPU)
    return gpu;
  return !table || field->need == ALWAYS || (field->need == SAMPLES && rows->samples > 0) ||
         (field->need == COUNTS && counts);
}

static void add_cell(struct prof_table *table, const struct field *field, const struct prof_line_row *row) {
  const void *value = (const char *)row + field->offset;
  if (field->label)
    prof_table_count(table, *(const uint32_t *)value);
  else if (field->column.kind == PROF_CELL_TEXT)
    prof_table_text(table, *(const char *const *)value);
  else if (field->column.kind == PROF_CELL_SHARE)
    prof_table_share(table, *(const double *)value);
  else
    prof_table_count(table, *(const uint64_t *)value);
}

/* "src/app.c:12"; a path alone where the line isn't known. */
static void add_place(struct prof_table *table, const struct prof_reader *reader, const struct prof_line_row *row) {
  const char *path = prof_reader_short_path(reader, row->file);
  char text[4200];
  if (row->line)
    snprintf(text, sizeof text, "%.4096s:%u", path, row->line);
  else
    snprintf(text, sizeof text, "%.4096s", path[0] ? path : "-");
  prof_table_text(table, text);
}

static struct prof_table *make_table(const struct prof_reader *reader, const struct prof_line_rows *rows, size_t count,
                                     bool table, struct prof_column columns[FIELD_COUNT + 2]) {
  const struct field *chosen[FIELD_COUNT];
  size_t chosen_count = 0, column_count;
  for (size_t i = 0; i < FIELD_COUNT; i++)
    if (wanted(&fields[i], rows, table) && (!table || fields[i].column.title)) {
      columns[chosen_count] = fields[i].column;
      chosen[chosen_count++] = &fields[i];
    }
  column_count = chosen_count;
  if (table) {
    columns[column_count++] = (struct prof_column){NULL, "LINE", PROF_CELL_TEXT};
    columns[column_count++] = (struct prof_column){NULL, "FUNCTION", PROF_CELL_TEXT};
  }
  struct prof_table *made = prof_table_new(columns, column_count);
  for (size_t i = 0; i < count && made; i++) {
    for (size_t j = 0; j < chosen_count; j++)
      add_cell(made, chosen[j], &rows->rows[i]);
    if (table) {
      add_place(made, reader, &rows->rows[i]);
      prof_table_text(made, rows->rows[i].function);
    }
  }
  return made;
}

/* ---- the command ---- */

static prof_status show(const struct settings *settings, const struct prof_reader *reader,
                        const struct prof_profile *profile, const struct prof_line_rows *rows,
                        const struct prof_output *output, struct prof_diag *diag) {
  bool table = settings->common.format == PROF_FORMAT_TABLE;
  uint64_t limit = settings->has_count ? settings->count : table ? DEFAULT_ROWS : 0;
  size_t count = limit && limit < rows->count ? (size_t)limit : rows->count;
  struct prof_column columns[FIELD_COUNT + 2];
  struct prof_table *made = make_table(reader, rows, count, table, columns);
  if (!made || prof_table_failed(made)) {
    prof_table_free(made);
    return prof_diag_memory(diag);
  }
  struct prof_cover cover;
  prof_cover_of(profile, &cover);
  if (table) {
    prof_cover_lines(&cover, output);
    prof_table_print(made, output->file, &output->style);
    if (count < rows->count)
      fprintf(output->file, "... and %zu more lines: -n 0 shows all\n", rows->count - count);
  } else if (settings->common.format == PROF_FORMAT_JSON) {
    struct prof_json json;
    prof_json_init(&json, output->file, 2);
    prof_json_object(&json, NULL);
    prof_table_json(made, &json, "lines");
    prof_cover_json(&cover, &json, "cover");
    prof_json_object_end(&json);
  } else {
    prof_table_csv(made, output->file);
  }
  prof_table_free(made);
  return PROF_OK;
}

static prof_status lines(const struct settings *settings, const struct prof_reader *reader, int *result,
                         struct prof_diag *diag) {
  struct prof_profile *profile = NULL;
  struct prof_samples *samples = NULL;
  struct prof_symbols *symbols = NULL;
  struct prof_line_rows rows = {0};
  struct prof_output output;
  prof_status status = prof_symbols_new(reader, diag, &symbols);
  if (status == PROF_OK)
    status = prof_reader_fold_places(reader, &profile, &samples, diag);
  if (status == PROF_OK) {
    struct prof_line_source source = prof_symbols_source(symbols);
    struct prof_line_options options = settings->lines;
    options.within = reader->filter.has_only;
    status = prof_lines_rank(profile, samples, reader->names, &source, &options, diag, &rows);
    if (status == PROF_OK)
      status = prof_gpu_time_lines(reader, &source, &options, &rows, diag);
  }
  if (status == PROF_OK) {
    prof_output_begin(&output, &settings->common);
    prof_reader_warn(reader, &output);
    if (settings->common.format == PROF_FORMAT_TABLE)
      prof_sample_line(samples, rows.samples, &output);
    status = show(settings, reader, profile, &rows, &output, diag);
    *result = prof_output_end(&output);
    prof_symbols_warn(symbols);
  }
  prof_lines_free(&rows);
  prof_samples_free(samples);
  prof_profile_free(profile);
  prof_symbols_free(symbols);
  return status;
}

static int run(void *argument, int argc, char **argv) {
  struct settings *settings = argument;
  struct prof_reader reader;
  struct prof_diag diag;
  int result = PROF_EXIT_OK;
  if (argc) {
    prof_command_usage(&diag, "the source of a function with its costs: prof annotate NAME", "what is '%s'?", argv[0]);
    return prof_command_fail(&diag);
  }
  prof_status status = prof_reader_open(&reader, &settings->common, &diag);
  if (status == PROF_OK) {
    uint64_t rows = settings->has_count                          ? settings->count
                    : reader.common->format == PROF_FORMAT_TABLE ? DEFAULT_ROWS
                                                                 : 0;
    status =
        settings->gpu ? prof_gpu_lines_show(&reader, rows, &result, &diag) : lines(settings, &reader, &result, &diag);
    prof_reader_close(&reader);
  }
  return status == PROF_OK ? result : prof_command_fail(&diag);
}

static prof_status take_sort(void *settings, const char *value, struct prof_diag *diag) {
  int index = 0;
  prof_status status = prof_value_word("--sort", value, sorts, &index, diag);
  ((struct settings *)settings)->lines.sort = (enum prof_line_sort)index;
  return status;
}

static prof_status take_count(void *argument, const char *value, struct prof_diag *diag) {
  struct settings *settings = argument;
  settings->has_count = true;
  return prof_value_count("-n", value, 0, UINT64_MAX, &settings->count, diag);
}

static prof_status take_inlined_at(void *settings, const char *value, struct prof_diag *diag) {
  (void)value;
  (void)diag;
  ((struct settings *)settings)->lines.inlined_at = true;
  return PROF_OK;
}

static prof_status take_gpu(void *settings, const char *value, struct prof_diag *diag) {
  (void)value;
  (void)diag;
  ((struct settings *)settings)->gpu = true;
  return PROF_OK;
}

static const struct prof_option options[] = {
    {"sort", 's', "KEY", "self (default), calls-time, calls, count, gpu or line", take_sort},
    {"rows", 'n', "N", "at most N rows; 0: all (default: 20 in a table, else all)", take_count},
    {"gpu", 0, NULL, "lines of kernels, and why warps stalled there (recorded with --gpu-lines)", take_gpu},
    {"inlined-at", 0, NULL, "inlined code belongs to the line that it was inlined into", take_inlined_at},
    {0},
};

const struct prof_command prof_command_lines = {
    .name = "lines",
    .summary = "Show what each source line cost: own time, and time in what it called",
    .group = "Look",
    .options = options,
    .filters = true,
    .settings_bytes = sizeof(struct settings),
    .run = run,
};
