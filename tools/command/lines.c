/*
 * tools/command/lines.c - `prof lines`: what each source line cost.
 */
#include "analysis/lines/lines.h"

#include <stddef.h>
#include <stdio.h>

#include "command.h"
#include "cover_lines.h"
#include "field.h"
#include "gpu/gpu_lines.h"
#include "gpu/gpu_time.h"
#include "output.h"
#include "ranked.h"
#include "reader.h"
#include "sections.h"
#include "study/symbols.h"
#include "symbols_warn.h"

struct settings {
  struct prof_ranked ranked;
  struct prof_line_options lines;
  bool gpu; /* of kernels */
};

static const char *const sorts[] = {"self",    "calls-time", "calls",   "count", "gpu", "measured",
                                    "running", "waiting",    "elapsed", "line",  NULL};

/* ---- columns: tables leave out empty ones ---- */

/* DATA: JSON and CSV only.  OFF: DATA with scheduler switches.  WAITS: tables with switches, if not of waiting time.
 * GPU: recordings of a GPU.  TIMES: recordings with timed lines.  TIMED: TIMES, DATA only.  BURSTS: DATA with a budget.
 */
enum need { ALWAYS, SELF, SAMPLES, COUNTS, DATA, OFF, WAITS, GPU, TIMES, TIMED, BURSTS };

struct field {
  enum need need;
  struct prof_field of; /* in struct prof_line_row */
};

#define AT(member) PROF_MEMBER(struct prof_line_row, member)
static const struct field fields[] = {
    {DATA, {{"file", NULL, PROF_CELL_TEXT}, AT(file)}},
    {DATA, {{"line", NULL, PROF_CELL_COUNT}, AT(line)}},
    {DATA, {{"function", NULL, PROF_CELL_TEXT}, AT(function)}},
    {SELF, {{NULL, "SELF", PROF_CELL_NS}, AT(self_ns)}},
    {WAITS, {{NULL, "WAIT", PROF_CELL_NS}, AT(self.waiting)}},
    {DATA, {{"self_ns", NULL, PROF_CELL_NS}, AT(self.running)}},
    {OFF, {{"self_waiting_ns", NULL, PROF_CELL_NS}, AT(self.waiting)}},
    {OFF, {{"self_preempted_ns", NULL, PROF_CELL_NS}, AT(self.preempted)}},
    {SAMPLES, {{"samples", "SAMPLES", PROF_CELL_COUNT, .spare = 2}, AT(samples)}},
    {ALWAYS, {{NULL, "IN CALLS", PROF_CELL_NS}, AT(calls_ns)}},
    {DATA, {{"calls_ns", NULL, PROF_CELL_NS}, AT(in_calls.elapsed)}},
    {OFF, {{"calls_running_ns", NULL, PROF_CELL_NS}, AT(in_calls.running)}},
    {OFF, {{"calls_waiting_ns", NULL, PROF_CELL_NS}, AT(in_calls.waiting)}},
    {OFF, {{"calls_preempted_ns", NULL, PROF_CELL_NS}, AT(in_calls.preempted)}},
    {ALWAYS, {{"calls", "CALLS", PROF_CELL_COUNT, .spare = 1}, AT(calls)}},
    {BURSTS, {{"estimated", NULL, PROF_CELL_FLAG}, AT(calls_estimated)}},
    {COUNTS, {{"count", "COUNT", PROF_CELL_COUNT}, AT(count)}},
    {GPU, {{"gpu_ns", "GPU", PROF_CELL_NS}, AT(gpu_ns)}},
    {TIMES, {{"measured_self_ns", "MEASURED", PROF_CELL_NS}, AT(measured_self_ns)}},
    {TIMES, {{"measured_low_ns", "LEAST", PROF_CELL_NS, .spare = 4}, AT(measured_low_ns)}},
    {TIMES, {{"measured_high_ns", "MOST", PROF_CELL_NS, .spare = 4}, AT(measured_high_ns)}},
    {TIMED, {{"measured_calls_ns", NULL, PROF_CELL_NS}, AT(measured_calls_ns)}},
    {TIMES, {{"visits", "VISITS", PROF_CELL_COUNT, .spare = 5}, AT(visits)}},
    {SELF, {{"self_share", "SELF%", PROF_CELL_SHARE}, AT(self_share)}},
    {DATA, {{"self_share_low", NULL, PROF_CELL_SHARE}, AT(share_interval.low)}},
    {DATA, {{"self_share_high", NULL, PROF_CELL_SHARE}, AT(share_interval.high)}},
};
#define FIELD_COUNT (sizeof fields / sizeof *fields)

