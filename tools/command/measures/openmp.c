/*
 * tools/command/measures/openmp.c - `prof openmp`: how evenly threads of parallel regions worked, and their waits.
 */
#include "analysis/measures/openmp.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/diag.h"
#include "command/command.h"
#include "command/symbols_warn.h"
#include "measure_view.h"
#include "names/process_names.h"
#include "path_text.h"
#include "study/symbols.h"
#include "view/units.h"

struct settings {
  struct prof_ranked ranked;
  enum prof_openmp_sort sort;
  enum { BY_REGION, BY_THREAD } group;
};

static const char *const groups[] = {[BY_REGION] = "region", [BY_THREAD] = "thread", NULL};

struct shown { /* a row */
  struct prof_openmp_row row;
  const char *function, *file, *thread;
  uint64_t tid;
  char *line;
};

#define AT(member) PROF_MEMBER(struct shown, member)
static const struct prof_field fields[] = {
    {{"function", NULL, PROF_CELL_TEXT}, AT(function)},
    {{"file", NULL, PROF_CELL_TEXT}, AT(file)},
    {{"line", NULL, PROF_CELL_COUNT}, AT(row.place.line)},
    {{"wait_ns", "WAIT", PROF_CELL_NS}, AT(row.wait_ns)},
    {{"end_ns", "AT END", PROF_CELL_NS, .spare = 3}, AT(row.end_ns)},
    {{"barrier_ns", "BARRIERS", PROF_CELL_NS, .spare = 5}, AT(row.barrier_ns)},
    {{"tasks_ns", "TASKS", PROF_CELL_NS, .spare = 7}, AT(row.tasks_ns)},
    {{"lock_ns", "LOCKS", PROF_CELL_NS, .spare = 6}, AT(row.lock_ns)},
    {{"work_ns", "WORK", PROF_CELL_NS, .spare = 2}, AT(row.work_ns)},
    {{"time_ns", "TIME", PROF_CELL_NS}, AT(row.time_ns)},
    {{"runs", "RUNS", PROF_CELL_COUNT, .spare = 1}, AT(row.runs)},
    {{"threads", "THREADS", PROF_CELL_COUNT, .spare = 4}, AT(row.threads)},
    {{"imbalance", "MAX/MEAN", PROF_CELL_MEAN}, AT(row.imbalance)},
    {{"unequal_ns", "UNEQUAL", PROF_CELL_NS}, AT(row.unequal_ns)},
    {{NULL, "FUNCTION", PROF_CELL_TEXT, PROF_CUT_NAME}, AT(function)},
    {{NULL, "LINE", PROF_CELL_TEXT, PROF_CUT_LEFT}, AT(line)},
};
static const struct prof_field thread_fields[] = {
    {{"function", NULL, PROF_CELL_TEXT}, AT(function)},
    {{"file", NULL, PROF_CELL_TEXT}, AT(file)},
    {{"line", NULL, PROF_CELL_COUNT}, AT(row.place.line)},
    {{"tid", "TID", PROF_CELL_COUNT}, AT(tid)},
    {{"thread", "THREAD", PROF_CELL_TEXT, PROF_CUT_MIDDLE}, AT(thread)},
    {{"wait_ns", "WAIT", PROF_CELL_NS}, AT(row.wait_ns)},
    {{"end_ns", "AT END", PROF_CELL_NS}, AT(row.end_ns)},
    {{"barrier_ns", "BARRIERS", PROF_CELL_NS}, AT(row.barrier_ns)},
    {{"tasks_ns", "TASKS", PROF_CELL_NS, .spare = 3}, AT(row.tasks_ns)},
    {{"lock_ns", "LOCKS", PROF_CELL_NS, .spare = 2}, AT(row.lock_ns)},
    {{"work_ns", "WORK", PROF_CELL_NS}, AT(row.work_ns)},
    {{"runs", "RUNS", PROF_CELL_COUNT, .spare = 1}, AT(row.runs)},
    {{NULL, "FUNCTION", PROF_CELL_TEXT, PROF_CUT_NAME}, AT(function)},
    {{NULL, "LINE", PROF_CELL_TEXT, PROF_CUT_LEFT}, AT(line)},
};

static void above(const void *context, const struct prof_output *output) {
  const struct prof_openmp *openmp = context;
  char wait[PROF_UNITS_BYTES], unequal[PROF_UNITS_BYTES], time[PROF_UNITS_BYTES], line[200];
  if (openmp->count > 0 && openmp->rows[0].thread != PROF_NONE)
    snprintf(line, sizeof line, "threads of parallel regions waited %s", prof_units_duration(wait, openmp->wait_ns));
  else
    snprintf(line, sizeof line, "parallel regions took %s: threads waited %s; equal work would save %s",
             prof_units_duration(time, openmp->time_ns), prof_units_duration(wait, openmp->wait_ns),
             prof_units_duration(unequal, openmp->unequal_ns));
  prof_output_wrap(output, line, 0);
}

