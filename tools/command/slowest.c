/*
 * tools/command/slowest.c - `prof slowest`: the longest calls of a function or zone, and what ran in each.
 */
#include <stdio.h>

#include "analysis/slow_calls.h"
#include "base/diag.h"
#include "base/json.h"
#include "command.h"
#include "exact_only.h"
#include "export/unfinished.h"
#include "options/common.h"
#include "output.h"
#include "reader.h"
#include "slow_trees.h"
#include "view/table.h"
#include "view/units.h"

#define DEFAULT_COUNT 10

static prof_status show_table(const struct prof_slow_settings *settings, const struct prof_reader *reader,
                              const struct prof_slow_calls *calls, const struct prof_output *output,
                              struct prof_diag *diag) {
  char number[PROF_UNITS_BYTES];
  struct prof_slow_view view = prof_slow_view_of(settings, reader, output);
  prof_exact_only(reader->recording.trace, output);
  for (size_t i = 0; i < calls->count; i++)
    if (!prof_slow_tree_show(&view, &calls->items[i], i + 1))
      return prof_diag_memory(diag);
  prof_slow_view_end(&view, "calls");
  if (calls->all > calls->count)
    fprintf(output->file, "the longest %zu of %s calls\n", calls->count, prof_units_count(number, calls->all));
  return PROF_OK;
}

static void show_json(const struct prof_reader *reader, const struct prof_slow_calls *calls, FILE *file) {
  struct prof_json json;
  prof_unfinished_begin(&json, file, 2, reader->recording.trace);
  prof_json_count(&json, "compared", calls->all);
  prof_json_array(&json, "calls");
  for (size_t i = 0; i < calls->count; i++) {
    const struct prof_slow_tree *call = &calls->items[i];
    prof_json_object(&json, NULL);
    prof_json_text(&json, "name", prof_names_plain(reader->recording.names, call->function));
    prof_slow_tree_json(reader, call, NULL, &json);
    prof_json_object_end(&json);
  }
  prof_json_array_end(&json);
  prof_json_object_end(&json);
}

static prof_status show_csv(const struct prof_reader *reader, const struct prof_slow_calls *calls, FILE *file,
                            struct prof_diag *diag) {
  static const struct prof_column columns[] = {{"name", NULL, PROF_CELL_TEXT},      {"tid", NULL, PROF_CELL_COUNT},
                                               {"thread", NULL, PROF_CELL_TEXT},    {"begin_ns", NULL, PROF_CELL_NS},
                                               {"duration_ns", NULL, PROF_CELL_NS}, {"cut", NULL, PROF_CELL_FLAG}};
  struct prof_table *table = prof_table_new(columns, sizeof columns / sizeof *columns);
  for (size_t i = 0; table && i < calls->count; i++) {
    const struct prof_slow_tree *call = &calls->items[i];
    prof_table_text(table, prof_names_function(reader->recording.names, call->function));
    prof_table_count(table, prof_slow_tid(reader, call));
    prof_table_text(table, prof_slow_thread(reader, call));
    prof_table_count(table, call->begin_ns);
    prof_table_count(table, call->duration_ns);
    prof_table_count(table, call->cut);
  }
  bool done = table && !prof_table_failed(table);
  if (done)
    prof_table_csv(table, file);
  prof_table_free(table);
  return done ? PROF_OK : prof_diag_memory(diag);
}

/* ---- the command ---- */

static prof_status show(void *argument, const struct prof_reader *reader, int *result, struct prof_diag *diag) {
  const struct prof_slow_settings *settings = argument;
  struct prof_slow_calls calls;
  struct prof_output output;
  prof_status status = prof_slow_calls_find(reader->recording.trace, &reader->recording.filter,
                                            settings->has_count ? settings->count : DEFAULT_COUNT, diag, &calls);
  if (status != PROF_OK)
    return status;
  prof_output_begin(&output, &settings->common);
  prof_reader_warn(reader, &output);
  if (settings->common.format == PROF_FORMAT_TABLE)
    status = show_table(settings, reader, &calls, &output, diag);
  else if (settings->common.format == PROF_FORMAT_JSON)
    show_json(reader, &calls, output.file);
  else
    status = show_csv(reader, &calls, output.file, diag);
  *result = prof_output_end(&output);
  prof_slow_calls_free(&calls);
  return status;
}

static const struct prof_option options[] = {PROF_SLOW_ROWS("show the N longest calls (default: 10)", 1), {0}};

const struct prof_command prof_command_slowest = {
    .name = "slowest",
    .instead = "of which function or zone: -F NAME",
    .summary = "Show the longest calls of a function or zone, and what ran in each",
    .group = "Look",
    .options = options,
    .filters = true,
    .needs_events = true,
    .settings_bytes = sizeof(struct prof_slow_settings),
    .show = show,
};
