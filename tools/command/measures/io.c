/*
 * tools/command/measures/io.c - `prof io`: what each place read and wrote, where, and how long it took.
 */
#include "analysis/measures/io.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "command/command.h"
#include "command/symbols_warn.h"
#include "measure_view.h"
#include "path_text.h"
#include "study/symbols.h"
#include "view/units.h"

struct settings {
  struct prof_ranked ranked;
  enum prof_io_sort sort;
  enum prof_io_group group;
};

struct shown { /* a row */
  struct prof_io_row row;
  const char *function, *file, *via;
  char *line;
};

#define AT(member) PROF_MEMBER(struct shown, member)
static const struct prof_field fields[] = {
    {{"function", NULL, PROF_CELL_TEXT}, AT(function)},
    {{"file", NULL, PROF_CELL_TEXT}, AT(file)},
    {{"line", NULL, PROF_CELL_COUNT}, AT(row.place.line)},
    {{"via", NULL, PROF_CELL_TEXT}, AT(via)},
    {{"path", NULL, PROF_CELL_TEXT}, AT(row.path)},
    {{"operation", NULL, PROF_CELL_TEXT}, AT(row.operation)},
    {{"wait_ns", "TIME", PROF_CELL_NS}, AT(row.wait_ns)},
    {{"p99_ns", "P99", PROF_CELL_NS, .spare = 4}, AT(row.p99_ns)},
    {{"max_ns", "MAX", PROF_CELL_NS, .spare = 3}, AT(row.max_ns)},
    {{"calls", "CALLS", PROF_CELL_COUNT}, AT(row.calls)},
    {{"failed", "FAILED", PROF_CELL_COUNT, .spare = 2}, AT(row.failed)},
    {{"bytes", "BYTES", PROF_CELL_BYTES}, AT(row.bytes)},
    {{NULL, "OPERATION", PROF_CELL_TEXT}, AT(row.operation)},
    {{NULL, "FILE", PROF_CELL_TEXT, PROF_CUT_LEFT}, AT(row.path)},
    {{NULL, "FUNCTION", PROF_CELL_TEXT, PROF_CUT_NAME}, AT(function)},
    {{NULL, "LINE", PROF_CELL_TEXT, PROF_CUT_LEFT, .spare = 1}, AT(line)},
};
#define FIELD_COUNT (sizeof fields / sizeof *fields)
/* By file and by operation the last ones are left out. */
static const size_t field_counts[] = {
    [PROF_IO_BY_PLACE] = FIELD_COUNT, [PROF_IO_BY_FILE] = FIELD_COUNT - 2, [PROF_IO_BY_OPERATION] = FIELD_COUNT - 3};

static void above(const void *context, const struct prof_output *output) {
  const struct prof_io *io = context;
  char calls[PROF_UNITS_BYTES], bytes[PROF_UNITS_BYTES], time[PROF_UNITS_BYTES], line[200];
  snprintf(line, sizeof line, "%s operations with %s took %s", prof_units_count(calls, io->calls),
           prof_units_bytes(bytes, io->bytes), prof_units_duration(time, io->wait_ns));
  prof_output_wrap(output, line, 0);
}

static void members(const void *context, struct prof_json *json) {
  const struct prof_io *io = context;
  prof_json_count(json, "calls", io->calls);
  prof_json_count(json, "bytes", io->bytes);
  prof_json_count(json, "wait_ns", io->wait_ns);
}

/* ---- the command ---- */

static void forget_rows(struct shown *rows, size_t count) {
  for (size_t i = 0; rows && i < count; i++)
    free(rows[i].line);
  free(rows);
}

/* NULL: no memory. */
static struct shown *make_rows(const struct prof_io *io, struct prof_shown_paths *paths) {
  struct shown *rows = calloc(io->count + 1, sizeof *rows);
  bool good = rows != NULL;
  for (size_t i = 0; good && i < io->count; i++) {
    const struct prof_measured_place *place = &io->rows[i].place;
    rows[i] = (struct shown){io->rows[i], place->function, place->file, place->via, NULL};
    good = (rows[i].line = prof_place_text(place, paths)) != NULL;
  }
  if (good)
    return rows;
  forget_rows(rows, io->count);
  return NULL;
}

static prof_status show_rows(const struct settings *settings, const struct prof_reader *reader,
                             const struct prof_io *io, int *result, struct prof_diag *diag) {
  struct shown *rows = make_rows(io, reader->recording.paths);
  if (!rows)
    return prof_diag_memory(diag);
  const struct prof_measure_view view = {.key = "sites",
                                         .row = "row",
                                         .fields = fields,
                                         .field_count = field_counts[settings->group],
                                         .rows = rows,
                                         .row_bytes = sizeof *rows,
                                         .count = io->count,
                                         .above = above,
                                         .members = members,
                                         .context = io};
  prof_status status = prof_measure_show(&settings->ranked, reader, &view, result, diag);
  forget_rows(rows, io->count);
  return status;
}

static prof_status show(void *argument, const struct prof_reader *reader, int *result, struct prof_diag *diag) {
  const struct settings *settings = argument;
  const struct prof_recording *recording = &reader->recording;
  struct prof_symbols *symbols;
  struct prof_io io;
  prof_status status = prof_symbols_new(recording, diag, &symbols);
  if (status != PROF_OK)
    return status;
  struct prof_line_source source = prof_symbols_source(symbols);
  status = prof_io_rank(recording->trace, &recording->filter, recording->names, &source, settings->group,
                        settings->sort, diag, &io);
  if (status == PROF_OK && !io.recorded)
    status = prof_measure_missing(recording->trace, "input and output", "--io", diag);
  if (status == PROF_OK && io.count == 0)
    status = prof_diag_fill(diag, PROF_EMPTY, NULL, PROF_NO_OFFSET, "widen the filters (-F -N -D --tid --range)",
                            "no input and output to show");
  if (status == PROF_OK)
    status = show_rows(settings, reader, &io, result, diag);
  prof_io_free(&io);
  if (status == PROF_OK && settings->group == PROF_IO_BY_PLACE)
    prof_symbols_warn(symbols);
  prof_symbols_free(symbols);
  return status;
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
    .settings_bytes = sizeof(struct settings),
    .show = show,
};
