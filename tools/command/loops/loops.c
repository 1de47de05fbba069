/*
 * tools/command/loops/loops.c - `prof loops`: entries, iterations, times and work of loops.
 */
#include "analysis/loop_work.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/json.h"
#include "command/command.h"
#include "command/counter_columns.h"
#include "command/output.h"
#include "command/ranked.h"
#include "command/reader.h"
#include "command/sections.h"
#include "loop_table.h"
#include "roofline.h"
#include "view/units.h"

struct settings {
  struct prof_ranked ranked;
  enum prof_loop_sort sort;
  const char *sort_other; /* a counter; NULL: `sort` */
  bool flops;
  const char *roofline; /* file; NULL: a table */
  struct prof_peaks peaks;
};

struct found {
  const struct prof_reader *reader;
  struct prof_loop_rows rows;
  struct prof_loop_works works; /* with --flops */
  struct prof_counter_columns counters;
};

/* Prints what the figures of work are of. */
static void show_works(const struct prof_loop_works *works, size_t count, const struct prof_output *output) {
  bool inexact = false;
  for (size_t i = 0; i < count; i++)
    inexact |= works->items[i].known && works->items[i].is_inexact;
  prof_output_wrap(output, "FLOPS to FLOP/B: of the whole recording, with inner loops, without calls", 2);
  if (inexact)
    prof_output_wrap(output, "~: not known exactly: FACTS has the bounds", 2);
}

/* Prints below the rows what they leave out. */
static void show_rest(const void *context, const struct prof_output *output) {
  const struct found *found = context;
  const struct prof_loop_rows *rows = &found->rows;
  char number[PROF_UNITS_BYTES], line[200];
  uint64_t empty = 0, unknown = 0, uncounted = 0;
  bool untimed = false, bursts = false;
  for (size_t i = 0; i < rows->count; i++) {
    empty += rows->rows[i].empty_entries;
    unknown += rows->rows[i].unknown_entries;
    untimed |= !rows->rows[i].has_times && !rows->rows[i].estimated;
    bursts |= rows->rows[i].estimated;
    uncounted += !rows->rows[i].has_times && !rows->rows[i].has_entries && !rows->rows[i].estimated;
  }
  if (found->works.items)
    show_works(&found->works, rows->count, output);
  if (bursts)
    prof_output_wrap(output, "~: recorded in bursts: estimates, SELF by the addresses of samples", 2);
  if (untimed)
    prof_output_wrap(output, "- in SELF: not timed; -fplugin-arg-prof-loops=all times inner loops too", 2);
  if (uncounted) {
    snprintf(line, sizeof line, "%s inner loop%s not counted: compile with -fplugin-arg-prof-loop-counts=all",
             prof_units_count(number, uncounted), uncounted == 1 ? " is" : "s are");
    prof_output_wrap(output, line, 2);
  }
  if (empty)
    fprintf(output->file, "entries without iteration: %s (in ENTRIES, not in MIN and AVG)\n",
            prof_units_count(number, empty));
  if (unknown)
    fprintf(output->file, "entries with unknown iterations (cut off): %s (> or - in ITERATIONS)\n",
            prof_units_count(number, unknown));
}

static bool add_members(const void *context, struct prof_json *json) {
  const struct found *found = context;
  prof_json_count(json, "never_entered", found->rows.never_entered);
  return !found->works.items || prof_work_functions_json(&found->works, found->reader, json);
}

/*
 * Moves the loops with known figures to the front, in the same order; their number.  Most loops of a deep nest are
 * neither timed nor counted, and would fill the table.
 */
static size_t keep_told(struct prof_loop_row *rows, struct prof_loop_work *works, size_t count) {
  size_t kept = 0;
  for (size_t i = 0; i < count; i++)
    if (rows[i].has_entries || rows[i].has_iterations || rows[i].self_ns > 0 || rows[i].has_times ||
        (works && works[i].known)) {
      rows[kept] = rows[i];
      if (works)
        works[kept] = works[i];
      kept++;
    }
  return kept;
}

