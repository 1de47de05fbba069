/*
 * tools/command/gpu/gpu.c - `prof gpu`: what the GPUs did and waited for, and for which host code.
 */
#include <stdio.h>
#include <string.h>

#include "base/diag.h"
#include "base/json.h"
#include "command/command.h"
#include "command/options/common.h"
#include "command/ranked.h"
#include "export/unfinished.h"
#include "gpu_cover.h"
#include "gpu_parts.h"

struct settings {
  struct prof_ranked ranked;
  enum prof_gpu_by by;
  const char *nvtx; /* range to list one by one; NULL: none */
  uint32_t parts;   /* a bit per row of prof_gpu_parts; 0: all */
};

const struct prof_gpu_part *const prof_gpu_parts[] = {&prof_gpu_kernels_part,  &prof_gpu_copies_part,
                                                      &prof_gpu_devices_part,  &prof_gpu_streams_part,
                                                      &prof_gpu_launches_part, &prof_gpu_waits_part,
                                                      &prof_gpu_idle_part,     &prof_gpu_ranges_part,
                                                      &prof_gpu_metrics_part,  NULL};

/* ---- tables, JSON, CSV ---- */

static size_t rows_shown(const struct settings *settings, const struct prof_gpu_part *part, size_t count) {
  return prof_ranked_count(&settings->ranked, part->default_rows, count);
}

static bool is_wanted(const struct settings *settings, size_t part) {
  return settings->parts == 0 || (settings->parts >> part & 1) != 0;
}

static size_t row_count(const struct prof_gpu_part *part, const struct prof_gpu_result *result) {
  return *(const size_t *)(const void *)((const char *)result + part->count);
}

/* NULL: no memory. */
static struct prof_table *fill(const struct settings *settings, const struct prof_gpu_part *part,
                               const struct prof_gpu_result *result, struct prof_column columns[PROF_GPU_MOST_FIELDS]) {
  const void *rows;
  memcpy(&rows, (const char *)result + part->rows, sizeof rows);
  return prof_field_table(part->fields, part->field_count, rows, part->row_bytes,
                          rows_shown(settings, part, row_count(part, result)), columns);
}

static bool show_tables(const struct settings *settings, const struct prof_gpu_result *result,
                        const struct prof_output *output) {
  FILE *file = output->file;
  struct prof_column columns[PROF_GPU_MOST_FIELDS];
  char title[200];
  prof_gpu_cover_lines(result, output);
  for (size_t i = 0; prof_gpu_parts[i] != NULL; i++) {
    const struct prof_gpu_part *part = prof_gpu_parts[i];
    size_t count = row_count(part, result), shown = rows_shown(settings, part, count);
    if (!is_wanted(settings, i) || count == 0)
      continue;
    struct prof_table *table = fill(settings, part, result, columns);
    if (table == NULL)
      return false;
    snprintf(title, sizeof title, "%s", part->title);
    fputc('\n', file);
    prof_output_line(output, title);
    prof_table_print(table, file, &output->style);
    if (count > shown)
      fprintf(file, "... and %zu more %s: -n 0 shows all\n", count - shown, part->rows_of);
    if (part->remark != NULL)
      part->remark(result, file);
    prof_table_free(table);
  }
  return true;
}

static bool show_json(const struct settings *settings, const prof_trace *trace, const struct prof_gpu_result *result,
                      FILE *file) {
  struct prof_column columns[PROF_GPU_MOST_FIELDS];
  struct prof_json json;
  bool good = true;
  prof_unfinished_begin(&json, file, 2, trace);
  for (size_t i = 0; prof_gpu_parts[i] != NULL && good; i++) {
    if (!is_wanted(settings, i))
      continue;
    struct prof_table *table = fill(settings, prof_gpu_parts[i], result, columns);
    good = table != NULL;
    if (good)
      prof_table_json(table, &json, prof_gpu_parts[i]->name);
    prof_table_free(table);
  }
  prof_gpu_cover_json(result, &json);
  prof_json_object_end(&json);
  return good;
}

/* Writes the first requested table. */
static bool show_csv(const struct settings *settings, const struct prof_gpu_result *result, FILE *file) {
  size_t i = 0;
  while (!is_wanted(settings, i))
    i++;
  struct prof_column columns[PROF_GPU_MOST_FIELDS];
  struct prof_table *table = fill(settings, prof_gpu_parts[i], result, columns);
  if (table != NULL)
    prof_table_csv(table, file);
  prof_table_free(table);
  return table != NULL;
}

static bool show_instances(const struct settings *settings, const prof_trace *trace,
                           const struct prof_gpu_range_rows *ranges, const struct prof_output *output) {
  size_t count = prof_ranked_count(&settings->ranked, PROF_RANKED_TABLE, ranges->instance_count);
  if (settings->ranked.common.format == PROF_FORMAT_JSON)
    return prof_gpu_instances_json(trace, ranges, count, output->file);
  if (settings->ranked.common.format == PROF_FORMAT_CSV)
    return prof_gpu_instances_csv(ranges, count, output->file);
  return prof_gpu_instances_print(ranges, count, output);
}

