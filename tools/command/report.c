/*
 * tools/command/report.c - `prof report`: what each function, file, module, thread, process or command cost.
 */
#include <stdio.h>
#include <string.h>

#include "analysis/functions.h"
#include "base/diag.h"
#include "command.h"
#include "command_rows.h"
#include "counter_columns.h"
#include "counter_rows.h"
#include "cover_lines.h"
#include "frame_rows.h"
#include "gpu/gpu_time.h"
#include "hot_rows.h"
#include "loops/next_loop.h"
#include "output.h"
#include "ranked.h"
#include "reader.h"
#include "report_fields.h"
#include "request_rows.h"
#include "slo.h"

struct settings {
  struct prof_ranked ranked;
  enum prof_group by;
  enum prof_sort sort;
  const char *fields;
  struct prof_texts limits; /* --slo */
  const char *sort_other;   /* a counter; NULL: `sort` */
  bool has_by, has_sort;
  bool cpu; /* running, waiting, preempted times in the table too */
};

/* Words of enum prof_group, then what is no part of a profile. */
static const char *const groups[] = {"function", "file", "module",    "thread",  "process",
                                     "command",  "zone", "iteration", "frame",   "request",
                                     "span",     "arg",  "ret",       "counter", NULL};
enum { BY_FRAME = PROF_GROUPS, BY_REQUEST, BY_SPAN, BY_ARG, BY_RET, BY_COUNTER };
static prof_status (*const reports[])(const struct prof_ranked *, const struct prof_texts *limits,
                                      const struct prof_reader *, int *result, struct prof_diag *) = {
    [BY_FRAME] = prof_frame_report,  [BY_REQUEST] = prof_request_report, [BY_SPAN] = prof_span_report,
    [BY_ARG] = prof_argument_report, [BY_RET] = prof_returned_report,    [BY_COUNTER] = prof_counter_report};

static bool wants_hot(const struct settings *settings) {
  return settings->by == PROF_BY_FUNCTION && (!settings->fields || strstr(settings->fields, "hot"));
}

/* ---- the command ---- */

struct figures { /* what is shown */
  const struct settings *settings;
  const struct prof_reader *reader;
  struct prof_profile *profile;
  struct prof_samples *samples;
  struct prof_function_rows rows;
  struct prof_arena texts; /* of the rows */
  struct prof_next_loop loop;
  struct prof_slo_results limits;
  struct prof_counter_columns counters;
};

/* Rows are commands without --by: the recording has many programs (command_rows.h). */
static bool prints_commands_unasked(const struct figures *figures) {
  return !figures->settings->has_by && figures->settings->by == PROF_BY_COMMAND;
}

static void show_next(const void *context, const struct prof_output *output) {
  const struct figures *figures = context;
  if (prints_commands_unasked(figures))
    prof_command_rows_next(figures->reader, &figures->rows, output);
  else if (!figures->settings->fields)
    prof_hot_rows_next(figures->reader, &figures->rows, output);
  prof_next_loop_show(&figures->loop, output);
  prof_slo_show(&figures->limits, output);
}

static bool add_members(const void *context, struct prof_json *json) {
  const struct figures *figures = context;
  prof_slo_json(&figures->limits, json);
  return prof_next_loop_json(&figures->loop, json);
}

/* In a table; of a zone the name may have lost its suffix.  NULL: no memory. */
static const char *shown_name(struct figures *figures, const struct prof_function_row *row) {
  struct prof_names *names = figures->reader->recording.names;
  const char *name = prof_names_function(names, row->index), *apart = prof_names_apart(names, row->index);
  if (!prof_group_is_single(figures->settings->by) || apart == name)
    return row->name;
  const char *file = apart + strlen(name);
  size_t bytes = strlen(row->name) + strlen(file) + 1;
  char *text = prof_arena_alloc(&figures->texts, bytes);
  if (text)
    snprintf(text, bytes, "%s%s", row->name, file);
  return text;
}

static bool add_row(struct figures *figures, const struct prof_report_fields *chosen, size_t at, bool is_table,
                    struct prof_table *table) {
  struct prof_function_row row = figures->rows.rows[at];
  row.name = is_table ? shown_name(figures, &row) : row.name;
  if (row.name)
    prof_report_cells(table, chosen, &row, is_table, prof_report_step_ns(figures->reader->recording.trace));
  return row.name != NULL;
}

