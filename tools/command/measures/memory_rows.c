/*
 * tools/command/measures/memory_rows.c - `prof memory`: rows of places, sizes, zones and requests.
 *
 * Columns are what a row is about, and its figures: usually those of memory.h, else what lived at moments.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "measure_rows.h"
#include "measure_view.h"
#include "memory_gpu.h"
#include "memory_moments.h"
#include "path_text.h"
#include "view/units.h"

struct shown { /* a row */
  struct prof_shown_place place;
  struct prof_memory_row row;
  const char *kind;
  char *path;                          /* NULL without --paths */
  const char *size, *request, *growth; /* texts in: */
  char size_text[64], request_text[24], growth_text[PROF_MEMORY_CHANGE_BYTES];
  uint64_t least_bytes, most_bytes; /* by size */
  struct prof_memory_moment before, after;
};

struct reading {
  const struct prof_memory_settings *settings;
  struct prof_memory memory;
  struct prof_memory_gpu gpu;
  struct prof_memory_moments asked;
  size_t moments; /* that were asked for */
  struct shown *rows;
  struct prof_names *names;
};

/* ---- columns ---- */

#define AT(member) PROF_MEMBER(struct shown, member)
static const struct prof_field place_keys[] = {
    {{"function", NULL, PROF_CELL_TEXT}, AT(place.function)},
    {{"file", NULL, PROF_CELL_TEXT}, AT(place.file)},
    {{"line", NULL, PROF_CELL_COUNT}, AT(place.number)},
    {{"via", NULL, PROF_CELL_TEXT}, AT(place.via)},
    {{"kind", NULL, PROF_CELL_TEXT}, AT(kind)},
    {{NULL, NULL, PROF_CELL_TEXT}, {0, 0}},
};
static const struct prof_field place_titles[] = {
    {{NULL, "KIND", PROF_CELL_TEXT, .spare = 3}, AT(kind)},
    {{NULL, "FUNCTION", PROF_CELL_TEXT, PROF_CUT_NAME}, AT(place.function)},
    {{NULL, "LINE", PROF_CELL_TEXT, PROF_CUT_LEFT, .spare = 1}, AT(place.line)},
    {{NULL, NULL, PROF_CELL_TEXT}, {0, 0}},
};
static const struct prof_field path_title[] = {
    {{"path", "PATH", PROF_CELL_TEXT, PROF_CUT_MIDDLE}, AT(path)},
    {{NULL, NULL, PROF_CELL_TEXT}, {0, 0}},
};
/* What a row is about, for JSON and CSV; and for tables. */
static const struct prof_field size_keys[] = {
    {{"least_bytes", NULL, PROF_CELL_BYTES}, AT(least_bytes)},
    {{"most_bytes", NULL, PROF_CELL_BYTES}, AT(most_bytes)},
    {{"kind", NULL, PROF_CELL_TEXT}, AT(kind)},
    {{NULL, NULL, PROF_CELL_TEXT}, {0, 0}},
};
static const struct prof_field size_titles[] = {
    {{NULL, "KIND", PROF_CELL_TEXT}, AT(kind)},
    {{NULL, "SIZE", PROF_CELL_TEXT}, AT(size)},
    {{NULL, NULL, PROF_CELL_TEXT}, {0, 0}},
};
static const struct prof_field zone_keys[] = {
    {{"name", NULL, PROF_CELL_TEXT}, AT(place.function)},
    {{"kind", NULL, PROF_CELL_TEXT}, AT(kind)},
    {{NULL, NULL, PROF_CELL_TEXT}, {0, 0}},
};
static const struct prof_field zone_titles[] = {
    {{NULL, "KIND", PROF_CELL_TEXT, .spare = 3}, AT(kind)},
    {{NULL, "ZONE", PROF_CELL_TEXT, PROF_CUT_MIDDLE}, AT(place.line)},
    {{NULL, NULL, PROF_CELL_TEXT}, {0, 0}},
};
static const struct prof_field request_keys[] = {
    {{"id", NULL, PROF_CELL_TEXT}, AT(request)},
    {{"kind", NULL, PROF_CELL_TEXT}, AT(kind)},
    {{NULL, NULL, PROF_CELL_TEXT}, {0, 0}},
};
static const struct prof_field request_titles[] = {
    {{NULL, "KIND", PROF_CELL_TEXT, .spare = 3}, AT(kind)},
    {{NULL, "REQUEST", PROF_CELL_TEXT}, AT(place.line)},
    {{NULL, NULL, PROF_CELL_TEXT}, {0, 0}},
};

