/*
 * tools/command/measures/io.c - `prof io`: what each place read and wrote, where, and how long it took.
 */
#include "analysis/measures/io.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "command/command.h"
#include "measure_rows.h"
#include "measure_view.h"
#include "path_text.h"
#include "view/units.h"

struct settings {
  struct prof_ranked ranked;
  struct prof_io_options io;
};

struct shown { /* a row */
  struct prof_shown_place place;
  struct prof_io_row row;
  const char *errors;
  char *path; /* NULL without --paths */
};

struct reading {
  const struct settings *settings;
  struct prof_io io;
  struct shown *rows;
  struct prof_names *names;
};

#define AT(member) PROF_MEMBER(struct shown, member)
static const struct prof_field fields[] = {
    {{"function", NULL, PROF_CELL_TEXT}, AT(place.function)},
    {{"file", NULL, PROF_CELL_TEXT}, AT(place.file)},
    {{"line", NULL, PROF_CELL_COUNT}, AT(place.number)},
    {{"via", NULL, PROF_CELL_TEXT}, AT(place.via)},
    {{"path", NULL, PROF_CELL_TEXT}, AT(row.path)},
    {{"operation", NULL, PROF_CELL_TEXT}, AT(row.operation)},
    {{"wait_ns", "TIME", PROF_CELL_NS}, AT(row.wait_ns)},
    {{"p50_ns", "P50", PROF_CELL_NS, .spare = 5}, AT(row.p50_ns)},
    {{"p99_ns", "P99", PROF_CELL_NS, .spare = 4}, AT(row.p99_ns)},
    {{"max_ns", "MAX", PROF_CELL_NS, .spare = 3}, AT(row.max_ns)},
    {{"calls", "CALLS", PROF_CELL_COUNT}, AT(row.calls)},
    {{"failed", "FAILED", PROF_CELL_COUNT, .spare = 2}, AT(row.failed)},
    {{"errors", "ERRORS", PROF_CELL_TEXT, .spare = 2}, AT(errors)},
    {{"bytes", "BYTES", PROF_CELL_BYTES}, AT(row.bytes)},
    {{NULL, "OPERATION", PROF_CELL_TEXT}, AT(row.operation)},
    {{NULL, "FILE", PROF_CELL_TEXT, PROF_CUT_LEFT}, AT(row.path)},
    {{NULL, "FUNCTION", PROF_CELL_TEXT, PROF_CUT_NAME}, AT(place.function)},
    {{NULL, "LINE", PROF_CELL_TEXT, PROF_CUT_LEFT, .spare = 1}, AT(place.line)},
    {{"call_path", "PATH", PROF_CELL_TEXT, PROF_CUT_MIDDLE}, AT(path)}, /* with --paths */
};
#define FIELD_COUNT (sizeof fields / sizeof *fields)

/* By file and by operation the last ones are left out. */
static size_t field_count(const struct prof_io_options *options) {
  static const size_t less[] = {[PROF_IO_BY_PLACE] = 1, [PROF_IO_BY_FILE] = 3, [PROF_IO_BY_OPERATION] = 4};
  return FIELD_COUNT - (options->by_path ? 0 : less[options->group]);
}

static void above(const void *context, const struct prof_output *output) {
  const struct prof_io *io = &((const struct reading *)context)->io;
  char calls[PROF_UNITS_BYTES], bytes[PROF_UNITS_BYTES], time[PROF_UNITS_BYTES], line[200];
  snprintf(line, sizeof line, "%s operation%s with %s took %s", prof_units_count(calls, io->calls),
           io->calls == 1 ? "" : "s", prof_units_bytes(bytes, io->bytes), prof_units_duration(time, io->wait_ns));
  prof_output_wrap(output, line, 0);
}

static void members(const void *context, struct prof_json *json) {
  const struct prof_io *io = &((const struct reading *)context)->io;
  prof_json_count(json, "calls", io->calls);
  prof_json_count(json, "bytes", io->bytes);
  prof_json_count(json, "wait_ns", io->wait_ns);
}

static void row_json(const void *context, size_t at, struct prof_json *json) {
  const struct reading *reading = context;
  const struct shown *shown = &reading->rows[at];
  prof_json_object(json, NULL);
  prof_json_text(json, "function", shown->place.function);
  prof_json_text(json, "file", shown->place.file);
  prof_json_count(json, "line", shown->place.number);
  prof_json_text(json, "via", shown->place.via);
  prof_json_text(json, "path", shown->row.path);
  prof_json_text(json, "operation", shown->row.operation);
  prof_json_count(json, "wait_ns", shown->row.wait_ns);
  prof_json_count(json, "p50_ns", shown->row.p50_ns);
  prof_json_count(json, "p99_ns", shown->row.p99_ns);
  prof_json_count(json, "max_ns", shown->row.max_ns);
  prof_json_count(json, "calls", shown->row.calls);
  prof_json_count(json, "failed", shown->row.failed);
  prof_json_text(json, "errors", shown->row.errors);
  prof_json_count(json, "bytes", shown->row.bytes);
  if (shown->path != NULL)
    prof_path_json(&reading->io.paths, shown->row.node, reading->names, json, "call_path");
  prof_json_object_end(json);
}

