/*
 * tools/command/top/top.c - `prof top`: what a program does now, by function and thread.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "command/command.h"
#include "command/cover_lines.h"
#include "command/ranked.h"
#include "command/report_fields.h"
#include "command/tui/screen.h"
#include "export/unfinished.h"
#include "top_panels.h"
#include "tui/terminal.h"

#define WINDOW_NS 2000000000u
#define LEAST_NS 200000000u

struct settings {
  struct prof_ranked ranked;
  uint64_t window_ns;
  uint32_t sort;
  bool has_window, has_sort, once, threads;
};

/* ---- one table ---- */

static struct prof_table *make_table(const struct prof_live_rows *rows, const struct prof_top_columns *columns,
                                     size_t count) {
  struct prof_table *table = prof_table_new(columns->items, columns->count);
  for (size_t i = 0; table && i < count; i++)
    prof_top_cells(table, columns, &rows->rows[i]);
  if (table && prof_table_failed(table)) {
    prof_table_free(table);
    table = NULL;
  }
  return table;
}

static prof_status print_table(struct prof_top *top, const struct settings *settings, const struct prof_live_rows *rows,
                               const struct prof_output *output, struct prof_diag *diag) {
  const struct prof_recording *recording = &top->figures.now->reader.recording;
  char header[PROF_TOP_HEADER_BYTES], warning[PROF_WARNING_BYTES + 8];
  struct prof_top_columns columns;
  size_t count = prof_ranked_count(&settings->ranked, PROF_RANKED_TABLE, rows->ranked.count);
  prof_top_columns(rows, recording->time, true, prof_top_has_one_process(top), &columns);
  columns.names = rows->by == PROF_BY_FUNCTION ? recording->names : NULL;
  struct prof_table *table = make_table(rows, &columns, count);
  if (!table)
    return prof_diag_memory(diag);
  prof_top_header(recording->trace, &rows->live, &top->follow, prof_top_age_ns(top),
                  output->style.width ? output->style.width : SIZE_MAX, header);
  prof_output_line(output, header);
  snprintf(warning, sizeof warning, "prof: %s", prof_tui_figures_warning(&top->figures));
  if (top->figures.now->warning[0])
    prof_output_line(output, warning);
  prof_table_print(table, output->file, &output->style);
  prof_table_free(table);
  if (count < rows->ranked.count)
    fprintf(output->file, "... and %zu more: -n 0 shows all\n", rows->ranked.count - count);
  return PROF_OK;
}

static prof_status put_rows(struct prof_top *top, const struct settings *settings, const struct prof_live_rows *rows,
                            const char *key, struct prof_json *json, struct prof_diag *diag) {
  struct prof_top_columns columns;
  prof_top_columns(rows, top->figures.now->reader.recording.time, false, false, &columns);
  struct prof_table *table = make_table(rows, &columns, prof_ranked_count(&settings->ranked, 0, rows->ranked.count));
  if (!table)
    return prof_diag_memory(diag);
  prof_table_json(table, json, key);
  prof_table_free(table);
  return PROF_OK;
}

/* Functions and threads in one document. */
static prof_status print_json(struct prof_top *top, const struct settings *settings,
                              const struct prof_live_rows *functions, FILE *file, struct prof_diag *diag) {
  struct prof_live_rows threads;
  struct prof_json json;
  prof_status status = prof_top_rank(top, PROF_BY_THREAD, PROF_SORT_TOTAL, diag, &threads);
  if (status == PROF_OK) {
    prof_unfinished_begin(&json, file, 2, top->figures.now->reader.recording.trace);
    prof_top_json(&functions->live, &top->follow, prof_top_age_ns(top), &json);
    status = put_rows(top, settings, functions, "functions", &json, diag);
  }
  if (status == PROF_OK)
    status = put_rows(top, settings, &threads, "threads", &json, diag);
  if (status == PROF_OK)
    prof_json_object_end(&json);
  prof_live_free(&threads);
  return status;
}

static prof_status print_csv(struct prof_top *top, const struct settings *settings, const struct prof_live_rows *rows,
                             FILE *file, struct prof_diag *diag) {
  struct prof_top_columns columns;
  prof_top_columns(rows, top->figures.now->reader.recording.time, false, false, &columns);
  struct prof_table *table = make_table(rows, &columns, prof_ranked_count(&settings->ranked, 0, rows->ranked.count));
  if (!table)
    return prof_diag_memory(diag);
  prof_table_csv(table, file);
  prof_table_free(table);
  return PROF_OK;
}

