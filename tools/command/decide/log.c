/*
 * tools/command/decide/log.c - `prof log`: what was tried, and what came of it.
 */
#include <math.h>
#include <stdio.h>

#include "base/diag.h"
#include "base/json.h"
#include "command/command.h"
#include "command/decide/diff_show.h"
#include "command/decide/ledger.h"
#include "command/options/common.h"
#include "command/output.h"

struct settings {
  struct prof_common common; /* for its output */
  const char *path;
};

static bool show_table(const struct prof_ledger *ledger, const struct prof_output *output) {
  static const struct prof_column columns[] = {
      {NULL, "TIME", PROF_CELL_TEXT},         {NULL, "TITLE", PROF_CELL_TEXT},
      {NULL, "VERDICT", PROF_CELL_TEXT},      {NULL, "CHANGE", PROF_CELL_TEXT},
      {NULL, "95% INTERVAL", PROF_CELL_TEXT}, {NULL, "MOST CHANGED", PROF_CELL_TEXT, PROF_CUT_NAME},
      {NULL, "OLD", PROF_CELL_TEXT, 0, 1},    {NULL, "NEW", PROF_CELL_TEXT, 0, 1}};
  struct prof_table *table = prof_table_new(columns, sizeof columns / sizeof *columns);
  char text[PROF_CHANGE_BYTES];
  for (size_t i = 0; table && i < ledger->entries.count; i++) {
    const struct prof_ledger_entry *entry = &ledger->entries.items[i];
    prof_table_text(table, entry->time);
    prof_table_text(table, entry->title);
    prof_table_text(table, entry->verdict);
    prof_table_text(table, isfinite(entry->ratio) ? prof_change_text(text, entry->ratio) : "-");
    prof_table_text(table,
                    isfinite(entry->low + entry->high) ? prof_change_interval(text, entry->low, entry->high) : "-");
    prof_table_text(table, entry->row);
    prof_table_text(table, entry->old);
    prof_table_text(table, entry->new);
  }
  const bool done = table && !prof_table_failed(table);
  if (done)
    prof_table_print(table, output->file, &output->style);
  prof_table_free(table);
  if (ledger->strange)
    fprintf(output->file, "%zu %s other fields: left out\n", ledger->strange,
            ledger->strange == 1 ? "line has" : "lines have");
  return done;
}

static void show_json(const struct prof_ledger *ledger, FILE *file) {
  struct prof_json json;
  prof_json_init(&json, file, 2);
  prof_json_object(&json, NULL);
  prof_json_array(&json, "entries");
  for (size_t i = 0; i < ledger->entries.count; i++) {
    const struct prof_ledger_entry *entry = &ledger->entries.items[i];
    prof_json_object(&json, NULL);
    prof_json_text(&json, "time", entry->time);
    prof_json_text(&json, "title", entry->title);
    prof_json_text(&json, "command", entry->command);
    prof_json_text(&json, "verdict", entry->verdict);
    prof_json_number(&json, "ratio", entry->ratio);
    prof_json_number(&json, "low", entry->low);
    prof_json_number(&json, "high", entry->high);
    prof_json_text(&json, "old", entry->old);
    prof_json_text(&json, "new", entry->new);
    prof_json_text(&json, "row", entry->row);
    prof_json_object_end(&json);
  }
  prof_json_array_end(&json);
  prof_json_object_end(&json);
}

static int run(void *argument, int argc, char **argv) {
  const struct settings *settings = argument;
  struct prof_ledger ledger = {0};
  struct prof_diag diag = {0};
  struct prof_output output;
  int result = PROF_EXIT_OK;
  (void)argc, (void)argv;
  prof_status status = prof_ledger_read(settings->path ? settings->path : PROF_LEDGER_FILE, &diag, &ledger);
  if (status == PROF_OK) {
    prof_output_begin(&output, &settings->common);
    if (settings->common.format == PROF_FORMAT_JSON)
      show_json(&ledger, output.file);
    else if (!show_table(&ledger, &output))
      status = prof_diag_memory(&diag);
    result = prof_output_end(&output);
  }
  prof_ledger_fini(&ledger);
  return status == PROF_OK ? result : prof_command_fail(&diag);
}

#define IN(member) PROF_MEMBER(struct settings, member)
static const struct prof_option options[] = {
    {"file", 0, "FILE", "the ledger (default: " PROF_LEDGER_FILE ")", PROF_OPTION_TEXT, IN(path), .low = 1,
     .remedy = "give a file, as in --file=prof.log"},
    {"format", 0, NULL, "output format (default: table)", PROF_OPTION_WORD, IN(common.format),
     PROF_WORDS("table", "json")},
    PROF_COMMON_COLOR,
    PROF_COMMON_WIDTH,
    PROF_COMMON_NO_PAGER,
    {0},
};

const struct prof_command prof_command_log = {
    .name = "log",
    .instead = "entries come from prof diff --note=TITLE and prof compare --note=TITLE",
    .summary = "Show what was tried, and what came of it",
    .group = "Decide",
    .options = options,
    .settings_bytes = sizeof(struct settings),
    .run = run,
};
