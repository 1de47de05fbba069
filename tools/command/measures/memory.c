/*
 * tools/command/measures/memory.c - `prof memory`: what each place allocated, what lived at the peak, what was left.
 */
#include "analysis/measures/memory.h"

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
  struct prof_memory_options memory;
};

struct shown { /* a row */
  struct prof_memory_row row;
  const char *function, *file, *via, *kind;
  char *path, *line; /* path: NULL without --paths */
};

struct document {
  const struct prof_memory *memory;
  struct shown *rows;
  struct prof_names *names;
};

/* ---- columns ---- */

#define AT(member) PROF_MEMBER(struct shown, member)
static const struct prof_field fields[] = {
    {{"function", NULL, PROF_CELL_TEXT}, AT(function)},
    {{"file", NULL, PROF_CELL_TEXT}, AT(file)},
    {{"line", NULL, PROF_CELL_COUNT}, AT(row.place.line)},
    {{"via", NULL, PROF_CELL_TEXT}, AT(via)},
    {{"kind", NULL, PROF_CELL_TEXT}, AT(kind)},
    {{"peak_bytes", "PEAK", PROF_CELL_BYTES}, AT(row.sum.peak_bytes)},
    {{"live_bytes", "LEFT", PROF_CELL_BYTES}, AT(row.sum.live_bytes)},
    {{"live_calls", NULL, PROF_CELL_COUNT}, AT(row.sum.live_calls)},
    {{"bytes", "BYTES", PROF_CELL_BYTES}, AT(row.sum.bytes)},
    {{"calls", "CALLS", PROF_CELL_COUNT}, AT(row.sum.calls)},
    {{"temporary", "TEMPORARY", PROF_CELL_COUNT, .spare = 2}, AT(row.sum.temporary)},
    {{NULL, "KIND", PROF_CELL_TEXT, .spare = 3}, AT(kind)},
    {{NULL, "FUNCTION", PROF_CELL_TEXT, PROF_CUT_NAME}, AT(function)},
    {{NULL, "LINE", PROF_CELL_TEXT, PROF_CUT_LEFT, .spare = 1}, AT(line)},
    {{"path", "PATH", PROF_CELL_TEXT, PROF_CUT_MIDDLE}, AT(path)}, /* with --paths */
};
#define FIELD_COUNT (sizeof fields / sizeof *fields)

/* ---- around the rows ---- */

static void above(const void *context, const struct prof_output *output) {
  const struct prof_memory *memory = ((const struct document *)context)->memory;
  char peak[PROF_UNITS_BYTES], at[PROF_UNITS_BYTES], calls[PROF_UNITS_BYTES], bytes[PROF_UNITS_BYTES],
      left[PROF_UNITS_BYTES], blocks[PROF_UNITS_BYTES], line[400];
  snprintf(line, sizeof line, "peak %s after %s · %s allocations of %s · left at the end %s in %s blocks",
           prof_units_bytes(peak, memory->sum.peak_bytes), prof_units_duration(at, memory->peak_ns),
           prof_units_count(calls, memory->sum.calls), prof_units_bytes(bytes, memory->sum.bytes),
           prof_units_bytes(left, memory->sum.live_bytes), prof_units_count(blocks, memory->sum.live_calls));
  prof_output_wrap(output, line, 0);
}

static void members(const void *context, struct prof_json *json) {
  const struct prof_memory *memory = ((const struct document *)context)->memory;
  prof_json_count(json, "peak_bytes", memory->sum.peak_bytes);
  prof_json_count(json, "peak_ns", memory->peak_ns);
  prof_json_count(json, "calls", memory->sum.calls);
  prof_json_count(json, "bytes", memory->sum.bytes);
  prof_json_count(json, "live_bytes", memory->sum.live_bytes);
  prof_json_count(json, "live_calls", memory->sum.live_calls);
  prof_json_count(json, "temporary", memory->sum.temporary);
  prof_json_count(json, "frees", memory->frees);
  prof_json_count(json, "unknown_frees", memory->unknown_frees);
  prof_json_count(json, "mapped_peak_bytes", memory->mapped.peak_bytes);
  prof_json_count(json, "mapped_bytes", memory->mapped.bytes);
  prof_json_count(json, "mapped_live_bytes", memory->mapped.live_bytes);
}