static const struct prof_field figures[] = {
    {{"peak_bytes", "PEAK", PROF_CELL_BYTES}, AT(row.sum.peak_bytes)},
    {{"live_bytes", "LEFT", PROF_CELL_BYTES}, AT(row.sum.live_bytes)},
    {{"live_calls", NULL, PROF_CELL_COUNT}, AT(row.sum.live_calls)},
    {{"bytes", "BYTES", PROF_CELL_BYTES}, AT(row.sum.bytes)},
    {{"calls", "CALLS", PROF_CELL_COUNT}, AT(row.sum.calls)},
    {{"temporary", "TEMPORARY", PROF_CELL_COUNT, .spare = 2}, AT(row.sum.temporary)},
    {{NULL, NULL, PROF_CELL_TEXT}, {0, 0}},
};
static const struct prof_field changes[] = {
    {{"before_bytes", "BEFORE", PROF_CELL_BYTES}, AT(before.bytes)},
    {{"after_bytes", "AFTER", PROF_CELL_BYTES}, AT(after.bytes)},
    {{"before_calls", NULL, PROF_CELL_COUNT}, AT(before.calls)},
    {{"after_calls", "BLOCKS", PROF_CELL_COUNT}, AT(after.calls)},
    {{NULL, "CHANGE", PROF_CELL_TEXT}, AT(growth)},
    {{NULL, NULL, PROF_CELL_TEXT}, {0, 0}},
};

static const struct {
  const char *key, *row;
  const struct prof_field *keys, *titles;
} groups[] = {
    [PROF_MEMORY_BY_PLACE] = {"sites", "place", place_keys, place_titles},
    [PROF_MEMORY_BY_SIZE] = {"sizes", "row", size_keys, size_titles},
    [PROF_MEMORY_BY_ZONE] = {"zones", "zone", zone_keys, zone_titles},
    [PROF_MEMORY_BY_REQUEST] = {"requests", "request", request_keys, request_titles},
};

static size_t put_fields(struct prof_field *to, size_t count, const struct prof_field *fields) {
  for (; fields->column.key || fields->column.title; fields++)
    to[count++] = *fields;
  return count;
}

static size_t choose_fields(const struct prof_memory_settings *settings, bool moments,
                            struct prof_field out[PROF_MEASURE_MOST_FIELDS]) {
  size_t count = put_fields(out, 0, groups[settings->memory.by].keys);
  count = put_fields(out, count, moments ? changes : figures);
  count = put_fields(out, count, groups[settings->memory.by].titles);
  return settings->memory.by_path ? put_fields(out, count, path_title) : count;
}

/* ---- around the rows ---- */

/* What lived at most, and what was left: by each process at its own end. */
static void sums_line(const struct prof_memory *memory, char *line, size_t room) {
  const struct prof_memory_figures *sum = &memory->sum;
  char peak[PROF_UNITS_BYTES], at[PROF_UNITS_BYTES], calls[PROF_UNITS_BYTES], bytes[PROF_UNITS_BYTES],
      left[PROF_UNITS_BYTES], blocks[PROF_UNITS_BYTES], number[PROF_UNITS_BYTES], processes[40] = "";
  if (memory->live_processes > 1)
    snprintf(processes, sizeof processes, " by %s processes", prof_units_count(number, memory->live_processes));
  snprintf(line, room, "%s %s after %s · %s allocation%s of %s · left at the end %s in %s block%s%s",
           memory->is_whole_peak ? "at the peak of all allocations" : "peak", prof_units_bytes(peak, sum->peak_bytes),
           prof_units_duration(at, memory->peak_ns), prof_units_count(calls, sum->calls), sum->calls == 1 ? "" : "s",
           prof_units_bytes(bytes, sum->bytes), prof_units_bytes(left, sum->live_bytes),
           prof_units_count(blocks, sum->live_calls), sum->live_calls == 1 ? "" : "s", processes);
}