static prof_status show(struct figures *figures, const struct prof_report_fields *chosen,
                        const struct prof_report_shape *shape, const struct prof_output *output,
                        struct prof_diag *diag) {
  const struct settings *settings = figures->settings;
  const struct prof_function_rows *rows = &figures->rows;
  struct prof_column columns[PROF_REPORT_MOST_FIELDS];
  bool is_table = prof_ranked_is_table(&settings->ranked);
  prof_report_columns(chosen, shape, settings->fields != NULL, columns);
  size_t count = prof_ranked_count(&settings->ranked, PROF_RANKED_TABLE, rows->count);
  struct prof_table *table = prof_table_new(columns, chosen->count);
  for (size_t i = 0; i < count && table; i++)
    if (!add_row(figures, chosen, i, is_table, table)) {
      prof_table_free(table);
      return prof_diag_memory(diag);
    }
  struct prof_cover cover;
  prof_cover_of(figures->profile, figures->reader->recording.time, &cover);
  prof_cover_add_samples(&cover, figures->profile, figures->samples, !figures->reader->recording.filter.active);
  for (size_t i = 0; i < rows->count; i++) {
    const struct prof_function_row *row = &rows->rows[i];
    if (row->calls_estimated && !row->has_extremes)
      continue;
    cover.untimed_calls += row->has_durations && row->timed_calls < row->calls ? row->calls - row->timed_calls : 0;
  }
  if (is_table && !prof_report_fields_have_durations(chosen))
    cover.untimed_calls = 0;
  const struct prof_ranked_view view = {.key = prof_report_keys[settings->by],
                                        .trace = figures->reader->recording.trace,
                                        .cover = &cover,
                                        .says_corrected = true,
                                        .hidden = rows->count - count,
                                        .row = groups[settings->by],
                                        .rows = prof_report_keys[settings->by],
                                        .below = show_next,
                                        .members = add_members,
                                        .context = figures};
  return prof_ranked_show(&settings->ranked, table, &view, output, diag);
}

static prof_status check_iterations(const prof_trace *trace, struct prof_diag *diag) {
  if (prof_has_iterations(trace))
    return prof_diag_fill(diag, PROF_EMPTY, prof_trace_info(trace)->path, PROF_NO_OFFSET, "ask for more",
                          "no loop whose iterations are recorded ran in what is shown");
  return prof_diag_fill(diag, PROF_EMPTY, prof_trace_info(trace)->path, PROF_NO_OFFSET,
                        "compile with -fplugin-arg-prof-iterations=FUNCTION, or FILE:LINE of a loop; prof loops shows "
                        "the number of iterations of others",
                        "single iterations were not asked for at compile time");
}

static prof_status check_zones(const struct figures *figures, struct prof_diag *diag) {
  if (figures->settings->by < PROF_BY_ZONE || figures->rows.count)
    return PROF_OK;
  if (figures->settings->by == PROF_BY_ITERATION)
    return check_iterations(figures->reader->recording.trace, diag);
  return prof_diag_fill(diag, PROF_EMPTY, prof_trace_info(figures->reader->recording.trace)->path, PROF_NO_OFFSET,
                        "mark parts of the program with PROF_ZONE(\"name\") of prof.h, or ask for more",
                        "no zone ran in what is shown");
}

static prof_status find(struct figures *figures, struct prof_diag *diag) {
  const struct settings *settings = figures->settings;
  const struct prof_reader *reader = figures->reader;
  prof_status status =
      prof_reader_fold_samples(reader, wants_hot(settings), &figures->profile, &figures->samples, diag);
  if (status == PROF_OK)
    status = prof_functions_rank(figures->profile, figures->samples, reader->recording.names, settings->by,
                                 reader->recording.time, settings->sort, diag, &figures->rows);
  if (status == PROF_OK)
    status = prof_gpu_time_rows(reader, &figures->rows, settings->by, diag);
  if (status == PROF_OK)
    status = prof_hot_rows_fill(reader, figures->profile, figures->samples, settings->by, &figures->rows,
                                &figures->texts, diag);
  if (status == PROF_OK)
    status = check_zones(figures, diag);
  if (settings->by >= PROF_BY_ZONE || !prof_ranked_is_table(&settings->ranked))
    prof_functions_name_zones(&figures->rows, reader->recording.names);
  return status == PROF_OK ? prof_next_loop_find(figures->profile, reader, diag, &figures->loop) : status;
}

static uint32_t key_of_row(const struct prof_counter_columns *columns, const void *row) {
  return prof_counter_row_key(&columns->sums, ((const struct prof_function_row *)row)->index);
}

/* Sums up counters where they are shown or sort. */
static prof_status count(struct figures *figures, const struct prof_report_fields *chosen, struct prof_diag *diag) {
  const struct settings *settings = figures->settings;
  const struct prof_counter_keys keys = {.by = PROF_COUNTERS_BY_GROUP, .group = settings->by};
  const struct prof_counter_column *column = NULL;
  prof_status status = PROF_OK;
  if (settings->sort_other)
    status = prof_counter_sort_find(&figures->counters, settings->sort_other, prof_report_sorts, diag, &column);
  if (status == PROF_OK && (column || !settings->fields || prof_report_fields_have_counters(chosen)))
    status = prof_counter_columns_sum(&figures->counters, &figures->reader->recording, &keys, diag);
  const struct prof_counter_rows_of of = {figures->rows.rows, figures->rows.count, sizeof *figures->rows.rows,
                                          key_of_row, NULL};
  return status == PROF_OK && column ? prof_counter_sort(&figures->counters, column, &of, diag) : status;
}