static void row_json(const void *context, size_t row, struct prof_json *json) {
  const struct document *document = context;
  const struct shown *shown = &document->rows[row];
  prof_json_object(json, NULL);
  prof_json_text(json, "function", shown->function);
  prof_json_text(json, "file", shown->file);
  prof_json_count(json, "line", shown->row.place.line);
  prof_json_text(json, "via", shown->row.place.via);
  prof_json_text(json, "kind", shown->kind);
  prof_json_count(json, "calls", shown->row.sum.calls);
  prof_json_count(json, "bytes", shown->row.sum.bytes);
  prof_json_count(json, "live_bytes", shown->row.sum.live_bytes);
  prof_json_count(json, "live_calls", shown->row.sum.live_calls);
  prof_json_count(json, "peak_bytes", shown->row.sum.peak_bytes);
  prof_json_count(json, "temporary", shown->row.sum.temporary);
  if (shown->path != NULL)
    prof_path_json(&document->memory->paths, shown->row.node, document->names, json, "path");
  prof_json_object_end(json);
}

/* ---- the command ---- */

static void forget_rows(struct shown *rows, size_t count) {
  for (size_t i = 0; rows && i < count; i++) {
    free(rows[i].path);
    free(rows[i].line);
  }
  free(rows);
}

/* NULL: no memory. */
static struct shown *make_rows(const struct settings *settings, const struct prof_memory *memory,
                               const struct prof_recording *recording) {
  struct shown *rows = calloc(memory->count + 1, sizeof *rows);
  bool good = rows != NULL;
  for (size_t i = 0; good && i < memory->count; i++) {
    struct shown *row = &rows[i];
    row->row = memory->rows[i];
    row->function = row->row.place.function;
    row->file = row->row.place.file;
    row->via = row->row.place.via;
    row->kind = row->row.mapped ? "mapped" : "heap";
    good = (row->line = prof_place_text(&row->row.place, recording->paths)) != NULL;
    row->path =
        good && settings->memory.by_path ? prof_path_text(&memory->paths, row->row.node, recording->names) : NULL;
    good = good && (!settings->memory.by_path || row->path != NULL);
  }
  if (good)
    return rows;
  forget_rows(rows, memory->count);
  return NULL;
}

static prof_status show_rows(const struct settings *settings, const struct prof_reader *reader,
                             const struct prof_memory *memory, int *result, struct prof_diag *diag) {
  struct shown *rows = make_rows(settings, memory, &reader->recording);
  if (!rows)
    return prof_diag_memory(diag);
  const struct document document = {memory, rows, reader->recording.names};
  const struct prof_measure_view view = {.key = "sites",
                                         .row = "place",
                                         .fields = fields,
                                         .field_count = FIELD_COUNT - !settings->memory.by_path,
                                         .rows = rows,
                                         .row_bytes = sizeof *rows,
                                         .count = memory->count,
                                         .above = above,
                                         .members = members,
                                         .row_json = row_json,
                                         .context = &document};
  prof_status status = prof_measure_show(&settings->ranked, reader, &view, result, diag);
  forget_rows(rows, memory->count);
  return status;
}

static prof_status show(void *argument, const struct prof_reader *reader, int *result, struct prof_diag *diag) {
  const struct settings *settings = argument;
  const struct prof_recording *recording = &reader->recording;
  struct prof_symbols *symbols;
  struct prof_memory memory;
  prof_status status = prof_symbols_new(recording, diag, &symbols);
  if (status != PROF_OK)
    return status;
  struct prof_line_source source = prof_symbols_source(symbols);
  status = prof_memory_rank(recording->trace, &recording->filter, recording->names, &source, &settings->memory, diag,
                            &memory);
  if (status == PROF_OK && !memory.recorded)
    status = prof_measure_missing(recording->trace, "allocations", "--memory", diag);
  if (status == PROF_OK && memory.count == 0)
    status = prof_diag_fill(diag, PROF_EMPTY, NULL, PROF_NO_OFFSET, "widen the filters (-F -N -D --tid --range)",
                            "no allocations to show");
  if (status == PROF_OK)
    status = show_rows(settings, reader, &memory, result, diag);
  prof_memory_free(&memory);
  if (status == PROF_OK)
    prof_symbols_warn(symbols);
  prof_symbols_free(symbols);
  return status;
}

#define IN(member) PROF_MEMBER(struct settings, member)
static const struct prof_option options[] = {
    {"sort", 's', "KEY", "sort rows by (default: peak)", PROF_OPTION_WORD, IN(memory.sort), .words = prof_memory_sorts},
    {"paths", 0, NULL, "a row for each call path to a place", PROF_OPTION_FLAG, IN(memory.by_path)},
    PROF_RANKED_ROWS,
    {0},
};

const struct prof_command prof_command_memory = {
    .name = "memory",
    .instead = "of which functions: -F NAME",
    .summary = "Show what each place allocated, what lived at the peak, and what was left",
    .group = "Look",
    .options = options,
    .filters = true,
    .settings_bytes = sizeof(struct settings),
    .show = show,
};