static void above(const void *context, const struct prof_output *output) {
  const struct reading *reading = context;
  const struct prof_memory *memory = &reading->memory;
  char before[PROF_UNITS_BYTES], after[PROF_UNITS_BYTES], rows[PROF_UNITS_BYTES], limit[PROF_UNITS_BYTES], line[400];
  if (!memory->recorded)
    snprintf(line, sizeof line, "%s", PROF_MEMORY_NO_HOST);
  else if (reading->settings->has_growth)
    snprintf(line, sizeof line, "rows that only grow, by more than %s: %s · allocated memory: %s, later %s",
             prof_units_bytes(limit, reading->settings->growth_bytes), prof_units_count(rows, memory->count),
             prof_units_bytes(before, memory->at[0].bytes),
             prof_units_bytes(after, memory->at[reading->moments - 1].bytes));
  else if (reading->moments > 0)
    snprintf(line, sizeof line, "allocated memory before %s · after %s", prof_units_bytes(before, memory->at[0].bytes),
             prof_units_bytes(after, memory->at[1].bytes));
  else
    sums_line(memory, line, sizeof line);
  prof_output_wrap(output, line, 0);
  if (memory->unfollowed_calls == 0 || reading->moments > 0)
    return;
  snprintf(line, sizeof line, "%s of these allocations, of %s, had no room in the recorder: not in PEAK and LEFT",
           prof_units_count(rows, memory->unfollowed_calls), prof_units_bytes(before, memory->unfollowed_bytes));
  prof_output_wrap(output, line, 0);
}

static void members(const void *context, struct prof_json *json) {
  const struct reading *reading = context;
  const struct prof_memory *memory = &reading->memory;
  prof_json_count(json, "peak_bytes", memory->sum.peak_bytes);
  prof_json_count(json, "peak_ns", memory->peak_ns);
  prof_json_count(json, "calls", memory->sum.calls);
  prof_json_count(json, "bytes", memory->sum.bytes);
  prof_json_count(json, "live_bytes", memory->sum.live_bytes);
  prof_json_count(json, "live_calls", memory->sum.live_calls);
  prof_json_count(json, "live_processes", memory->live_processes);
  prof_json_count(json, "temporary", memory->sum.temporary);
  prof_json_count(json, "frees", memory->frees);
  prof_json_count(json, "unknown_frees", memory->unknown_frees);
  prof_json_count(json, "unfollowed_calls", memory->unfollowed_calls);
  prof_json_count(json, "unfollowed_bytes", memory->unfollowed_bytes);
  prof_json_count(json, "mapped_peak_bytes", memory->mapped.peak_bytes);
  prof_json_count(json, "mapped_bytes", memory->mapped.bytes);
  prof_json_count(json, "mapped_live_bytes", memory->mapped.live_bytes);
  if (reading->moments > 0) {
    prof_json_count(json, "before_bytes", memory->at[0].bytes);
    prof_json_count(json, "after_bytes", memory->at[reading->moments - 1].bytes);
  }
}

/* What the row is about. */
static void identity_json(const struct reading *reading, const struct shown *shown, struct prof_json *json) {
  const struct prof_memory_row *row = &shown->row;
  char id[24];
  switch (reading->settings->memory.by) {
  case PROF_MEMORY_BY_PLACE:
    prof_json_text(json, "function", shown->place.function);
    prof_json_text(json, "file", shown->place.file);
    prof_json_count(json, "line", shown->place.number);
    prof_json_text(json, "via", shown->place.via);
    break;
  case PROF_MEMORY_BY_SIZE:
    prof_json_count(json, "least_bytes", shown->least_bytes);
    prof_json_count(json, "most_bytes", shown->most_bytes);
    break;
  case PROF_MEMORY_BY_ZONE:
    prof_json_text(json, "name", row->place.function);
    break;
  case PROF_MEMORY_BY_REQUEST:
    snprintf(id, sizeof id, "%" PRIu64, row->key);
    prof_json_digits(json, "id", row->none ? "null" : id);
    break;
  }
}