/* The rows that a table has, in copies if it leaves some out. */
struct shown {
  struct prof_loop_row *rows;
  struct prof_loop_work *works; /* NULL: none */
  size_t count;
};

static bool copy_told(const struct found *found, struct shown *shown) {
  size_t count = found->rows.count;
  shown->rows = malloc((count + 1) * sizeof *shown->rows);
  shown->works = found->works.items ? malloc((count + 1) * sizeof *shown->works) : NULL;
  if (!shown->rows || (found->works.items && !shown->works))
    return false;
  memcpy(shown->rows, found->rows.rows, count * sizeof *shown->rows);
  if (shown->works)
    memcpy(shown->works, found->works.items, count * sizeof *shown->works);
  shown->count = keep_told(shown->rows, shown->works, count);
  return true;
}

static prof_status show_rows(const struct settings *settings, const struct prof_reader *reader,
                             const struct prof_profile *profile, const struct found *found, const struct shown *shown,
                             const struct prof_section *section, const struct prof_output *output,
                             struct prof_diag *diag) {
  size_t count = prof_ranked_count(&settings->ranked, PROF_RANKED_TABLE, shown->count);
  struct prof_column columns[PROF_LOOP_COLUMNS];
  struct prof_table *table = prof_loop_table(reader, shown->rows, shown->works, &found->counters, count,
                                             prof_ranked_is_table(&settings->ranked), columns);
  struct prof_cover cover;
  prof_cover_of(profile, reader->recording.time, &cover);
  const struct prof_ranked_view view = {.key = "loops",
                                        .trace = profile->trace,
                                        .cover = &cover,
                                        .section = section,
                                        .says_corrected = true,
                                        .hidden = found->rows.count - count,
                                        .row = "loop",
                                        .below = show_rest,
                                        .members = add_members,
                                        .context = found};
  return prof_ranked_show(&settings->ranked, table, &view, output, diag);
}

static prof_status show(const struct settings *settings, const struct prof_reader *reader,
                        const struct prof_profile *profile, const struct found *found,
                        const struct prof_section *section, const struct prof_output *output, struct prof_diag *diag) {
  bool leaves_out = prof_ranked_is_table(&settings->ranked) && prof_ranked_limit(&settings->ranked, PROF_RANKED_TABLE);
  struct shown told = {0}, all = {found->rows.rows, found->works.items, found->rows.count};
  prof_status status = PROF_OK;
  if (leaves_out && !copy_told(found, &told))
    status = prof_diag_memory(diag);
  if (status == PROF_OK)
    status = show_rows(settings, reader, profile, found, leaves_out ? &told : &all, section, output, diag);
  free(told.rows);
  free(told.works);
  return status;
}

static prof_status find_works(const struct prof_reader *reader, struct found *found, struct prof_diag *diag) {
  const prof_trace *trace = reader->recording.trace;
  prof_status status = prof_loop_works_make(trace, &found->rows, diag, &found->works);
  if (status != PROF_OK || found->works.functions > 0)
    return status;
  return prof_diag_fill(diag, PROF_EMPTY, prof_trace_info(trace)->path, PROF_NO_OFFSET,
                        "compile with -fplugin-arg-prof-flops=count and record again",
                        "no function counts its floating-point operations");
}

static uint32_t key_of_row(const struct prof_counter_columns *columns, const void *row) {
  return columns->count ? ((const struct prof_loop_row *)row)->loop : PROF_NONE;
}

static bool is_outermost(const void *row) {
  return ((const struct prof_loop_row *)row)->level == 0;
}

/* Adds what counters counted, and sorts nests by them where that is wanted. */
static prof_status count_events(const struct settings *settings, const struct prof_reader *reader, struct found *found,
                                struct prof_diag *diag) {
  const struct prof_counter_keys keys = {.by = PROF_COUNTERS_BY_LOOP};
  const struct prof_counter_column *column = NULL;
  prof_status status = prof_counter_columns_init(&found->counters, reader->recording.trace, true, diag);
  if (status == PROF_OK && settings->sort_other)
    status = prof_counter_sort_find(&found->counters, settings->sort_other, prof_loop_sorts, diag, &column);
  if (status == PROF_OK)
    status = prof_counter_columns_sum(&found->counters, &reader->recording, &keys, diag);
  const struct prof_counter_rows_of of = {found->rows.rows, found->rows.count, sizeof *found->rows.rows, key_of_row,
                                          is_outermost};
  return status == PROF_OK && column ? prof_counter_sort(&found->counters, column, &of, diag) : status;
}

