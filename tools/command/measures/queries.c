/*
 * tools/command/measures/queries.c - `prof queries`: which statements of databases ran where, and how long.
 */
#include "analysis/measures/queries.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/diag.h"
#include "command/command.h"
#include "measure_rows.h"
#include "measure_view.h"
#include "path_text.h"
#include "view/units.h"

struct settings {
  struct prof_ranked ranked;
  struct prof_query_options queries;
};

struct shown { /* a row */
  struct prof_shown_place place;
  struct prof_query_row row;
  const char *statement; /* in tables */
  char *path;            /* NULL without --paths */
};

struct reading {
  const struct settings *settings;
  struct prof_queries queries;
  struct shown *rows;
  struct prof_names *names;
};

#define AT(member) PROF_MEMBER(struct shown, member)
static const struct prof_field fields[] = {
    {{"statement", NULL, PROF_CELL_TEXT}, AT(row.statement)},
    {{"library", NULL, PROF_CELL_TEXT}, AT(row.library)},
    {{"function", NULL, PROF_CELL_TEXT}, AT(place.function)},
    {{"file", NULL, PROF_CELL_TEXT}, AT(place.file)},
    {{"line", NULL, PROF_CELL_COUNT}, AT(place.number)},
    {{"via", NULL, PROF_CELL_TEXT}, AT(place.via)},
    {{"wait_ns", "TIME", PROF_CELL_NS}, AT(row.wait_ns)},
    {{"p50_ns", "P50", PROF_CELL_NS, .spare = 4}, AT(row.p50_ns)},
    {{"p99_ns", "P99", PROF_CELL_NS}, AT(row.p99_ns)},
    {{"max_ns", "MAX", PROF_CELL_NS, .spare = 3}, AT(row.max_ns)},
    {{"calls", "CALLS", PROF_CELL_COUNT}, AT(row.calls)},
    {{"failed", "FAILED", PROF_CELL_COUNT, .spare = 5}, AT(row.failed)},
    {{"rows", "ROWS", PROF_CELL_COUNT}, AT(row.rows)},
    {{"prepared", "PREPARED", PROF_CELL_COUNT, .spare = 2}, AT(row.prepared)},
    {{"prepare_ns", NULL, PROF_CELL_NS}, AT(row.prepare_ns)},
    {{NULL, "STATEMENT", PROF_CELL_TEXT, PROF_CUT_MIDDLE}, AT(statement)},
    {{NULL, "FUNCTION", PROF_CELL_TEXT, PROF_CUT_NAME}, AT(place.function)},
    {{NULL, "LINE", PROF_CELL_TEXT, PROF_CUT_LEFT, .spare = 1}, AT(place.line)},
    {{"path", "PATH", PROF_CELL_TEXT, PROF_CUT_MIDDLE}, AT(path)}, /* with --paths */
};
#define FIELD_COUNT (sizeof fields / sizeof *fields)

static size_t field_count(const struct prof_query_options *options) {
  if (options->group == PROF_QUERIES_BY_STATEMENT)
    return FIELD_COUNT - 3;
  return FIELD_COUNT - !options->by_path;
}

static void above(const void *context, const struct prof_output *output) {
  const struct prof_queries *queries = &((const struct reading *)context)->queries;
  char calls[PROF_UNITS_BYTES], time[PROF_UNITS_BYTES], prepared[PROF_UNITS_BYTES], prepare[PROF_UNITS_BYTES],
      line[200];
  snprintf(line, sizeof line, "%s run%s of statements took %s · %s preparation%s took %s",
           prof_units_count(calls, queries->calls), queries->calls == 1 ? "" : "s",
           prof_units_duration(time, queries->wait_ns), prof_units_count(prepared, queries->prepared),
           queries->prepared == 1 ? "" : "s", prof_units_duration(prepare, queries->prepare_ns));
  prof_output_wrap(output, line, 0);
}

static void members(const void *context, struct prof_json *json) {
  const struct prof_queries *queries = &((const struct reading *)context)->queries;
  prof_json_count(json, "calls", queries->calls);
  prof_json_count(json, "wait_ns", queries->wait_ns);
  prof_json_count(json, "prepared", queries->prepared);
  prof_json_count(json, "prepare_ns", queries->prepare_ns);
}

