/*
 * tools/command/hints.c - `prof hints`: functions that are called too often for what they do, in a list for the plugin.
 *
 * Job: a program compiled with the list has no probes in them, so that it costs less while recorded, and while not.
 * In: a recording.  Out: a table, and the file of wire/hint_file.h.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/functions.h"
#include "base/diag.h"
#include "budget_value.h"
#include "command.h"
#include "estimate/burst/zone_hosts.h"
#include "field.h"
#include "hint.h"
#include "hint_file.h"
#include "ranked.h"
#include "reader.h"
#include "record_hints.h"
#include "view/units.h"

#define DEFAULT_MOST 0.01
#define DEFAULT_BUDGET 0.05

struct settings {
  struct prof_ranked ranked;
  double most, budget; /* shares */
  bool has_most;
  const char *path; /* -o */
};

struct row {
  struct prof_function_row function;
  const char *linkage;
};

struct hints {
  struct row *rows; /* by calls, the most first */
  size_t count, functions;
  bool has_calls_share;           /* calls of all are known */
  double calls_share, self_share; /* of all functions */
};

static bool is_fit_for_a_line(const char *text) {
  return !strpbrk(text, "\t\n");
}

static double share_of(uint64_t part, uint64_t whole) {
  return whole > 0 ? (double)part / (double)whole : 0;
}

/* Zones of an uninstrumented function are recorded always, with a budget too.  NULL: no memory. */
static bool *find_hosts(const prof_trace *trace, size_t function_count) {
  struct prof_zone_hosts zones = {0};
  struct prof_code_functions *code = prof_code_functions_new(trace);
  bool *hosts = calloc(function_count + 1, sizeof *hosts),
       done = hosts && code && prof_zone_hosts_init(&zones, trace, code);
  for (size_t i = 0; done && i < zones.pairs.count; i++)
    hosts[zones.pairs.items[i].function] = true;
  prof_zone_hosts_fini(&zones);
  prof_code_functions_free(code);
  if (!done)
    free(hosts);
  return done ? hosts : NULL;
}

/* Of each name the first function's state counts. */
static bool find(const struct settings *settings, const struct prof_reader *reader,
                 const struct prof_function_rows *ranked, const uint8_t *dense, struct hints *hints) {
  size_t function_count;
  const struct prof_function *functions = prof_trace_functions(reader->recording.trace, &function_count);
  double most = settings->has_most ? settings->most : DEFAULT_MOST;
  uint64_t all_calls = 0, calls = 0;
  bool *hosts = find_hosts(reader->recording.trace, function_count);
  *hints = (struct hints){.has_calls_share = true, .rows = malloc((ranked->count + 1) * sizeof *hints->rows)};
  for (size_t i = 0; hints->rows && hosts && i < ranked->count; i++) {
    const struct prof_function_row *row = &ranked->rows[i];
    bool is_function = !prof_function_row_is_zone(row) && row->index < function_count;
    hints->functions += is_function;
    all_calls += is_function ? row->calls : 0;
    hints->has_calls_share &= !is_function || !row->calls_estimated || row->has_calls_high;
    if (!is_function || !dense[row->index] || hosts[row->index] || row->self_share >= most ||
        !is_fit_for_a_line(functions[row->index].name) || !is_fit_for_a_line(functions[row->index].file))
      continue;
    calls += row->calls;
    hints->self_share += row->self_share;
    hints->rows[hints->count++] = (struct row){*row, functions[row->index].name};
  }
  hints->calls_share = share_of(calls, all_calls);
  bool done = hints->rows && hosts;
  free(hosts);
  return done;
}

static prof_status write_list(const struct prof_reader *reader, const struct hints *hints, const char *path,
                              struct prof_diag *diag) {
  FILE *file = fopen(path, "we");
  size_t function_count;
  const struct prof_function *functions = prof_trace_functions(reader->recording.trace, &function_count);
  if (!file)
    return prof_diag_system(diag, errno, path, "creating the list", "choose another file: -o FILE");
  fprintf(file, "%s\n", PROF_HINTS_HEAD);
  for (size_t i = 0; i < hints->count; i++)
    fprintf(file, "%s\t%s\n", hints->rows[i].linkage, functions[hints->rows[i].function.index].file);
  bool failed = ferror(file);
  if (fclose(file) != 0 || failed)
    return prof_diag_system(diag, errno, path, "writing the list", "free space, or choose another file: -o FILE");
  return PROF_OK;
}

/* ---- what is shown ---- */

static void show_calls(struct prof_table *table, const void *value) {
  const struct row *row = value;
  prof_table_count(table, row->function.calls);
  if (row->function.calls_estimated)
    prof_table_estimated(table);
}

static const struct prof_field fields[] = {
    {{"calls", "CALLS", PROF_CELL_COUNT}, .cell = show_calls},
    {{"self_share", "SELF%", PROF_CELL_SHARE}, PROF_MEMBER(struct row, function.self_share)},
    {{"file", "FILE", PROF_CELL_TEXT, PROF_CUT_LEFT}, PROF_MEMBER(struct row, function.file)},
    {{"linkage_name", NULL, PROF_CELL_TEXT}, PROF_MEMBER(struct row, linkage)},
    {{"name", "FUNCTION", PROF_CELL_TEXT}, PROF_MEMBER(struct row, function.name)},
};
#define FIELD_COUNT (sizeof fields / sizeof *fields)

struct shown {
  const struct hints *hints;
  const char *path, *argument; /* of the file; for the plugin */
};