static prof_status find(const struct settings *settings, const struct prof_reader *reader,
                        struct prof_profile **profile, struct found *found, struct prof_diag *diag) {
  struct prof_loop_rows *rows = &found->rows;
  prof_status status = prof_reader_fold(reader, profile, diag);
  if (status == PROF_OK)
    status = prof_loops_rank(*profile, reader->recording.names, reader->recording.time, settings->sort, diag, rows);
  if (status == PROF_OK && rows->count == 0)
    status = prof_loop_none(reader, rows, diag);
  if (status == PROF_OK)
    status = count_events(settings, reader, found, diag);
  return status == PROF_OK && (settings->flops || settings->roofline) ? find_works(reader, found, diag) : status;
}

static void found_free(struct found *found) {
  prof_counter_columns_free(&found->counters);
  prof_loops_free(&found->rows);
  prof_loop_works_free(&found->works);
}

static prof_status show_section(const void *context, const struct prof_reader *part, const struct prof_section *section,
                                const struct prof_output *output, struct prof_diag *diag) {
  struct prof_profile *profile = NULL;
  struct found found = {.reader = part};
  prof_status status = find(context, part, &profile, &found, diag);
  if (status == PROF_OK)
    status = show(context, part, profile, &found, section, output, diag);
  found_free(&found);
  prof_profile_free(profile);
  return status;
}

static prof_status loops(void *argument, const struct prof_reader *reader, int *result, struct prof_diag *diag) {
  struct settings *settings = argument;
  struct prof_profile *profile = NULL;
  struct found found = {.reader = reader};
  struct prof_output output;
  size_t loop_count;
  settings->ranked.common.loops_apart = true;
  prof_trace_loops(reader->recording.trace, &loop_count);
  if (reader->recording.groups.count && !loop_count)
    return prof_loop_none(reader, &found.rows, diag);
  if (reader->recording.groups.count && settings->roofline)
    return prof_command_usage(diag, "choose one process with --pid", "--roofline draws one picture, without --by");
  if (reader->recording.groups.count)
    return prof_sections_show(&settings->ranked, reader, show_section, settings, result, diag);
  prof_status status = find(settings, reader, &profile, &found, diag);
  if (status == PROF_OK && settings->roofline) {
    status = prof_roofline_write(reader, &found.rows, &found.works, settings->roofline, &settings->peaks, result, diag);
  } else if (status == PROF_OK) {
    prof_output_begin(&output, &settings->ranked.common);
    prof_reader_warn(reader, &output);
    status = show(settings, reader, profile, &found, NULL, &output, diag);
    *result = prof_output_end(&output);
  }
  found_free(&found);
  prof_profile_free(profile);
  return status;
}

static prof_status take_peaks(void *settings, const char *value, struct prof_diag *diag) {
  return prof_roofs_take(value, &((struct settings *)settings)->peaks, diag);
}

#define IN(member) PROF_MEMBER(struct settings, member)
static const struct prof_option options[] = {
    {"sort", 's', "KEY", "sort rows by (default: self), or by a counter", PROF_OPTION_WORD, IN(sort),
     .words = prof_loop_sorts, .other = offsetof(struct settings, sort_other)},
    {"flops", 0, NULL, "show floating-point operations and bytes (compiled with flops=count)", PROF_OPTION_FLAG,
     IN(flops)},
    {"roofline", 0, "FILE", "draw loops by operations per byte and per second into FILE (SVG)", PROF_OPTION_TEXT,
     IN(roofline)},
    {"peaks", 0, "GFLOPS,GBYTES", "roofs of --roofline: peaks per second; measure: of this machine, now",
     .take = take_peaks},
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
