/*
 * tools/command/tui/tui_functions.c - the panels of functions and of threads: rows and fields of `prof report`.
 */
#include <stdlib.h>

#include "base/diag.h"
#include "command/command_rows.h"
#include "command/gpu/gpu_time.h"
#include "command/hot_rows.h"
#include "command/report_fields.h"
#include "panels.h"
#include "row_table.h"

struct functions {
  enum prof_group by;
  struct prof_names *names;
  struct prof_function_rows rows;
  struct prof_arena texts; /* of the rows */
  struct prof_report_fields fields;
  struct prof_counter_columns counters;
  struct prof_column columns[PROF_REPORT_MOST_FIELDS];
  struct prof_tui_columns shown;
  uint32_t step_ns;
};

static void functions_free(void *rows) {
  struct functions *functions = rows;
  prof_counter_columns_free(&functions->counters);
  prof_functions_free(&functions->rows);
  prof_arena_fini(&functions->texts);
  free(functions);
}

static uint32_t first_row(void *rows, uint32_t item) {
  const struct functions *functions = rows;
  return item == PROF_TUI_NONE && functions->rows.count ? 0 : PROF_TUI_NONE;
}

static uint32_t next_row(void *rows, uint32_t item) {
  const struct functions *functions = rows;
  return item + 1 < functions->rows.count ? item + 1 : PROF_TUI_NONE;
}

static const char *name_of(void *rows, uint32_t item) {
  const struct functions *functions = rows;
  return functions->rows.rows[item].name;
}

static struct prof_tui_place place_of(void *rows, uint32_t item) {
  const struct functions *functions = rows;
  const struct prof_function_row *row = &functions->rows.rows[item];
  bool is_function = functions->by == PROF_BY_FUNCTION;
  return (struct prof_tui_place){.function = is_function ? row->index : PROF_TUI_NONE,
                                 .tid = is_function ? 0 : row->tid};
}

static double weight_of(void *rows, uint32_t item) {
  const struct functions *functions = rows;
  return functions->rows.rows[item].self_share;
}

static void add_cells(void *rows, const struct prof_tui_row *shown, struct prof_table *table) {
  const struct functions *functions = rows;
  struct prof_function_row row = functions->rows.rows[shown->item];
  row.name = functions->by == PROF_BY_FUNCTION ? prof_names_apart(functions->names, row.index) : row.name;
  prof_report_cells(table, &functions->fields, &row, true, functions->step_ns);
}

static bool print(void *rows, const struct prof_tui_row *shown, size_t count, const struct prof_tui_look *look,
                  FILE *file) {
  return prof_tui_table_print(&((struct functions *)rows)->shown, rows, add_cells, shown, count, look, file);
}

static const struct prof_tui_rows_type type = {.first = first_row,
                                               .next = next_row,
                                               .name = name_of,
                                               .place = place_of,
                                               .weight = weight_of,
                                               .print = print,
                                               .free = functions_free};

/* As `prof report` chooses columns. */
static void choose_columns(struct functions *functions, const struct prof_tui_figures *figures,
                           const struct prof_tui_fold *fold) {
  const struct prof_reader *reader = &figures->now->reader;
  const struct prof_report_shape shape = {.by = functions->by,
                                          .time = reader->recording.time,
                                          .table = true,
                                          .counters = &functions->counters,
                                          .cpu = figures->cpu,
                                          .one_process = prof_command_rows_processes(reader) < 2,
                                          .has_budget = fold->profile->estimated_functions != NULL,
                                          .has_gpu = prof_gpu_time_is_there(reader),
                                          .has_samples = prof_trace_sampler(reader->recording.trace) != NULL,
                                          .has_switches = fold->samples->has_pauses};
  prof_report_fields_choose(&shape, &functions->fields);
  functions->fields.waits_estimated = fold->profile->coverage.sparse_switches && shape.time != PROF_TIME_ELAPSED;
  if (!prof_hot_rows_any(&functions->rows))
    prof_report_fields_drop_hot(&functions->fields);
  prof_report_columns(&functions->fields, &shape, false, functions->columns);
  functions->shown.items = functions->columns;
  functions->shown.count = functions->fields.count;
}

static prof_status find(struct functions *functions, struct prof_tui_figures *figures, enum prof_sort sort,
                        struct prof_diag *diag) {
  const struct prof_tui_fold *fold = NULL;
  unsigned kind = functions->by == PROF_BY_FUNCTION ? PROF_TUI_FOLD_LOOPS | PROF_TUI_FOLD_PLACES : PROF_TUI_FOLD_LOOPS;
  prof_status status = prof_tui_figures_fold(figures, kind, diag, &fold);
  const struct prof_reader *reader = &figures->now->reader;
  functions->names = reader->recording.names;
  if (status == PROF_OK)
    status = prof_functions_rank(fold->profile, fold->samples, reader->recording.names, functions->by,
                                 reader->recording.time, sort, diag, &functions->rows);
  if (status == PROF_OK)
    status = prof_gpu_time_rows(reader, &functions->rows, functions->by, diag);
  if (status == PROF_OK)
    status = prof_hot_rows_fill(reader, fold->profile, fold->samples, functions->by, &functions->rows,
                                &functions->texts, diag);
  const struct prof_counter_keys keys = {.by = PROF_COUNTERS_BY_GROUP, .group = functions->by};
  if (status == PROF_OK)
    status = prof_counter_columns_init(&functions->counters, reader->recording.trace, true, diag);
  if (status == PROF_OK)
    status = prof_counter_columns_sum(&functions->counters, &reader->recording, &keys, diag);
  if (status == PROF_OK)
    choose_columns(functions, figures, fold);
  functions->step_ns = prof_report_step_ns(reader->recording.trace);
  return status;
}

static prof_status build(void *figures, enum prof_group by, const struct prof_tui_request *request,
                         struct prof_diag *diag, struct prof_tui_rows *out) {
  struct functions *functions = calloc(1, sizeof *functions);
  if (!functions)
    return prof_diag_memory(diag);
  functions->by = by;
  prof_status status = find(functions, figures, (enum prof_sort)request->sort, diag);
  if (status == PROF_OK)
    *out = (struct prof_tui_rows){.type = &type, .rows = functions};
  else
    functions_free(functions);
  return status;
}

prof_status prof_tui_functions_build(void *figures, const struct prof_tui_request *request, struct prof_diag *diag,
                                     struct prof_tui_rows *out) {
  return build(figures, PROF_BY_FUNCTION, request, diag, out);
}

prof_status prof_tui_threads_build(void *figures, const struct prof_tui_request *request, struct prof_diag *diag,
                                   struct prof_tui_rows *out) {
  return build(figures, PROF_BY_THREAD, request, diag, out);
}