static prof_status print_once(struct prof_top *top, const struct settings *settings, int *result,
                              struct prof_diag *diag) {
  enum prof_format format = settings->ranked.common.format;
  enum prof_group by = settings->threads && format != PROF_FORMAT_JSON ? PROF_BY_THREAD : PROF_BY_FUNCTION;
  enum prof_sort sort = settings->has_sort     ? (enum prof_sort)settings->sort
                        : by == PROF_BY_THREAD ? PROF_SORT_TOTAL
                                               : PROF_SORT_SELF;
  struct prof_live_rows rows;
  struct prof_output output;
  prof_status status = prof_top_rank(top, by, sort, diag, &rows);
  if (status == PROF_OK) {
    prof_output_begin(&output, &settings->ranked.common);
    status = format == PROF_FORMAT_TABLE  ? print_table(top, settings, &rows, &output, diag)
             : format == PROF_FORMAT_JSON ? print_json(top, settings, &rows, output.file, diag)
                                          : print_csv(top, settings, &rows, output.file, diag);
    *result = prof_output_end(&output);
  }
  prof_live_free(&rows);
  return status;
}

/* ---- the screen ---- */

static prof_status draw(struct prof_top *top, const struct settings *settings, struct prof_diag *diag) {
  const struct prof_tui_world world = {.figures = top,
                                       .panels = prof_top_panels,
                                       .panel_count = prof_top_panel_count,
                                       .header = prof_top_tui_header,
                                       .warning = prof_tui_figures_warning,
                                       .threads = prof_tui_figures_threads,
                                       .prepare = prof_top_prepare,
                                       .commit = prof_tui_figures_commit};
  const struct prof_tui_showing showing = {.common = &top->common,
                                           .sort = settings->has_sort ? prof_report_sorts[settings->sort] : NULL,
                                           .figures = &top->figures,
                                           .beat_ns = top->window_ns,
                                           .due = prof_top_is_due};
  return prof_tui_show(&world, &showing, diag);
}

static bool is_once(const struct settings *settings) {
  return settings->once || settings->threads || settings->ranked.common.format != PROF_FORMAT_TABLE ||
         !isatty(STDOUT_FILENO);
}

static int run(void *argument, int argc, char **argv) {
  struct settings *settings = argument;
  const struct prof_common *common = &settings->ranked.common;
  struct prof_top top = {.common = *common,
                         .window_ns = settings->has_window ? settings->window_ns : WINDOW_NS,
                         .has_range = common->range.begin_ns || common->range.end_ns != UINT64_MAX ||
                                      common->range.begin_is_share || common->range.end_is_share};
  struct prof_diag diag = {0};
  prof_status status = PROF_OK;
  int result = PROF_EXIT_OK;
  if (argc > 1)
    status = prof_command_usage(&diag, "as in: prof top 312", "prof top takes one process, name or recording");
  if (status == PROF_OK && !is_once(settings))
    status = prof_tui_terminal_check(&diag);
  if (status == PROF_OK)
    status = prof_follow_begin(&top.follow, argc > 0 ? argv[0] : NULL, common->input, common->has_input, &diag);
  if (status == PROF_OK)
    status = prof_top_open(&top, &diag);
  if (status == PROF_OK)
    status = is_once(settings) ? print_once(&top, settings, &result, &diag) : draw(&top, settings, &diag);
  prof_top_close(&top);
  return status == PROF_OK ? result : prof_command_fail(&diag);
}

static bool named_panel(size_t index, struct prof_named *out) {
  if (index >= prof_top_panel_count)
    return false;
  *out = (struct prof_named){prof_top_panels[index].name, prof_top_panels[index].columns};
  return true;
}

static const struct prof_command_list lists[] = {{"panels", named_panel}, {0}};

#define IN(member) PROF_MEMBER(struct settings, member)
#define GIVEN(member) .given = offsetof(struct settings, member)
static const struct prof_option options[] = {
    {"sort", 's', "KEY", "sort rows by (default: self; threads: total)", PROF_OPTION_WORD, IN(sort), GIVEN(has_sort),
     .words = prof_report_sorts},
    {"window", 'w', "TIME", "show this much time, and read again after it (default: 2s)", PROF_OPTION_DURATION,
     IN(window_ns), GIVEN(has_window), .low = LEAST_NS, .too_low = "is too short", .remedy = "give at least 200ms"},
    {"once", 0, NULL, "print one table and end; also where the output is no terminal", PROF_OPTION_FLAG, IN(once)},
    {"threads", 0, NULL, "print a table of threads instead", PROF_OPTION_FLAG, IN(threads)},
    PROF_COMMON_TIME,
    PROF_RANKED_ROWS,
    {0},
};

const struct prof_command prof_command_top = {
    .name = "top",
    .arguments = "[PID|NAME|DIR]",
    .summary = "Show what a program does now: functions, threads, rates, overhead",
    .group = "Look",
    .options = options,
    .lists = lists,
    .filters = true,
    .settings_bytes = sizeof(struct settings),
    .run = run,
};
