/*
 * tools/command/measures/locks.c - `prof locks`: for which locks threads waited, and who held them meanwhile.
 */
#include "analysis/measures/locks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/text.h"
#include "command/command.h"
#include "measure_rows.h"
#include "measure_view.h"
#include "path_text.h"
#include "view/units.h"

struct settings {
  struct prof_ranked ranked;
  struct prof_lock_options locks;
};

struct shown { /* a row */
  struct prof_lock_row row;
  const char *name;
  double contended_share;
  const char *holder; /* with most of the waits; "": none */
  const char *longest;
  char *path;          /* of the holder; NULL without --paths */
  double holder_share; /* its part of them */
  bool has_waits, has_holder, has_holds;
};

struct reading {
  const struct settings *settings;
  struct prof_locks locks;
  struct shown *rows;
  struct prof_names *names;
};

#define AT(member) PROF_MEMBER(struct shown, member)
#define IF(member) offsetof(struct shown, member)
static const struct prof_field fields[] = {
    {{"name", NULL, PROF_CELL_TEXT}, AT(name)},
    {{"kind", NULL, PROF_CELL_TEXT}, AT(row.kind)},
    {{"locks", NULL, PROF_CELL_COUNT}, AT(row.locks)},
    {{"wait_ns", "WAIT", PROF_CELL_NS}, AT(row.wait_ns)},
    {{"wait_p99_ns", "P99", PROF_CELL_NS, .spare = 4}, AT(row.wait_p99_ns), IF(has_waits)},
    {{"wait_max_ns", "MAX", PROF_CELL_NS, .spare = 3}, AT(row.wait_max_ns), IF(has_waits)},
    {{"acquisitions", "ACQUIRED", PROF_CELL_COUNT}, AT(row.acquisitions)},
    {{"contended", NULL, PROF_CELL_COUNT}, AT(row.contended)},
    {{NULL, "CONTENDED", PROF_CELL_SHARE}, AT(contended_share)},
    {{"hold_ns", NULL, PROF_CELL_NS}, AT(row.hold_ns)},
    {{"longest_hold_ns", "LONGEST HOLD", PROF_CELL_NS, .spare = 2}, AT(row.longest_hold_ns), IF(has_holds)},
    {{NULL, "LOCK", PROF_CELL_TEXT, PROF_CUT_MIDDLE}, AT(name)},
    {{"holder", "HELD BY", PROF_CELL_TEXT, PROF_CUT_NAME}, AT(holder)},
    {{NULL, "PART", PROF_CELL_SHARE, .spare = 1}, AT(holder_share), IF(has_holder)},
    {{"path", "PATH", PROF_CELL_TEXT, PROF_CUT_MIDDLE}, AT(path)}, /* with --paths */
};
#define FIELD_COUNT (sizeof fields / sizeof *fields)

static void above(const void *context, const struct prof_output *output) {
  const struct prof_locks *locks = &((const struct reading *)context)->locks;
  char wait[PROF_UNITS_BYTES], taken[PROF_UNITS_BYTES], contended[PROF_UNITS_BYTES], line[300];
  uint64_t wait_ns = 0, acquisitions = 0, waits = 0;
  for (size_t i = 0; i < locks->count; i++) {
    wait_ns += locks->rows[i].wait_ns;
    acquisitions += locks->rows[i].acquisitions;
    waits += locks->rows[i].contended;
  }
  snprintf(line, sizeof line, "threads waited %s in %s of %s acquisition%s", prof_units_duration(wait, wait_ns),
           prof_units_count(contended, waits), prof_units_count(taken, acquisitions), acquisitions == 1 ? "" : "s");
  prof_output_wrap(output, line, 0);
}

static void members(const void *context, struct prof_json *json) {
  (void)context, (void)json;
}

static void place_json(struct prof_json *json, const struct prof_measured_place *place) {
  prof_json_text(json, "function", place->function);
  prof_json_text(json, "file", place->file);
  prof_json_count(json, "line", place->line);
  prof_json_text(json, "via", place->via);
}

static void row_json(const void *context, size_t at, struct prof_json *json) {
  const struct reading *reading = context;
  const struct prof_lock_row *row = &reading->locks.rows[at];
  prof_json_object(json, NULL);
  prof_json_text(json, "name", row->name);
  prof_json_text(json, "kind", row->kind);
  prof_json_count(json, "locks", row->locks);
  prof_json_count(json, "acquisitions", row->acquisitions);
  prof_json_count(json, "contended", row->contended);
  prof_json_count(json, "wait_ns", row->wait_ns);
  prof_json_count(json, "wait_p99_ns", row->wait_p99_ns);
  prof_json_count(json, "wait_max_ns", row->wait_max_ns);
  prof_json_count(json, "unknown_ns", row->unknown_ns);
  prof_json_count(json, "hold_ns", row->hold_ns);
  prof_json_count(json, "longest_hold_ns", row->longest_hold_ns);
  if (row->longest.function) {
    prof_json_object(json, "longest_hold");
    place_json(json, &row->longest);
    prof_json_object_end(json);
  }
  prof_json_array(json, "holders");
  for (uint32_t i = 0; i < row->holder_count; i++) {
    prof_json_object(json, NULL);
    place_json(json, &row->holders[i].place);
    prof_json_count(json, "wait_ns", row->holders[i].wait_ns);
    prof_json_count(json, "handover_ns", row->holders[i].handover_ns);
    if (reading->settings->locks.by_path)
      prof_path_json(&reading->locks.paths, row->holders[i].node, reading->names, json, "path");
    prof_json_object_end(json);
  }
  prof_json_array_end(json);
  prof_json_array(json, "waited");
  for (uint32_t i = 0; i < row->waiting_count; i++) {
    prof_json_object(json, NULL);
    place_json(json, &row->waiting[i].place);
    prof_json_count(json, "wait_ns", row->waiting[i].wait_ns);
    prof_json_object_end(json);
  }
  prof_json_array_end(json);
  prof_json_object_end(json);
}