static bool show(const struct settings *settings, const prof_trace *trace, const struct prof_gpu_result *result,
                 const struct prof_output *output) {
  if (settings->nvtx != NULL)
    return show_instances(settings, trace, &result->ranges, output);
  if (settings->ranked.common.format == PROF_FORMAT_JSON)
    return show_json(settings, trace, result, output->file);
  if (settings->ranked.common.format == PROF_FORMAT_CSV)
    return show_csv(settings, result, output->file);
  return show_tables(settings, result, output);
}

/* ---- the command ---- */

static prof_status ask(struct prof_gpu_study *study, const struct settings *settings, struct prof_gpu_result *result,
                       struct prof_diag *diag) {
  if (prof_gpu_ranges(study, settings->nvtx, &result->ranges) != PROF_OK)
    return prof_diag_memory(diag);
  if (settings->nvtx != NULL)
    return result->ranges.instance_count > 0
               ? PROF_OK
               : prof_diag_fill(diag, PROF_EMPTY, prof_trace_info(study->trace)->path, PROF_NO_OFFSET,
                                "prof gpu --show=ranges lists them", "no range of NVTX matches '%s'", settings->nvtx);
  prof_status status = prof_gpu_rank(study, settings->by, diag, &result->work);
  if (status == PROF_EMPTY && result->ranges.count > 0)
    status = PROF_OK;
  if (status != PROF_OK)
    return status;
  bool good = prof_gpu_metrics_sum(study, &result->metrics) == PROF_OK &&
              prof_gpu_lanes(study, &result->lanes) == PROF_OK &&
              prof_gpu_launches(study, &result->launches) == PROF_OK &&
              prof_gpu_waits(study, &result->waits) == PROF_OK && prof_gpu_idle(study, &result->idle) == PROF_OK;
  return good ? PROF_OK : prof_diag_memory(diag);
}

static void free_result(struct prof_gpu_result *result) {
  prof_gpu_rows_free(&result->work);
  prof_gpu_lanes_free(&result->lanes);
  prof_gpu_launches_free(&result->launches);
  prof_gpu_waits_free(&result->waits);
  prof_gpu_idle_free(&result->idle);
  prof_gpu_ranges_free(&result->ranges);
  prof_gpu_metrics_free(&result->metrics);
}

static prof_status report(void *argument, const struct prof_reader *reader, int *status_out, struct prof_diag *diag) {
  const struct settings *settings = argument;
  struct prof_gpu_study study;
  struct prof_gpu_result result = {0};
  struct prof_output output;
  prof_status status = prof_gpu_study_open(&study, reader->recording.trace, &reader->recording.filter,
                                           reader->recording.names, settings->ranked.common.demangle, diag);
  if (status != PROF_OK)
    return status;
  status = ask(&study, settings, &result, diag);
  if (status == PROF_OK) {
    prof_output_begin(&output, &settings->ranked.common);
    prof_reader_warn(reader, &output);
    if (!show(settings, reader->recording.trace, &result, &output))
      status = prof_diag_memory(diag);
    *status_out = prof_output_end(&output);
  }
  free_result(&result);
  prof_gpu_study_close(&study);
  return status;
}

static bool part_at(size_t index, struct prof_named *out) {
  const struct prof_gpu_part *part = prof_gpu_parts[index];
  if (part)
    *out = (struct prof_named){part->name, part->title};
  return part != NULL;
}

#define IN(member) PROF_MEMBER(struct settings, member)
static const struct prof_option options[] = {
    {"by", 0, NULL, "show a row per kernel (default), or per kernel and host path", PROF_OPTION_WORD, IN(by),
     PROF_WORDS([PROF_GPU_BY_KERNEL] = "kernel", [PROF_GPU_BY_PATH] = "path")},
    {"show", 0, "TABLES", "show these tables, separated by commas (default: all; CSV: one)", PROF_OPTION_WORDS,
     IN(parts), .named = part_at},
    {"nvtx", 0, "GLOB", "list matching NVTX ranges one by one, with their GPU work", PROF_OPTION_TEXT, IN(nvtx)},
    PROF_RANKED_ROWS_AS("show at most N rows of each table; 0: all (default: 20 or fewer)"),
    {0},
};

const struct prof_command prof_command_gpu = {
    .name = "gpu",
    .instead = "only below one function: -F NAME",
    .summary = "Show what the GPU did, what it waited for, and the host paths behind it",
    .group = "Look",
    .options = options,
    .filters = true,
    .needs_events = true,
    .settings_bytes = sizeof(struct settings),
    .show = report,
};