/* ---- the command ---- */

static const struct prof_measured_place *place_of(const void *context, size_t row) {
  return &((const struct prof_io *)context)->rows[row].place;
}

static prof_status rank(void *context, const struct prof_reader *reader, struct prof_symbols *symbols,
                        struct prof_diag *diag, struct prof_measure_found *found) {
  struct reading *reading = context;
  const struct prof_recording *recording = &reader->recording;
  struct prof_line_source source = prof_symbols_source(symbols);
  prof_status status = prof_io_rank(recording->trace, &recording->filter, recording->names, &source,
                                    &reading->settings->io, diag, &reading->io);
  found->recorded = reading->io.recorded;
  found->count = reading->io.count;
  return status;
}

static prof_status show_rows(void *context, const struct prof_reader *reader, int *result, struct prof_diag *diag) {
  struct reading *reading = context;
  const struct prof_io *io = &reading->io;
  const bool by_path = reading->settings->io.by_path;
  reading->rows = prof_shown_rows_new(io->count, sizeof *reading->rows, place_of, io, reader->recording.paths);
  if (!reading->rows)
    return prof_diag_memory(diag);
  bool has_errors = false;
  for (size_t i = 0; i < io->count; i++) {
    struct shown *row = &reading->rows[i];
    row->row = io->rows[i];
    row->errors = io->rows[i].errors;
    has_errors |= row->errors[0] != 0;
    row->path = by_path ? prof_path_text(&io->paths, row->row.node, reading->names) : NULL;
    if (by_path && !row->path)
      return prof_diag_memory(diag);
  }
  struct prof_field chosen[FIELD_COUNT];
  memcpy(chosen, fields, sizeof fields);
  for (size_t i = 0; i < FIELD_COUNT && !has_errors; i++)
    if (chosen[i].column.key && strcmp(chosen[i].column.key, "errors") == 0)
      chosen[i].column.title = NULL;
  const struct prof_measure_view view = {.key = "sites",
                                         .row = "row",
                                         .fields = chosen,
                                         .field_count = field_count(&reading->settings->io),
                                         .rows = reading->rows,
                                         .row_bytes = sizeof *reading->rows,
                                         .count = io->count,
                                         .above = above,
                                         .members = members,
                                         .row_json = row_json,
                                         .context = reading};
  return prof_measure_show(&reading->settings->ranked, reader, &view, result, diag);
}

static void forget(void *context) {
  struct reading *reading = context;
  for (size_t i = 0; reading->rows && i < reading->io.count; i++)
    free(reading->rows[i].path);
  prof_shown_rows_free(reading->rows, reading->io.count, sizeof *reading->rows);
  prof_io_free(&reading->io);
}

static bool shows_lines(const void *context) {
  return ((const struct reading *)context)->settings->io.group == PROF_IO_BY_PLACE;
}

static prof_status show(void *argument, const struct prof_reader *reader, int *result, struct prof_diag *diag) {
  static const struct prof_measure_work work = {"input and output", "--io", rank, show_rows, forget, shows_lines};
  const struct settings *settings = argument;
  struct reading reading = {.settings = settings, .names = reader->recording.names};
  if (settings->io.by_path && settings->io.group != PROF_IO_BY_PLACE)
    return prof_command_usage(diag, "leave out --by or --paths", "--paths shows places");
  return prof_measure_run(&work, &reading, reader, result, diag);
}

#define IN(member) PROF_MEMBER(struct settings, member)
static const struct prof_option options[] = {
    {"sort", 's', "KEY", "sort rows by (default: time)", PROF_OPTION_WORD, IN(io.sort), .words = prof_io_sorts},
    {"by", 0, NULL, "a row for each place, file and operation (default), or without the first ones", PROF_OPTION_WORD,
     IN(io.group), .words = prof_io_groups},
    {"paths", 0, NULL, "a row for each call path to a place", PROF_OPTION_FLAG, IN(io.by_path)},
    PROF_RANKED_ROWS,
    {0},
};

const struct prof_command prof_command_io = {
    .name = "io",
    .instead = "of which functions: -F NAME",
    .summary = "Show what each place read and wrote, where, and how long it took",
    .group = "Look",
    .options = options,
    .filters = true,
    .settings_bytes = sizeof(struct settings),
    .show = show,
};