static void members(const void *context, struct prof_json *json) {
  prof_json_count(json, "wait_ns", ((const struct prof_openmp *)context)->wait_ns);
}

/* ---- the command ---- */

static void forget_rows(struct shown *rows, size_t count) {
  for (size_t i = 0; rows && i < count; i++)
    free(rows[i].line);
  free(rows);
}

/* NULL: no memory. */
static struct shown *make_rows(const struct prof_recording *recording, const struct prof_openmp *openmp) {
  const prof_trace *trace = recording->trace;
  const struct prof_thread_info *threads = prof_trace_threads(trace, NULL);
  struct shown *rows = calloc(openmp->count + 1, sizeof *rows);
  bool good = rows != NULL;
  for (size_t i = 0; good && i < openmp->count; i++) {
    const struct prof_openmp_row *row = &openmp->rows[i];
    const bool one = row->thread != PROF_NONE;
    rows[i] = (struct shown){.row = *row,
                             .function = row->place.function,
                             .file = row->place.file,
                             .thread = one ? prof_thread_name(trace, row->thread) : "",
                             .tid = one ? threads[row->thread].tid : 0};
    good = (rows[i].line = prof_place_text(&row->place, recording->paths)) != NULL;
  }
  if (good)
    return rows;
  forget_rows(rows, openmp->count);
  return NULL;
}

static prof_status show_rows(const struct settings *settings, const struct prof_reader *reader,
                             const struct prof_openmp *openmp, int *result, struct prof_diag *diag) {
  struct shown *rows = make_rows(&reader->recording, openmp);
  if (!rows)
    return prof_diag_memory(diag);
  const bool by_thread = settings->group == BY_THREAD;
  const struct prof_measure_view view = {.key = by_thread ? "threads" : "regions",
                                         .row = "row",
                                         .fields = by_thread ? thread_fields : fields,
                                         .field_count = by_thread ? sizeof thread_fields / sizeof *thread_fields
                                                                  : sizeof fields / sizeof *fields,
                                         .rows = rows,
                                         .row_bytes = sizeof *rows,
                                         .count = openmp->count,
                                         .above = above,
                                         .members = members,
                                         .context = openmp};
  prof_status status = prof_measure_show(&settings->ranked, reader, &view, result, diag);
  forget_rows(rows, openmp->count);
  return status;
}

static prof_status show(void *argument, const struct prof_reader *reader, int *result, struct prof_diag *diag) {
  const struct settings *settings = argument;
  const struct prof_recording *recording = &reader->recording;
  struct prof_symbols *symbols;
  struct prof_openmp openmp;
  prof_status status = prof_symbols_new(recording, diag, &symbols);
  if (status != PROF_OK)
    return status;
  struct prof_line_source source = prof_symbols_source(symbols);
  status = prof_openmp_rank(recording->trace, &recording->filter, recording->names, &source,
                            settings->group == BY_THREAD, settings->sort, diag, &openmp);
  if (status == PROF_OK && !openmp.recorded)
    status = prof_measure_missing(recording->trace, "parallel regions of OpenMP", "--locks", diag);
  if (status == PROF_OK && openmp.count == 0)
    status = prof_diag_fill(diag, PROF_EMPTY, NULL, PROF_NO_OFFSET, "widen the filters (-F -N -D --tid --range)",
                            "no parallel regions to show");
  if (status == PROF_OK)
    status = show_rows(settings, reader, &openmp, result, diag);
  prof_openmp_free(&openmp);
  if (status == PROF_OK)
    prof_symbols_warn(symbols);
  prof_symbols_free(symbols);
  return status;
}

#define IN(member) PROF_MEMBER(struct settings, member)
static const struct prof_option options[] = {
    {"sort", 's', "KEY", "sort rows by (default: wait)", PROF_OPTION_WORD, IN(sort), .words = prof_openmp_sorts},
    {"by", 0, NULL, "a row for each region (default), or for each region and thread", PROF_OPTION_WORD, IN(group),
     .words = groups},
    PROF_RANKED_ROWS,
    {0},
};

const struct prof_command prof_command_openmp = {
    .name = "openmp",
    .instead = "regions of which functions: -F NAME",
    .summary = "Show how evenly threads of OpenMP regions worked, and what they waited for",
    .group = "Look",
    .options = options,
    .filters = true,
    .settings_bytes = sizeof(struct settings),
    .show = show,
};
