/*
 * tools/command/gpu/gpu_lines.c - see gpu_lines.h.
 */
#include "gpu_lines.h"

#include <stdio.h>

#include "base/diag.h"
#include "base/json.h"
#include "export/unfinished.h"
#include "gpu_line_parts.h"
#include "gpu_programs.h"
#include "view/table.h"

/* "src/k.cu:12"; unknown: "-". */
static void add_place(struct prof_table *table, const struct prof_reader *reader, const struct prof_gpu_line_row *row) {
  char text[4200];
  if (row->line > 0)
    snprintf(text, sizeof text, "%.4096s:%u", prof_shown_path(reader->recording.paths, row->file), row->line);
  else
    snprintf(text, sizeof text, "-");
  prof_table_text(table, text);
}

static bool show_table(const struct prof_reader *reader, const struct prof_gpu_line_rows *rows, size_t count,
                       const struct prof_output *output) {
  static const struct prof_column columns[] = {
      {NULL, "SAMPLES", PROF_CELL_COUNT},
      {NULL, "SHARE", PROF_CELL_SHARE},
      {NULL, "NOT ISSUED", PROF_CELL_COUNT},
      {NULL, "STALLS", PROF_CELL_TEXT},
      {NULL, "LINE", PROF_CELL_TEXT, PROF_CUT_LEFT},
      {NULL, "KERNEL", PROF_CELL_TEXT},
  };
  struct prof_table *table = prof_table_new(columns, sizeof columns / sizeof *columns);
  char stalls[200];
  for (size_t i = 0; table != NULL && i < count; i++) {
    const struct prof_gpu_line_row *row = &rows->rows[i];
    prof_table_count(table, row->samples);
    prof_table_share(table, row->share);
    prof_table_count(table, row->idle);
    prof_table_text(table, prof_gpu_stalls_text(stalls, sizeof stalls, rows, row));
    add_place(table, reader, row);
    prof_table_text(table, row->kernel);
  }
  bool good = table != NULL && !prof_table_failed(table);
  if (good) {
    prof_gpu_line_cover_lines(rows, output);
    prof_table_print(table, output->file, &output->style);
    if (count < rows->count)
      fprintf(output->file, "... and %zu more lines: -n 0 shows all\n", rows->count - count);
  }
  prof_table_free(table);
  return good;
}

static void show_json(const prof_trace *trace, const struct prof_gpu_line_rows *rows, size_t count, FILE *file) {
  struct prof_json json;
  prof_unfinished_begin(&json, file, 2, trace);
  prof_json_array(&json, "gpu_lines");
  for (size_t i = 0; i < count; i++) {
    const struct prof_gpu_line_row *row = &rows->rows[i];
    prof_json_object(&json, NULL);
    prof_json_text(&json, "file", row->file);
    prof_json_count(&json, "line", row->line);
    prof_json_text(&json, "kernel", row->kernel);
    prof_gpu_line_json(rows, row, &json);
    prof_json_object_end(&json);
  }
  prof_json_array_end(&json);
  prof_gpu_line_cover_json(rows, &json);
  prof_json_object_end(&json);
}

/* A row per line and reason. */
static bool show_csv(const struct prof_gpu_line_rows *rows, size_t count, FILE *file) {
  static const struct prof_column columns[] = {
      {"file", NULL, PROF_CELL_TEXT},   {"line", NULL, PROF_CELL_COUNT},    {"kernel", NULL, PROF_CELL_TEXT},
      {"reason", NULL, PROF_CELL_TEXT}, {"samples", NULL, PROF_CELL_COUNT}, {"not_issued", NULL, PROF_CELL_COUNT},
  };
  struct prof_table *table = prof_table_new(columns, sizeof columns / sizeof *columns);
  for (size_t i = 0; table != NULL && i < count; i++)
    for (size_t j = 0; j < rows->rows[i].reason_count; j++) {
      const struct prof_gpu_reason *reason = &rows->reasons[rows->rows[i].first_reason + j];
      prof_table_text(table, rows->rows[i].file);
      prof_table_count(table, rows->rows[i].line);
      prof_table_text(table, rows->rows[i].kernel);
      prof_table_text(table, reason->name);
      prof_table_count(table, reason->samples);
      prof_table_count(table, reason->idle);
    }
  bool good = table != NULL && !prof_table_failed(table);
  if (good)
    prof_table_csv(table, file);
  prof_table_free(table);
  return good;
}

prof_status prof_gpu_lines_show(const struct prof_reader *reader, uint64_t limit, int *result, struct prof_diag *diag) {
  struct prof_gpu_programs *programs = prof_gpu_programs_new(reader);
  struct prof_gpu_line_rows rows = {0};
  struct prof_output output;
  if (programs == NULL)
    return prof_diag_memory(diag);
  struct prof_gpu_line_source source = prof_gpu_programs_source(programs);
  prof_status status = prof_gpu_lines_rank(reader->recording.trace, &reader->recording.filter, reader->recording.names,
                                           &source, diag, &rows);
  if (status == PROF_OK) {
    size_t count = limit > 0 && limit < rows.count ? (size_t)limit : rows.count;
    bool good = true;
    prof_output_begin(&output, reader->common);
    prof_reader_warn(reader, &output);
    if (reader->common->format == PROF_FORMAT_TABLE)
      good = show_table(reader, &rows, count, &output);
    else if (reader->common->format == PROF_FORMAT_JSON)
      show_json(reader->recording.trace, &rows, count, output.file);
    else
      good = show_csv(&rows, count, output.file);
    status = good ? PROF_OK : prof_diag_memory(diag);
    *result = prof_output_end(&output);
  }
  prof_gpu_lines_free(&rows);
  prof_gpu_programs_free(programs);
  return status;
}