static void show_head(const void *context, const struct prof_output *output) {
  const struct hints *hints = ((const struct shown *)context)->hints;
  char part[PROF_UNITS_BYTES], all[PROF_UNITS_BYTES], share[PROF_UNITS_BYTES], calls[80] = "", line[300];
  if (hints->count == 0) {
    fprintf(output->file, "dense and dull: none of %s functions\n", prof_units_count(all, hints->functions));
    return;
  }
  if (hints->has_calls_share)
    snprintf(calls, sizeof calls, "%s of the calls, ", prof_units_share(share, hints->calls_share));
  snprintf(line, sizeof line, "dense and dull: %s of %s functions, %s%s of the time",
           prof_units_count(part, hints->count), prof_units_count(all, hints->functions), calls,
           prof_units_share(share, hints->self_share));
  prof_output_line(output, line);
}

static void show_next(const void *context, const struct prof_output *output) {
  const struct shown *shown = context;
  char word[PROF_HINT_BYTES];
  if (shown->hints->count > 0)
    fprintf(output->file, "next: compile with -fplugin-arg-prof-hints=%s\n", prof_hint_word(word, shown->argument));
}

static bool add_members(const void *context, struct prof_json *json) {
  const struct shown *shown = context;
  prof_json_text(json, "list", shown->path);
  prof_json_count(json, "functions_in_all", shown->hints->functions);
  if (shown->hints->has_calls_share)
    prof_json_number(json, "calls_share", shown->hints->calls_share);
  prof_json_number(json, "self_share", shown->hints->self_share);
  return true;
}

static prof_status show_rows(const struct settings *settings, const struct prof_reader *reader,
                             const struct prof_profile *profile, const struct shown *shown,
                             const struct prof_output *output, struct prof_diag *diag) {
  struct prof_column columns[FIELD_COUNT];
  size_t count = prof_ranked_count(&settings->ranked, PROF_RANKED_TABLE, shown->hints->count);
  struct prof_cover cover;
  if (count == 0 && prof_ranked_is_table(&settings->ranked)) {
    show_head(shown, output);
    return PROF_OK;
  }
  prof_cover_of(profile, reader->recording.time, &cover);
  struct prof_table *table =
      prof_field_table(fields, FIELD_COUNT, shown->hints->rows, sizeof *shown->hints->rows, count, columns);
  const struct prof_ranked_view view = {.key = "functions",
                                        .trace = profile->trace,
                                        .cover = &cover,
                                        .hidden = shown->hints->count - count,
                                        .row = "function",
                                        .above = show_head,
                                        .below = show_next,
                                        .members = add_members,
                                        .context = shown};
  return prof_ranked_show(&settings->ranked, table, &view, output, diag);
}

/* ---- the command ---- */

static prof_status take_overhead(void *settings, const char *value, struct prof_diag *diag) {
  return prof_budget_value("--overhead", value, &((struct settings *)settings)->budget, diag);
}

static prof_status list_and_show(const struct settings *settings, const struct prof_reader *reader,
                                 const struct prof_profile *profile, const struct hints *hints, int *result,
                                 struct prof_diag *diag) {
  char *own = NULL;
  const char *input = settings->ranked.common.input;
  if (asprintf(&own, "%s/%s", input, PROF_HINTS_FILE) < 0)
    return prof_diag_memory(diag);
  const struct shown shown = {hints, settings->path ? settings->path : own, settings->path ? settings->path : input};
  prof_status status = write_list(reader, hints, shown.path, diag);
  if (status == PROF_OK) {
    struct prof_output output;
    prof_output_begin(&output, &settings->ranked.common);
    prof_reader_warn(reader, &output);
    status = show_rows(settings, reader, profile, &shown, &output, diag);
    *result = prof_output_end(&output);
  }
  free(own);
  return status;
}

static prof_status show(void *argument, const struct prof_reader *reader, int *result, struct prof_diag *diag) {
  const struct settings *settings = argument;
  struct prof_profile *profile = NULL;
  struct prof_samples *samples = NULL;
  struct prof_function_rows ranked = {0};
  struct hints hints = {0};
  uint8_t *dense =
      prof_record_hints_dense(reader->recording.trace, settings->budget > 0 ? settings->budget : DEFAULT_BUDGET);
  prof_status status =
      dense ? prof_reader_fold_samples(reader, false, &profile, &samples, diag) : prof_diag_memory(diag);
  if (status == PROF_OK)
    status = prof_functions_rank(profile, samples, reader->recording.names, PROF_BY_FUNCTION, reader->recording.time,
                                 PROF_SORT_CALLS, diag, &ranked);
  if (status == PROF_OK && !find(settings, reader, &ranked, dense, &hints))
    status = prof_diag_memory(diag);
  if (status == PROF_OK)
    status = list_and_show(settings, reader, profile, &hints, result, diag);
  free(hints.rows);
  prof_functions_free(&ranked);
  prof_samples_free(samples);
  prof_profile_free(profile);
  free(dense);
  return status;
}

static const struct prof_option options[] = {
    PROF_RANKED_ROWS,
    {"most", 0, "PCT", "only functions with less of the time than this in themselves (default: 1%)", PROF_OPTION_SHARE,
     PROF_MEMBER(struct settings, most), .given = offsetof(struct settings, has_most)},
    {"overhead", 0, "PERCENT", "of a recording without a limit: those that would not fit this one (default: 5%)",
     .take = take_overhead, PROF_WORDS("production", "dev", "full")},
    {"output", 'o', "FILE", "write the list there (default: into the recording's folder)", PROF_OPTION_TEXT,
     PROF_MEMBER(struct settings, path), .low = 1, .remedy = "give a file, as in -o app.hints"},
    {0},
};

const struct prof_command prof_command_hints = {
    .name = "hints",
    .instead = "only some functions: -F NAME",
    .summary = "List functions that are called too often for what they do, for the plugin to leave out",
    .group = "Record",
    .options = options,
    .filters = true,
    .settings_bytes = sizeof(struct settings),
    .show = show,
};