/* Calls of functions in bursts, and the time in them. */
static bool is_estimated(const struct field *field, const struct prof_line_row *row) {
  size_t at = field->of.member.offset;
  return row->calls_estimated &&
         (at == offsetof(struct prof_line_row, calls) || at == offsetof(struct prof_line_row, calls_ns));
}

static bool wanted(const struct field *field, const struct prof_reader *reader, const struct prof_line_rows *rows,
                   bool table) {
  bool counts = false, gpu = false, times = false;
  for (size_t i = 0; i < rows->count; i++) {
    counts |= rows->rows[i].count > 0;
    gpu |= rows->rows[i].gpu_ns > 0;
    times |= rows->rows[i].readings > 0;
  }
  if (field->of.column.title == NULL ? table : field->of.column.key == NULL && !table)
    return false;
  if (field->need == GPU)
    return gpu;
  if (field->need == BURSTS)
    return reader->recording.has_budget;
  if (field->need == OFF || field->need == WAITS)
    return reader->recording.has_switches && (field->need == OFF || rows->time != PROF_TIME_WAITING);
  if (field->need == SELF)
    return !table || rows->samples > 0 || reader->recording.has_switches;
  if (field->need == TIMES || field->need == TIMED)
    return times && (field->need == TIMES || !table);
  return !table || field->need == ALWAYS || (field->need == SAMPLES && rows->samples > 0) ||
         (field->need == COUNTS && counts);
}

/* "src/app.c:12"; an unknown line: the path alone. */
static void add_place(struct prof_table *table, const struct prof_reader *reader, const struct prof_line_row *row) {
  const char *path = prof_shown_path(reader->recording.paths, row->file);
  char text[4200];
  if (row->line)
    snprintf(text, sizeof text, "%.4096s:%u", path, row->line);
  else
    snprintf(text, sizeof text, "%.4096s", path[0] ? path : "-");
  prof_table_text(table, text);
}

static struct prof_table *make_table(const struct prof_reader *reader, const struct prof_line_rows *rows, size_t count,
                                     bool table, struct prof_column columns[FIELD_COUNT + 2]) {
  const struct field *chosen[FIELD_COUNT];
  size_t chosen_count = 0, column_count;
  for (size_t i = 0; i < FIELD_COUNT; i++)
    if (wanted(&fields[i], reader, rows, table)) {
      columns[chosen_count] = fields[i].of.column;
      chosen[chosen_count++] = &fields[i];
    }
  column_count = chosen_count;
  if (table) {
    columns[column_count++] = (struct prof_column){NULL, "LINE", PROF_CELL_TEXT, PROF_CUT_LEFT};
    columns[column_count++] = (struct prof_column){NULL, "FUNCTION", PROF_CELL_TEXT, PROF_CUT_NAME};
  }
  struct prof_table *made = prof_table_new(columns, column_count);
  for (size_t i = 0; i < count && made; i++) {
    for (size_t j = 0; j < chosen_count; j++) {
      prof_field_cell(made, &chosen[j]->of, &rows->rows[i]);
      if (is_estimated(chosen[j], &rows->rows[i]))
        prof_table_estimated(made);
    }
    if (table) {
      add_place(made, reader, &rows->rows[i]);
      prof_table_text(made, rows->rows[i].function);
    }
  }
  return made;
}

/* ---- the command ---- */

struct found {
  struct prof_profile *profile;
  struct prof_samples *samples;
  struct prof_line_rows rows;
};

static void forget(struct found *found) {
  prof_lines_free(&found->rows);
  prof_samples_free(found->samples);
  prof_profile_free(found->profile);
}

static prof_status find(const struct settings *settings, const struct prof_reader *reader, struct prof_symbols *symbols,
                        struct found *found, struct prof_diag *diag) {
  struct prof_line_source source = prof_symbols_source(symbols);
  struct prof_line_options options = settings->lines;
  options.within = reader->recording.filter.has_only;
  options.time = reader->recording.time;
  options.raw = settings->ranked.common.raw;
  prof_status status = prof_reader_fold_samples(reader, true, &found->profile, &found->samples, diag);
  if (status == PROF_OK)
    status =
        prof_lines_rank(found->profile, found->samples, reader->recording.names, &source, &options, diag, &found->rows);
  return status == PROF_OK ? prof_gpu_time_lines(reader, &source, &options, &found->rows, diag) : status;
}