static void row_json(const void *context, size_t at, struct prof_json *json) {
  const struct reading *reading = context;
  const struct shown *shown = &reading->rows[at];
  prof_json_object(json, NULL);
  identity_json(reading, shown, json);
  prof_json_text(json, "kind", shown->kind);
  prof_json_count(json, "calls", shown->row.sum.calls);
  prof_json_count(json, "bytes", shown->row.sum.bytes);
  prof_json_count(json, "live_bytes", shown->row.sum.live_bytes);
  prof_json_count(json, "live_calls", shown->row.sum.live_calls);
  prof_json_count(json, "peak_bytes", shown->row.sum.peak_bytes);
  prof_json_count(json, "temporary", shown->row.sum.temporary);
  if (reading->moments > 0) {
    prof_json_count(json, "before_bytes", shown->before.bytes);
    prof_json_count(json, "after_bytes", shown->after.bytes);
    prof_json_count(json, "before_calls", shown->before.calls);
    prof_json_count(json, "after_calls", shown->after.calls);
  }
  if (shown->path != NULL)
    prof_path_json(&reading->memory.paths, shown->row.node, reading->names, json, "path");
  prof_json_object_end(json);
}

static bool below(const void *context, const struct prof_output *output) {
  return prof_memory_gpu_print(&((const struct reading *)context)->gpu, output);
}

static bool more(const void *context, struct prof_json *json) {
  return prof_memory_gpu_json(&((const struct reading *)context)->gpu, json);
}

/* ---- rows ---- */

static const struct prof_measured_place *place_of(const void *context, size_t row) {
  return &((const struct prof_memory *)context)->rows[row].place;
}

/* A power of two: "512 B", "4 KiB". */
static void power_text(char *text, size_t room, uint64_t bytes) {
  static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  size_t unit = 0;
  for (; bytes >= 1024; bytes /= 1024)
    unit++;
  snprintf(text, room, "%" PRIu64 " %s", bytes, units[unit]);
}

static void size_text(char *text, size_t room, uint64_t class) {
  const uint64_t least = prof_memory_class_least(class);
  char first[24], second[24];
  power_text(first, sizeof first, least);
  power_text(second, sizeof second, prof_memory_class_least(class + 1));
  if (class <= 1)
    snprintf(text, room, "%s", first);
  else if (least < 1024)
    snprintf(text, room, "%" PRIu64 " to %" PRIu64 " B", least, 2 * least - 1);
  else
    snprintf(text, room, "%s to %s", first, second);
}

static bool fill_row(const struct reading *reading, struct shown *row, const struct prof_memory_row *from) {
  const struct prof_memory_settings *settings = reading->settings;
  row->row = *from;
  row->kind = from->mapped ? "mapped" : "heap";
  row->size = row->size_text;
  row->request = row->request_text;
  row->growth = row->growth_text;
  if (settings->memory.by == PROF_MEMORY_BY_SIZE) {
    row->least_bytes = prof_memory_class_least(from->key);
    row->most_bytes = prof_memory_class_least(from->key + 1) - 1;
    size_text(row->size_text, sizeof row->size_text, from->key);
  }
  if (!from->none)
    snprintf(row->request_text, sizeof row->request_text, "%" PRIu64, from->key);
  if (reading->moments > 0) {
    row->before = from->at[0];
    row->after = from->at[reading->moments - 1];
    prof_memory_change_text(row->growth_text, row->before.bytes, row->after.bytes);
  }
  if (settings->memory.by == PROF_MEMORY_BY_ZONE || settings->memory.by == PROF_MEMORY_BY_REQUEST) {
    free(row->place.line);
    row->place.line = strdup(from->none                                      ? "[none]"
                             : settings->memory.by == PROF_MEMORY_BY_REQUEST ? row->request
                                                                             : from->place.function);
  }
  row->path = settings->memory.by_path ? prof_path_text(&reading->memory.paths, from->node, reading->names) : NULL;
  return row->place.line && (!settings->memory.by_path || row->path);
}

