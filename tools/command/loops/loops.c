/*
 * tools/command/loops/loops.c - `prof loops`: entries, iterations and times of loops.
 */
#include "analysis/loops.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/diag.h"
#include "base/json.h"
#include "command/command.h"
#include "command/output.h"
#include "command/ranked.h"
#include "command/reader.h"
#include "command/sections.h"
#include "loop_table.h"
#include "view/units.h"

struct settings {
  struct prof_ranked ranked;
  enum prof_loop_sort sort;
};

/* Prints below the rows what they leave out. */
static void show_rest(const void *context, const struct prof_output *output) {
  const struct prof_loop_rows *rows = context;
  char number[PROF_UNITS_BYTES], line[200];
  uint64_t empty = 0, unknown = 0, uncounted = 0;
  bool untimed = false, bursts = false;
  for (size_t i = 0; i < rows->count; i++) {
    empty += rows->rows[i].empty_entries;
    unknown += rows->rows[i].unknown_entries;
    untimed |= !rows->rows[i].has_times && !rows->rows[i].estimated;
    bursts |= rows->rows[i].estimated;
    uncounted += !rows->rows[i].has_times && !rows->rows[i].has_entries;
  }
  if (bursts)
    prof_output_wrap(output, "~: recorded in bursts: entries are estimates, and not timed", 2);
  if (untimed)
    prof_output_wrap(output, "-: not timed; -fplugin-arg-prof-loops=all times inner loops too", 2);
  if (uncounted) {
    snprintf(line, sizeof line, "%s inner loop%s not counted: compile with -fplugin-arg-prof-loop-counts=all",
             prof_units_count(number, uncounted), uncounted == 1 ? " is" : "s are");
    prof_output_wrap(output, line, 2);
  }
  if (empty)
    fprintf(output->file, "entries without iteration: %s (in ENTRIES, not in MIN and AVG)\n",
            prof_units_count(number, empty));
  if (unknown)
    fprintf(output->file, "entries with unknown iterations (cut off): %s\n", prof_units_count(number, unknown));
}

static bool add_members(const void *context, struct prof_json *json) {
  prof_json_count(json, "never_entered", ((const struct prof_loop_rows *)context)->never_entered);
  return true;
}

/*
 * Copies the loops with known figures, in the same order: most loops of a deep nest are neither timed nor counted, and
 * would fill the table.  The caller frees it; NULL: no memory.
 */
static struct prof_loop_row *those_told(const struct prof_loop_rows *rows, size_t *count) {
  struct prof_loop_row *told = malloc((rows->count + 1) * sizeof *told);
  for (size_t i = 0; told && i < rows->count; i++)
    if (rows->rows[i].has_entries || rows->rows[i].has_iterations || rows->rows[i].has_times)
      told[(*count)++] = rows->rows[i];
  return told;
}

static prof_status show(const struct settings *settings, const struct prof_reader *reader,
                        const struct prof_profile *profile, const struct prof_loop_rows *rows,
                        const struct prof_section *section, const struct prof_output *output, struct prof_diag *diag) {
  bool people = prof_ranked_is_table(&settings->ranked);
  struct prof_loop_row *told = NULL;
  size_t told_count = 0;
  if (people && prof_ranked_limit(&settings->ranked, PROF_RANKED_TABLE)) {
    told = those_told(rows, &told_count);
    if (!told)
      return prof_diag_memory(diag);
  }
  const struct prof_loop_row *of = told ? told : rows->rows;
  size_t of_count = told ? told_count : rows->count,
         count = prof_ranked_count(&settings->ranked, PROF_RANKED_TABLE, of_count);
  struct prof_column columns[PROF_LOOP_COLUMNS];
  struct prof_table *table = prof_loop_table(reader, of, count, people, columns);
  struct prof_cover cover;
  prof_cover_of(profile, reader->recording.time, &cover);
  const struct prof_ranked_view view = {.key = "loops",
                                        .trace = profile->trace,
                                        .cover = &cover,
                                        .section = section,
                                        .says_corrected = true,
                                        .hidden = rows->count - count,
                                        .row = "loop",
                                        .below = show_rest,
                                        .members = add_members,
                                        .context = rows};
  prof_status status = prof_ranked_show(&settings->ranked, table, &view, output, diag);
  free(told);
  return status;
}

static prof_status find(const struct settings *settings, const struct prof_reader *reader,
                        struct prof_profile **profile, struct prof_loop_rows *rows, struct prof_diag *diag) {
  prof_status status = prof_reader_fold(reader, profile, diag);
  if (status == PROF_OK)
    status = prof_loops_rank(*profile, reader->recording.names, reader->recording.time, settings->sort, diag, rows);
  return status == PROF_OK && rows->count == 0 ? prof_loop_none(reader, rows, diag) : status;
}

static prof_status show_section(const void *context, const struct prof_reader *part, const struct prof_section *section,
                                const struct prof_output *output, struct prof_diag *diag) {
  struct prof_profile *profile = NULL;
  struct prof_loop_rows rows = {0};
  prof_status status = find(context, part, &profile, &rows, diag);
  if (status == PROF_OK)
    status = show(context, part, profile, &rows, section, output, diag);
  prof_loops_free(&rows);
  prof_profile_free(profile);
  return status;
}

static prof_status loops(void *argument, const struct prof_reader *reader, int *result, struct prof_diag *diag) {
  struct settings *settings = argument;
  struct prof_profile *profile = NULL;
  struct prof_loop_rows rows = {0};
  struct prof_output output;
  size_t loop_count;
  settings->ranked.common.loops_apart = true;
  prof_trace_loops(reader->recording.trace, &loop_count);
  if (reader->recording.groups.count && !loop_count)
    return prof_loop_none(reader, &rows, diag);
  if (reader->recording.groups.count)
    return prof_sections_show(&settings->ranked, reader, show_section, settings, result, diag);
  prof_status status = find(settings, reader, &profile, &rows, diag);
  if (status == PROF_OK) {
    prof_output_begin(&output, &settings->ranked.common);
    prof_reader_warn(reader, &output);
    status = show(settings, reader, profile, &rows, NULL, &output, diag);
    *result = prof_output_end(&output);
  }
  prof_loops_free(&rows);
  prof_profile_free(profile);
  return status;
}

#define IN(member) PROF_MEMBER(struct settings, member)
static const struct prof_option options[] = {
    {"sort", 's', "KEY", "sort rows by (default: self)", PROF_OPTION_WORD, IN(sort), .words = prof_loop_sorts},
    PROF_COMMON_TIME,
    PROF_RANKED_ROWS,
    PROF_COMMON_BY("show a table for each of the ten top processes or commands (-n 0: all)"),
    {0},
};

const struct prof_command prof_command_loops = {
    .name = "loops",
    .instead = "loops of one function: -F NAME -D 1",
    .summary = "Show what each loop cost: entries, iterations, times",
    .group = "Look",
    .options = options,
    .filters = true,
    .settings_bytes = sizeof(struct settings),
    .show = loops,
};
