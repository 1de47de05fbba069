/*
 * tools/command/lines.c - `prof lines`: what each source line cost.
 */
#include "analysis/lines/lines.h"

#include <stddef.h>
#include <stdio.h>

#include "analysis/counter_lines.h"
#include "command.h"
#include "counter_columns.h"
#include "cover_lines.h"
#include "gpu/gpu_lines.h"
#include "gpu/gpu_time.h"
#include "line_fields.h"
#include "output.h"
#include "ranked.h"
#include "reader.h"
#include "sample_line.h"
#include "sections.h"
#include "study/symbols.h"
#include "symbols_warn.h"

struct settings {
  struct prof_ranked ranked;
  struct prof_line_options lines;
  const char *sort_other; /* a counter; NULL: lines.sort */
  bool gpu;               /* of kernels */
};

/* ---- the command ---- */

struct found {
  struct prof_profile *profile;
  struct prof_samples *samples;
  struct prof_line_rows rows;
  struct prof_counter_columns counters;
};

static void forget(struct found *found) {
  prof_counter_columns_free(&found->counters);
  prof_lines_free(&found->rows);
  prof_samples_free(found->samples);
  prof_profile_free(found->profile);
}

static uint32_t key_of_row(const struct prof_counter_columns *columns, const void *row) {
  return prof_counter_key_of_line(columns, row);
}

/* Adds what counters counted, and sorts by them where that is wanted. */
static prof_status count(const struct settings *settings, const struct prof_reader *reader,
                         const struct prof_line_source *source, struct found *found, struct prof_diag *diag) {
  const struct prof_counter_keys keys = {
      .by = PROF_COUNTERS_BY_LINE, .source = source, .inlined_at = settings->lines.inlined_at};
  const struct prof_counter_column *column = NULL;
  prof_status status = prof_counter_columns_init(&found->counters, reader->recording.trace, false, diag);
  if (status == PROF_OK && settings->sort_other)
    status = prof_counter_sort_find(&found->counters, settings->sort_other, prof_line_sorts, diag, &column);
  if (status != PROF_OK || found->counters.count == 0)
    return status;
  status = prof_counter_columns_sum(&found->counters, &reader->recording, &keys, diag);
  if (status == PROF_OK)
    status = prof_counter_lines_add(&found->counters.sums, settings->lines.sort, diag, &found->rows);
  const struct prof_counter_rows_of of = {found->rows.rows, found->rows.count, sizeof *found->rows.rows, key_of_row,
                                          NULL};
  return status == PROF_OK && column ? prof_counter_sort(&found->counters, column, &of, diag) : status;
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
  if (status == PROF_OK)
    status = prof_gpu_time_lines(reader, &source, &options, &found->rows, diag);
  return status == PROF_OK ? count(settings, reader, &source, found, diag) : status;
}

static prof_status show(const struct settings *settings, const struct prof_reader *reader, const struct found *found,
                        const struct prof_section *section, const struct prof_output *output, struct prof_diag *diag) {
  const struct prof_line_rows *rows = &found->rows;
  size_t count = prof_ranked_count(&settings->ranked, PROF_RANKED_TABLE, rows->count);
  struct prof_line_fields fields;
  prof_line_fields_choose(reader, rows, &found->counters, prof_ranked_is_table(&settings->ranked), &fields);
  struct prof_table *table = prof_table_new(fields.columns, fields.column_count);
  for (size_t i = 0; i < count && table; i++)
    prof_line_cells(table, &fields, reader, &rows->rows[i]);
  struct prof_cover cover;
  prof_cover_of(found->profile, reader->recording.time, &cover);
  prof_cover_add_lines(&cover, found->samples, rows->samples);
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
    {"sort", 's', "KEY", "sort rows by (default: self), or by a counter", PROF_OPTION_WORD, IN(lines.sort),
     .words = prof_line_sorts, .other = offsetof(struct settings, sort_other)},
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