static prof_status show(const struct settings *settings, const struct prof_reader *reader, const struct found *found,
                        const struct prof_section *section, const struct prof_output *output, struct prof_diag *diag) {
  const struct prof_line_rows *rows = &found->rows;
  size_t count = prof_ranked_count(&settings->ranked, PROF_RANKED_TABLE, rows->count);
  struct prof_column columns[FIELD_COUNT + 2];
  struct prof_table *table = make_table(reader, rows, count, prof_ranked_is_table(&settings->ranked), columns);
  struct prof_cover cover;
  prof_cover_of(found->profile, reader->recording.time, &cover);
  cover.line_samples = rows->samples;
  const struct prof_ranked_view view = {.key = "lines",
                                        .trace = reader->recording.trace,
                                        .cover = &cover,
                                        .section = section,
                                        .hidden = rows->count - count,
                                        .row = "line"};
  return prof_ranked_show(&settings->ranked, table, &view, output, diag);
}

struct work {
  const struct settings *settings;
  struct prof_symbols *symbols;
};

static prof_status show_section(const void *context, const struct prof_reader *part, const struct prof_section *section,
                                const struct prof_output *output, struct prof_diag *diag) {
  const struct work *work = context;
  struct found found = {0};
  prof_status status = find(work->settings, part, work->symbols, &found, diag);
  if (status == PROF_OK)
    status = found.rows.count ? show(work->settings, part, &found, section, output, diag) : PROF_EMPTY;
  forget(&found);
  return status;
}

static prof_status show_whole(const struct work *work, const struct prof_reader *reader, int *result,
                              struct prof_diag *diag) {
  struct found found = {0};
  struct prof_output output;
  prof_status status = find(work->settings, reader, work->symbols, &found, diag);
  if (status == PROF_OK) {
    prof_output_begin(&output, &work->settings->ranked.common);
    prof_reader_warn(reader, &output);
    if (prof_ranked_is_table(&work->settings->ranked))
      prof_sample_line(found.samples, found.rows.samples, &output);
    status = show(work->settings, reader, &found, NULL, &output, diag);
    *result = prof_output_end(&output);
  }
  forget(&found);
  return status;
}

static prof_status lines(void *argument, const struct prof_reader *reader, int *result, struct prof_diag *diag) {
  struct work work = {.settings = argument};
  prof_status status = prof_symbols_new(&reader->recording, diag, &work.symbols);
  if (status == PROF_OK)
    status = reader->recording.groups.count
                 ? prof_sections_show(&work.settings->ranked, reader, show_section, &work, result, diag)
                 : show_whole(&work, reader, result, diag);
  if (status == PROF_OK)
    prof_symbols_warn(work.symbols);
  prof_symbols_free(work.symbols);
  return status;
}

static prof_status lines_or_gpu(void *argument, const struct prof_reader *reader, int *result, struct prof_diag *diag) {
  const struct settings *settings = argument;
  if (settings->gpu && settings->ranked.common.split)
    return prof_command_usage(diag, "leave out one of them", "--gpu has no --by");
  return settings->gpu
             ? prof_gpu_lines_show(reader, prof_ranked_limit(&settings->ranked, PROF_RANKED_TABLE), result, diag)
             : lines(argument, reader, result, diag);
}

#define IN(member) PROF_MEMBER(struct settings, member)
static const struct prof_option options[] = {
    {"sort", 's', "KEY", "sort rows by (default: self)", PROF_OPTION_WORD, IN(lines.sort), .words = sorts},
    PROF_COMMON_TIME,
    PROF_RANKED_ROWS,
    PROF_COMMON_BY("show a table for each of the ten top processes or commands (-n 0: all)"),
    {"gpu", 0, NULL, "show lines of kernels and stall reasons (needs record --gpu-lines)", PROF_OPTION_FLAG, IN(gpu)},
    {"inlined-at", 0, NULL, "attribute inlined code to the line that it was inlined into", PROF_OPTION_FLAG,
     IN(lines.inlined_at)},
    {0},
};

const struct prof_command prof_command_lines = {
    .name = "lines",
    .instead = "the source of a function with its costs: prof annotate NAME",
    .summary = "Show what each source line cost: self time, and time in what it called",
    .group = "Look",
    .options = options,
    .filters = true,
    .settings_bytes = sizeof(struct settings),
    .show = lines_or_gpu,
};