/* ---- the command ---- */

static prof_status show_rows(void *context, const struct prof_reader *reader, int *result, struct prof_diag *diag) {
  struct reading *reading = context;
  const struct prof_locks *locks = &reading->locks;
  const bool by_path = reading->settings->locks.by_path;
  struct shown *rows = reading->rows = calloc(locks->count + 1, sizeof *rows);
  if (!rows)
    return prof_diag_memory(diag);
  for (size_t i = 0; i < locks->count; i++) {
    const struct prof_lock_row *row = &locks->rows[i];
    const struct prof_lock_holder *holder = row->holder_count ? &row->holders[0] : NULL;
    uint64_t held = holder ? holder->wait_ns + holder->handover_ns : 0;
    rows[i] =
        (struct shown){.row = *row,
                       .name = row->name,
                       .contended_share = row->acquisitions ? (double)row->contended / (double)row->acquisitions : 0,
                       .holder = holder ? holder->place.function : "",
                       .holder_share = row->wait_ns ? (double)held / (double)row->wait_ns : 0,
                       .has_waits = row->contended > 0,
                       .has_holder = holder != NULL,
                       .has_holds = row->longest.function != NULL};
    if (by_path)
      rows[i].path = holder ? prof_path_text(&locks->paths, holder->node, reading->names) : strdup("");
    if (by_path && !rows[i].path)
      return prof_diag_memory(diag);
  }
  const struct prof_measure_view view = {.key = "locks",
                                         .row = "lock",
                                         .fields = fields,
                                         .field_count = FIELD_COUNT - !by_path,
                                         .rows = rows,
                                         .row_bytes = sizeof *rows,
                                         .count = locks->count,
                                         .above = above,
                                         .members = members,
                                         .row_json = row_json,
                                         .context = reading};
  return prof_measure_show(&reading->settings->ranked, reader, &view, result, diag);
}

static prof_status rank(void *context, const struct prof_reader *reader, struct prof_symbols *symbols,
                        struct prof_diag *diag, struct prof_measure_found *found) {
  struct reading *reading = context;
  const struct prof_recording *recording = &reader->recording;
  struct prof_line_source source = prof_symbols_source(symbols);
  prof_status status = prof_locks_rank(recording->trace, &recording->filter, recording->names, &source, symbols,
                                       &reading->settings->locks, diag, &reading->locks);
  found->recorded = reading->locks.recorded;
  found->count = reading->locks.count;
  found->remedy = reading->locks.left_out ? "--all shows sleeps, polls, input and child processes" : NULL;
  return status;
}

static void forget(void *context) {
  struct reading *reading = context;
  for (size_t i = 0; reading->rows && i < reading->locks.count; i++)
    free(reading->rows[i].path);
  free(reading->rows);
  prof_locks_free(&reading->locks);
}

static prof_status show(void *settings, const struct prof_reader *reader, int *result, struct prof_diag *diag) {
  static const struct prof_measure_work work = {"locks", "--locks", rank, show_rows, forget, NULL};
  struct reading reading = {.settings = settings, .names = reader->recording.names};
  return prof_measure_run(&work, &reading, reader, result, diag);
}

static const struct prof_option options[] = {
    {"sort", 's', "KEY", "sort rows by (default: wait)", PROF_OPTION_WORD, PROF_MEMBER(struct settings, locks.sort),
     .words = prof_lock_sorts},
    {"all", 0, NULL, "also sleeps, polls, input and child processes that threads waited for", PROF_OPTION_FLAG,
     PROF_MEMBER(struct settings, locks.all)},
    {"paths", 0, NULL, "who held it: by call path", PROF_OPTION_FLAG, PROF_MEMBER(struct settings, locks.by_path)},
    PROF_RANKED_ROWS,
    {0},
};

const struct prof_command prof_command_locks = {
    .name = "locks",
    .instead = "waits in which functions: -F NAME",
    .summary = "Show for which locks threads waited, and who held them meanwhile",
    .group = "Look",
    .options = options,
    .filters = true,
    .settings_bytes = sizeof(struct settings),
    .show = show,
};