static prof_status rank(void *context, const struct prof_reader *reader, struct prof_symbols *symbols,
                        struct prof_diag *diag, struct prof_measure_found *found) {
  struct reading *reading = context;
  const struct prof_recording *recording = &reader->recording;
  const struct prof_memory_settings *settings = reading->settings;
  struct prof_memory_options options = settings->memory;
  prof_status status = prof_memory_moments_find(settings, reader, &options, &reading->asked, diag);
  reading->moments = reading->asked.count;
  if (status == PROF_OK && settings->memory.by == PROF_MEMORY_BY_PLACE && !settings->has_growth)
    status = prof_memory_gpu_find(&reading->gpu, settings, reader, &options, diag);
  if (status != PROF_OK)
    return status;
  struct prof_line_source source = prof_symbols_source(symbols);
  status = prof_memory_rank(recording->trace, &recording->filter, recording->names, &source, &options, diag,
                            &reading->memory);
  found->recorded = reading->memory.recorded || reading->gpu.memory.recorded;
  found->count = reading->memory.count + reading->gpu.memory.count;
  if (settings->has_growth)
    prof_memory_keep_growing(&reading->memory, settings->growth_bytes);
  return status;
}

static prof_status show(void *context, const struct prof_reader *reader, int *result, struct prof_diag *diag) {
  struct reading *reading = context;
  const struct prof_memory *memory = &reading->memory;
  const struct prof_memory_settings *settings = reading->settings;
  struct prof_field fields[PROF_MEASURE_MOST_FIELDS];
  if (!memory->recorded && settings->ranked.common.format == PROF_FORMAT_CSV)
    return prof_memory_gpu_places(&reading->gpu, reader, result, diag);
  reading->rows = prof_shown_rows_new(memory->count, sizeof *reading->rows, place_of, memory, reader->recording.paths);
  for (size_t i = 0; reading->rows && i < memory->count; i++)
    if (!fill_row(reading, &reading->rows[i], &memory->rows[i]))
      return prof_diag_memory(diag);
  if (!reading->rows)
    return prof_diag_memory(diag);
  const struct prof_measure_view view = {.key = groups[settings->memory.by].key,
                                         .row = groups[settings->memory.by].row,
                                         .fields = fields,
                                         .field_count = choose_fields(settings, reading->moments > 0, fields),
                                         .rows = reading->rows,
                                         .row_bytes = sizeof *reading->rows,
                                         .count = memory->count,
                                         .above = above,
                                         .members = members,
                                         .row_json = row_json,
                                         .below = reading->gpu.memory.count > 0 ? below : NULL,
                                         .more = more,
                                         .context = reading};
  prof_status status = prof_measure_show(&settings->ranked, reader, &view, result, diag);
  if (status == PROF_OK && *result == PROF_EXIT_OK && settings->has_growth && memory->count > 0)
    *result = PROF_EXIT_FAILED;
  return status;
}

static void forget(void *context) {
  struct reading *reading = context;
  for (size_t i = 0; reading->rows && i < reading->memory.count; i++)
    free(reading->rows[i].path);
  prof_shown_rows_free(reading->rows, reading->memory.count, sizeof *reading->rows);
  prof_memory_gpu_free(&reading->gpu);
  prof_memory_free(&reading->memory);
}

static bool shows_lines(const void *context) {
  const struct reading *reading = context;
  return reading->settings->memory.by == PROF_MEMORY_BY_PLACE && reading->memory.count > 0;
}

prof_status prof_memory_rows_show(const struct prof_memory_settings *settings, const struct prof_reader *reader,
                                  int *result, struct prof_diag *diag) {
  static const struct prof_measure_work work = {"allocations", "--memory", rank, show, forget, shows_lines};
  struct reading reading = {.settings = settings, .names = reader->recording.names};
  return prof_measure_run(&work, &reading, reader, result, diag);
}