static void forget(struct figures *figures) {
  prof_counter_columns_free(&figures->counters);
  prof_vec_fini(&figures->limits);
  prof_next_loop_free(&figures->loop);
  prof_functions_free(&figures->rows);
  prof_arena_fini(&figures->texts);
  prof_samples_free(figures->samples);
  prof_profile_free(figures->profile);
}

static prof_status report(void *settings, const struct prof_reader *reader, int *result, struct prof_diag *diag) {
  struct figures figures = {.settings = settings, .reader = reader};
  struct settings *asked = settings;
  struct prof_report_fields chosen = {0};
  if ((int)asked->by >= PROF_GROUPS)
    return reports[asked->by](&asked->ranked, &asked->limits, reader, result, diag);
  if (asked->limits.count && !prof_group_is_single(asked->by))
    return prof_command_usage(diag, "use --by=function, zone, iteration, frame, request, span, arg or ret",
                              "--slo and --by=%s don't go together", groups[asked->by]);
  asked->ranked.common.loops_apart = true; /* for the lines below the table; functions keep their loops' times */
  if (asked->by >= PROF_BY_ZONE && !asked->has_sort)
    asked->sort = PROF_SORT_TOTAL;
  if (!asked->has_by && !asked->fields && prof_ranked_is_table(&asked->ranked) && !asked->ranked.common.only.count &&
      !asked->limits.count && prof_command_rows_wanted(reader))
    asked->by = PROF_BY_COMMAND;
  struct prof_output output;
  prof_status status = prof_counter_columns_init(&figures.counters, reader->recording.trace, true, diag);
  if (status == PROF_OK && asked->fields)
    status = prof_report_fields_parse(asked->fields, asked->by, &figures.counters, diag, &chosen);
  if (status == PROF_OK)
    status = find(&figures, diag);
  if (status == PROF_OK)
    status = count(&figures, &chosen, diag);
  if (status == PROF_OK)
    status = prof_slo_functions(&asked->limits, reader->recording.trace, &figures.rows, diag, &figures.limits);
  if (status == PROF_OK) {
    prof_output_begin(&output, &asked->ranked.common);
    const struct prof_report_shape shape = {.by = asked->by,
                                            .time = reader->recording.time,
                                            .table = prof_ranked_is_table(&asked->ranked),
                                            .cpu = asked->cpu,
                                            .counters = &figures.counters,
                                            .one_process = prof_command_rows_processes(reader) < 2,
                                            .has_budget = figures.profile->estimated_functions != NULL,
                                            .has_zones = prof_has_zones(reader->recording.trace),
                                            .has_gpu = prof_gpu_time_is_there(reader),
                                            .has_samples = prof_trace_sampler(reader->recording.trace) != NULL,
                                            .has_switches = figures.samples->has_pauses};
    if (!asked->fields)
      prof_report_fields_choose(&shape, &chosen);
    chosen.waits_estimated = figures.profile->coverage.sparse_switches && shape.time != PROF_TIME_ELAPSED;
    if (!asked->fields && shape.table && !prof_hot_rows_any(&figures.rows))
      prof_report_fields_drop_hot(&chosen);
    prof_reader_warn(reader, &output);
    if (asked->cpu && !figures.samples->has_pauses)
      prof_cover_no_switches();
    status = show(&figures, &chosen, &shape, &output, diag);
    *result = prof_output_end(&output);
    if (*result == PROF_EXIT_OK && !prof_slo_kept(&figures.limits))
      *result = PROF_EXIT_FAILED;
  }
  forget(&figures);
  return status;
}

#define IN(member) PROF_MEMBER(struct settings, member)
#define GIVEN(member) .given = offsetof(struct settings, member)
static const struct prof_option options[] = {
    {"sort", 's', "KEY", "sort rows by (default: self; zones: total), or by a counter", PROF_OPTION_WORD, IN(sort),
     GIVEN(has_sort), .words = prof_report_sorts, .other = offsetof(struct settings, sort_other)},
    {"fields", 'f', "LIST", "show these columns, as in total,self,calls,p99,name,module,file,line,share,hot,cycles",
     PROF_OPTION_TEXT, IN(fields)},
    PROF_COMMON_TIME,
    {"by", 0, NULL, "show a row for each (default: function)", PROF_OPTION_WORD, IN(by), GIVEN(has_by),
     .words = groups},
    {"slo", 0, "'NAME P99 < TIME'",
     "check a limit, exit status 1 if it is broken (p50 p95 p99 min avg max); may be repeated", PROF_OPTION_TEXTS,
     IN(limits)},
    {"cpu", 0, NULL, "add columns: time running, waiting and preempted", PROF_OPTION_FLAG, IN(cpu)},
    PROF_RANKED_ROWS,
    {0},
};

const struct prof_command prof_command_report = {
    .name = "report",
    .instead = "only one function: -F NAME",
    .summary = "Show what each function cost: calls, total and self time, percentiles",
    .group = "Look",
    .options = options,
    .filters = true,
    .settings_bytes = sizeof(struct settings),
    .show = report,
};
