/*
 * tools/command/measures/openmp.c - `prof openmp`: how evenly threads of parallel regions worked, and their waits.
 */
#include "analysis/measures/openmp.h"

#include <stdio.h>

#include "base/diag.h"
#include "command/command.h"
#include "measure_rows.h"
#include "measure_view.h"
#include "names/process_names.h"
#include "view/units.h"

struct settings {
  struct prof_ranked ranked;
  enum prof_openmp_sort sort;
  enum { BY_REGION, BY_THREAD } group;
};

static const char *const groups[] = {[BY_REGION] = "region", [BY_THREAD] = "thread", NULL};

struct shown { /* a row */
  struct prof_shown_place place;
  struct prof_openmp_row row;
  const char *thread;
  uint64_t tid;
};

struct reading {
  const struct settings *settings;
  struct prof_openmp openmp;
};

#define AT(member) PROF_MEMBER(struct shown, member)
static const struct prof_field fields[] = {
    {{"function", NULL, PROF_CELL_TEXT}, AT(place.function)},
    {{"file", NULL, PROF_CELL_TEXT}, AT(place.file)},
    {{"line", NULL, PROF_CELL_COUNT}, AT(place.number)},
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
    {{NULL, "FUNCTION", PROF_CELL_TEXT, PROF_CUT_NAME}, AT(place.function)},
    {{NULL, "LINE", PROF_CELL_TEXT, PROF_CUT_LEFT}, AT(place.line)},
};
static const struct prof_field thread_fields[] = {
    {{"function", NULL, PROF_CELL_TEXT}, AT(place.function)},
    {{"file", NULL, PROF_CELL_TEXT}, AT(place.file)},
    {{"line", NULL, PROF_CELL_COUNT}, AT(place.number)},
    {{"tid", "TID", PROF_CELL_COUNT}, AT(tid)},
    {{"thread", "THREAD", PROF_CELL_TEXT, PROF_CUT_MIDDLE}, AT(thread)},
    {{"wait_ns", "WAIT", PROF_CELL_NS}, AT(row.wait_ns)},
    {{"end_ns", "AT END", PROF_CELL_NS}, AT(row.end_ns)},
    {{"barrier_ns", "BARRIERS", PROF_CELL_NS}, AT(row.barrier_ns)},
    {{"tasks_ns", "TASKS", PROF_CELL_NS, .spare = 3}, AT(row.tasks_ns)},
    {{"lock_ns", "LOCKS", PROF_CELL_NS, .spare = 2}, AT(row.lock_ns)},
    {{"work_ns", "WORK", PROF_CELL_NS}, AT(row.work_ns)},
    {{"runs", "RUNS", PROF_CELL_COUNT, .spare = 1}, AT(row.runs)},
    {{NULL, "FUNCTION", PROF_CELL_TEXT, PROF_CUT_NAME}, AT(place.function)},
    {{NULL, "LINE", PROF_CELL_TEXT, PROF_CUT_LEFT}, AT(place.line)},
};

static void above(const void *context, const struct prof_output *output) {
  const struct reading *reading = context;
  const struct prof_openmp *openmp = &reading->openmp;
  char wait[PROF_UNITS_BYTES], unequal[PROF_UNITS_BYTES], time[PROF_UNITS_BYTES], line[200];
  if (reading->settings->group == BY_THREAD && openmp->count > 0)
    snprintf(line, sizeof line, "threads of parallel regions waited %s", prof_units_duration(wait, openmp->wait_ns));
  else
    snprintf(line, sizeof line, "parallel regions took %s: threads waited %s; equal work would save %s",
             prof_units_duration(time, openmp->time_ns), prof_units_duration(wait, openmp->wait_ns),
             prof_units_duration(unequal, openmp->unequal_ns));
  prof_output_wrap(output, line, 0);
}

static void members(const void *context, struct prof_json *json) {
  prof_json_count(json, "wait_ns", ((const struct reading *)context)->openmp.wait_ns);
}

/* ---- the command ---- */

static const struct prof_measured_place *place_of(const void *context, size_t row) {
  return &((const struct prof_openmp *)context)->rows[row].place;
}

static prof_status rank(void *context, const struct prof_reader *reader, struct prof_symbols *symbols,
                        struct prof_diag *diag, struct prof_measure_found *found) {
  struct reading *reading = context;
  const struct prof_recording *recording = &reader->recording;
  struct prof_line_source source = prof_symbols_source(symbols);
  prof_status status =
      prof_openmp_rank(recording->trace, &recording->filter, recording->names, &source,
                       reading->settings->group == BY_THREAD, reading->settings->sort, diag, &reading->openmp);
  found->recorded = reading->openmp.recorded;
  found->count = reading->openmp.count;
  return status;
}

static prof_status show_rows(void *context, const struct prof_reader *reader, int *result, struct prof_diag *diag) {
  const struct reading *reading = context;
  const struct prof_openmp *openmp = &reading->openmp;
  const prof_trace *trace = reader->recording.trace;
  const bool by_thread = reading->settings->group == BY_THREAD;
  struct shown *rows = prof_shown_rows_new(openmp->count, sizeof *rows, place_of, openmp, reader->recording.paths);
  if (!rows)
    return prof_diag_memory(diag);
  for (size_t i = 0; i < openmp->count; i++) {
    const uint32_t thread = openmp->rows[i].thread;
    rows[i].row = openmp->rows[i];
    rows[i].thread = thread != PROF_NONE ? prof_thread_name(trace, thread) : "";
    rows[i].tid = thread != PROF_NONE ? prof_trace_threads(trace, NULL)[thread].tid : 0;
  }
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
                                         .context = reading};
  prof_status status = prof_measure_show(&reading->settings->ranked, reader, &view, result, diag);
  prof_shown_rows_free(rows, openmp->count, sizeof *rows);
  return status;
}

static void forget(void *context) {
  prof_openmp_free(&((struct reading *)context)->openmp);
}

static prof_status show(void *settings, const struct prof_reader *reader, int *result, struct prof_diag *diag) {
  static const struct prof_measure_work work = {"parallel regions of OpenMP", "--locks", rank, show_rows, forget, NULL};
  struct reading reading = {.settings = settings};
  return prof_measure_run(&work, &reading, reader, result, diag);
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
