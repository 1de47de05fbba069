/*
 * tools/command/measures/io.c - `prof io`: what each place read and wrote, where, and how long it took.
 */
#include "analysis/measures/io.h"

#include <stdio.h>
#include <string.h>

#include "base/diag.h"
#include "command/command.h"
#include "measure_rows.h"
#include "measure_view.h"
#include "view/units.h"

struct settings {
  struct prof_ranked ranked;
  enum prof_io_sort sort;
  enum prof_io_group group;
};

struct shown { /* a row */
  struct prof_shown_place place;
  struct prof_io_row row;
  const char *errors;
};

struct reading {
  const struct settings *settings;
  struct prof_io io;
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
};
#define FIELD_COUNT (sizeof fields / sizeof *fields)
/* By file and by operation the last ones are left out. */
static const size_t field_counts[] = {
    [PROF_IO_BY_PLACE] = FIELD_COUNT, [PROF_IO_BY_FILE] = FIELD_COUNT - 2, [PROF_IO_BY_OPERATION] = FIELD_COUNT - 3};

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
                                    reading->settings->group, reading->settings->sort, diag, &reading->io);
  found->recorded = reading->io.recorded;
  found->count = reading->io.count;
  return status;
}

static prof_status show_rows(void *context, const struct prof_reader *reader, int *result, struct prof_diag *diag) {
  const struct reading *reading = context;
  const struct prof_io *io = &reading->io;
  struct shown *rows = prof_shown_rows_new(io->count, sizeof *rows, place_of, io, reader->recording.paths);
  if (!rows)
    return prof_diag_memory(diag);
  bool has_errors = false;
  for (size_t i = 0; i < io->count; i++) {
    rows[i].row = io->rows[i];
    rows[i].errors = io->rows[i].errors;
    has_errors |= io->rows[i].errors[0] != 0;
  }
  struct prof_field chosen[FIELD_COUNT];
  memcpy(chosen, fields, sizeof fields);
  for (size_t i = 0; i < FIELD_COUNT && !has_errors; i++)
    if (chosen[i].column.key && strcmp(chosen[i].column.key, "errors") == 0)
      chosen[i].column.title = NULL;
  const struct prof_measure_view view = {.key = "sites",
                                         .row = "row",
                                         .fields = chosen,
                                         .field_count = field_counts[reading->settings->group],
                                         .rows = rows,
                                         .row_bytes = sizeof *rows,
                                         .count = io->count,
                                         .above = above,
                                         .members = members,
                                         .context = reading};
  prof_status status = prof_measure_show(&reading->settings->ranked, reader, &view, result, diag);
  prof_shown_rows_free(rows, io->count, sizeof *rows);
  return status;
}

static void forget(void *context) {
  prof_io_free(&((struct reading *)context)->io);
}

static bool shows_lines(const void *context) {
  return ((const struct reading *)context)->settings->group == PROF_IO_BY_PLACE;
}

static prof_status show(void *settings, const struct prof_reader *reader, int *result, struct prof_diag *diag) {
  static const struct prof_measure_work work = {"input and output", "--io", rank, show_rows, forget, shows_lines};
  struct reading reading = {.settings = settings};
  return prof_measure_run(&work, &reading, reader, result, diag);
}

#define IN(member) PROF_MEMBER(struct settings, member)
static const struct prof_option options[] = {
    {"sort", 's', "KEY", "sort rows by (default: time)", PROF_OPTION_WORD, IN(sort), .words = prof_io_sorts},
    {"by", 0, NULL, "a row for each place, file and operation (default), or without the first ones", PROF_OPTION_WORD,
     IN(group), .words = prof_io_groups},
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
    .needs_events = true,
    .settings_bytes = sizeof(struct settings),
    .show = show,
};