static void row_json(const void *context, size_t at, struct prof_json *json) {
  const struct reading *reading = context;
  const struct shown *shown = &reading->rows[at];
  prof_json_object(json, NULL);
  prof_json_text(json, "statement", shown->row.statement);
  prof_json_text(json, "library", shown->row.library);
  prof_json_text(json, "function", shown->place.function);
  prof_json_text(json, "file", shown->place.file);
  prof_json_count(json, "line", shown->place.number);
  prof_json_text(json, "via", shown->place.via);
  prof_json_count(json, "calls", shown->row.calls);
  prof_json_count(json, "failed", shown->row.failed);
  prof_json_count(json, "rows", shown->row.rows);
  prof_json_count(json, "wait_ns", shown->row.wait_ns);
  prof_json_count(json, "p50_ns", shown->row.p50_ns);
  prof_json_count(json, "p99_ns", shown->row.p99_ns);
  prof_json_count(json, "max_ns", shown->row.max_ns);
  prof_json_count(json, "prepared", shown->row.prepared);
  prof_json_count(json, "prepare_ns", shown->row.prepare_ns);
  if (shown->path != NULL)
    prof_path_json(&reading->queries.paths, shown->row.node, reading->names, json, "path");
  prof_json_object_end(json);
}

/* ---- the command ---- */

static const struct prof_measured_place *place_of(const void *context, size_t row) {
  return &((const struct prof_queries *)context)->rows[row].place;
}

static prof_status rank(void *context, const struct prof_reader *reader, struct prof_symbols *symbols,
                        struct prof_diag *diag, struct prof_measure_found *found) {
  struct reading *reading = context;
  const struct prof_recording *recording = &reader->recording;
  struct prof_line_source source = prof_symbols_source(symbols);
  prof_status status = prof_queries_rank(recording->trace, &recording->filter, recording->names, &source,
                                         &reading->settings->queries, diag, &reading->queries);
  found->recorded = reading->queries.recorded;
  found->count = reading->queries.count;
  return status;
}

static prof_status show_rows(void *context, const struct prof_reader *reader, int *result, struct prof_diag *diag) {
  struct reading *reading = context;
  const struct prof_queries *queries = &reading->queries;
  const bool by_path = reading->settings->queries.by_path;
  reading->rows =
      prof_shown_rows_new(queries->count, sizeof *reading->rows, place_of, queries, reader->recording.paths);
  if (!reading->rows)
    return prof_diag_memory(diag);
  for (size_t i = 0; i < queries->count; i++) {
    struct shown *row = &reading->rows[i];
    row->row = queries->rows[i];
    row->statement = *row->row.statement ? row->row.statement : "[unknown]";
    row->path = by_path ? prof_path_text(&queries->paths, row->row.node, reading->names) : NULL;
    if (by_path && !row->path)
      return prof_diag_memory(diag);
  }
  const struct prof_measure_view view = {.key = "queries",
                                         .row = "row",
                                         .fields = fields,
                                         .field_count = field_count(&reading->settings->queries),
                                         .rows = reading->rows,
                                         .row_bytes = sizeof *reading->rows,
                                         .count = queries->count,
                                         .above = above,
                                         .members = members,
                                         .row_json = row_json,
                                         .context = reading};
  return prof_measure_show(&reading->settings->ranked, reader, &view, result, diag);
}

static void forget(void *context) {
  struct reading *reading = context;
  for (size_t i = 0; reading->rows && i < reading->queries.count; i++)
    free(reading->rows[i].path);
  prof_shown_rows_free(reading->rows, reading->queries.count, sizeof *reading->rows);
  prof_queries_free(&reading->queries);
}

static bool shows_lines(const void *context) {
  return ((const struct reading *)context)->settings->queries.group == PROF_QUERIES_BY_PLACE;
}

static prof_status show(void *argument, const struct prof_reader *reader, int *result, struct prof_diag *diag) {
  static const struct prof_measure_work work = {
      "statements of databases", "--io", rank, show_rows, forget, shows_lines};
  const struct settings *settings = argument;
  struct reading reading = {.settings = settings, .names = reader->recording.names};
  if (settings->queries.by_path && settings->queries.group == PROF_QUERIES_BY_STATEMENT)
    return prof_command_usage(diag, "leave out --by or --paths", "--paths shows places");
  return prof_measure_run(&work, &reading, reader, result, diag);
}

#define IN(member) PROF_MEMBER(struct settings, member)
static const struct prof_option options[] = {
    {"sort", 's', "KEY", "sort rows by (default: time)", PROF_OPTION_WORD, IN(queries.sort), .words = prof_query_sorts},
    {"by", 0, NULL, "a row for each statement and place (default), or for each statement", PROF_OPTION_WORD,
     IN(queries.group), .words = prof_query_groups},
    {"paths", 0, NULL, "a row for each call path to a place", PROF_OPTION_FLAG, IN(queries.by_path)},
    PROF_RANKED_ROWS,
    {0},
};

const struct prof_command prof_command_queries = {
    .name = "queries",
    .instead = "of which functions: -F NAME",
    .summary = "Show which statements of databases ran where, and how long they took",
    .group = "Look",
    .options = options,
    .filters = true,
    .settings_bytes = sizeof(struct settings),
    .show = show,
};
