/*
 * tools/command/measures/counters.c - `prof counters`: what hardware counters counted in functions, loops and lines.
 */
#include "analysis/counters.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/text.h"
#include "base/whole.h"
#include "command/command.h"
#include "command/counter_columns.h"
#include "command/symbols_warn.h"
#include "measure_view.h"
#include "study/symbols.h"
#include "view/units.h"

enum { WORD_BYTES = 112, FIXED_COLUMNS = 6, HEAD_BYTES = 2048, MOST_RATIOS = 16 };

struct settings {
  struct prof_ranked ranked;
  enum prof_counters_by by;
  const char *sort;
};

static const char *const groups[] = {[PROF_COUNTERS_BY_FUNCTION] = "function",
                                     [PROF_COUNTERS_BY_LOOP] = "loop",
                                     [PROF_COUNTERS_BY_LINE] = "line",
                                     [PROF_COUNTERS_BY_MODULE] = "module",
                                     NULL};

struct word {
  char text[WORD_BYTES];
};

struct shown { /* what is shown, and the columns of its table */
  const struct settings *settings;
  const struct prof_counter_rows *rows;
  struct prof_shown_paths *paths;
  uint32_t by; /* the counter that sorts */
  struct prof_column *columns;
  struct word *words; /* keys and titles of columns */
  size_t column_count, word_count;
};

static bool is_there(const struct prof_pmu *counter) {
  return !(counter->flags & PROF_PMU_REFUSED);
}

/* ---- columns ---- */

static const char *key_of(struct shown *shown, const char *name, const char *end) {
  struct word *word = &shown->words[shown->word_count++];
  snprintf(word->text, sizeof word->text, "%s%s", name, end);
  return word->text;
}

static const char *title_of(struct shown *shown, const char *name) {
  struct word *word = &shown->words[shown->word_count++];
  prof_counter_title(word->text, sizeof word->text, name);
  return word->text;
}

static void add_column(struct shown *shown, const char *key, const char *title, enum prof_cell_kind kind,
                       unsigned spare) {
  enum prof_cut cut = kind == PROF_CELL_TEXT ? PROF_CUT_LEFT : PROF_CUT_NAME;
  shown->columns[shown->column_count++] = (struct prof_column){key, title, kind, cut, spare};
}

/* Those of the counter that sorts come first; "_total" is with callees. */
static void add_columns_of(struct shown *shown, uint32_t counter) {
  const struct prof_pmu *pmu = &shown->rows->sums.counters[counter];
  bool first = counter == shown->by, totals = shown->settings->by <= PROF_COUNTERS_BY_LOOP;
  enum prof_cell_kind kind = pmu->flags & PROF_PMU_NS ? PROF_CELL_NS : PROF_CELL_COUNT;
  add_column(shown, key_of(shown, pmu->name, ""), title_of(shown, pmu->name), kind, first ? 0 : counter + 1);
  if (first)
    add_column(shown, "share", "SHARE", PROF_CELL_SHARE, 0);
  if (totals)
    add_column(shown, key_of(shown, pmu->name, "_total"), first ? "WITH CALLEES" : NULL, kind, 0);
}

/* false: no memory. */
static bool make_columns(struct shown *shown) {
  uint32_t count = shown->rows->sums.counter_count;
  bool names_lines = shown->settings->by != PROF_COUNTERS_BY_MODULE;
  shown->columns = calloc(3 * (size_t)count + FIXED_COLUMNS + MOST_RATIOS, sizeof *shown->columns);
  shown->words = calloc(3 * (size_t)count + 1, sizeof *shown->words);
  if (!shown->columns || !shown->words)
    return false;
  add_column(shown, "name", NULL, PROF_CELL_TEXT, 0);
  if (names_lines) {
    add_column(shown, "file", NULL, PROF_CELL_TEXT, 0);
    add_column(shown, "line", NULL, PROF_CELL_COUNT, 0);
  }
  add_columns_of(shown, shown->by);
  for (uint32_t i = 0; i < count; i++)
    if (i != shown->by && is_there(&shown->rows->sums.counters[i]))
      add_columns_of(shown, i);
  const struct prof_counter_ratio *ratio;
  for (uint32_t i = 0; (ratio = prof_counter_ratio(i)) != NULL; i++)
    if (prof_counter_has_ratio(shown->rows->sums.counters, shown->rows->sums.counter_count, ratio))
      add_column(shown, ratio->key, ratio->title, ratio->is_share ? PROF_CELL_SHARE : PROF_CELL_MEAN, 0);
  add_column(shown, NULL, names_lines ? "FUNCTION" : "MODULE", PROF_CELL_TEXT, 0);
  shown->columns[shown->column_count - 1].cut = names_lines ? PROF_CUT_NAME : PROF_CUT_LEFT;
  if (names_lines)
    add_column(shown, NULL, "LINE", PROF_CELL_TEXT, 0);
  return true;
}

/* ---- cells ---- */

static double share_of(const struct shown *shown, const struct prof_counter_row *row) {
  const struct prof_counter_sum *sum = &shown->rows->sums.sums[shown->by];
  double all = sum->shown + sum->other;
  return all > 0 ? row->self[shown->by] / all : 0;
}

/* false: nothing of `below` was counted in the row. */
static void add_figure(struct prof_table *table, const struct prof_pmu *pmu, double figure) {
  prof_table_count(table, prof_whole(figure + 0.5));
  if (prof_counter_takes_turns(pmu))
    prof_table_estimated(table);
}

static void add_cells_of(const struct shown *shown, struct prof_table *table, const struct prof_counter_row *row,
                         uint32_t counter) {
  const struct prof_pmu *pmu = &shown->rows->sums.counters[counter];
  add_figure(table, pmu, row->self[counter]);
  if (counter == shown->by)
    prof_table_share(table, share_of(shown, row));
  if (shown->settings->by <= PROF_COUNTERS_BY_LOOP)
    add_figure(table, pmu, row->total[counter]);
}

static void add_place(const struct shown *shown, struct prof_table *table, const struct prof_counter_row *row) {
  char *text = NULL;
  const char *path = prof_shown_path(shown->paths, row->file);
  if (row->line > 0 && asprintf(&text, "%s:%u", path, row->line) < 0)
    text = NULL;
  prof_table_text(table, text ? text : path);
  free(text);
}

static void add_row(const struct shown *shown, struct prof_table *table, const struct prof_counter_row *row) {
  const struct prof_counter_rows *rows = shown->rows;
  bool names_lines = shown->settings->by != PROF_COUNTERS_BY_MODULE;
  double value;
  prof_table_text(table, row->name);
  if (names_lines) {
    prof_table_text(table, row->file);
    prof_table_count(table, row->line);
  }
  add_cells_of(shown, table, row, shown->by);
  for (uint32_t i = 0; i < rows->sums.counter_count; i++)
    if (i != shown->by && is_there(&rows->sums.counters[i]))
      add_cells_of(shown, table, row, i);
  const struct prof_counter_ratio *ratio;
  for (uint32_t i = 0; (ratio = prof_counter_ratio(i)) != NULL; i++) {
    if (!prof_counter_has_ratio(rows->sums.counters, rows->sums.counter_count, ratio))
      continue;
    if (prof_counter_ratio_of(rows->sums.counters, rows->sums.counter_count, ratio, row->self, &value)) {
      prof_table_share(table, value);
      if (prof_counter_ratio_is_estimated(rows->sums.counters, rows->sums.counter_count, ratio))
        prof_table_estimated(table);
    } else {
      prof_table_unknown(table);
    }
  }
  prof_table_text(table, row->name);
  if (names_lines)
    add_place(shown, table, row);
}

static struct prof_table *make_table(const void *context, size_t count) {
  const struct shown *shown = context;
  struct prof_table *table = prof_table_new(shown->columns, shown->column_count);
  for (size_t i = 0; table && i < count; i++)
    add_row(shown, table, &shown->rows->rows[i]);
  if (table && prof_table_failed(table)) {
    prof_table_free(table);
    table = NULL;
  }
  return table;
}

/* ---- around the table ---- */

static void above(const void *context, const struct prof_output *output) {
  const struct prof_counter_rows *rows = ((const struct shown *)context)->rows;
  char line[HEAD_BYTES], number[PROF_UNITS_BYTES], name[WORD_BYTES], why[HEAD_BYTES / 4];
  const char *reason = NULL;
  size_t at = 0, missing = 0;
  bool turns = false;
  for (uint32_t i = 0; i < rows->sums.counter_count && at < sizeof line; i++) {
    const struct prof_pmu *pmu = &rows->sums.counters[i];
    missing += !is_there(pmu);
    reason = !is_there(pmu) && !reason ? pmu->reason : reason;
    if (!is_there(pmu))
      continue;
    turns |= prof_counter_takes_turns(pmu);
    prof_text_escape(name, sizeof name, pmu->name, strlen(pmu->name));
    double all = rows->sums.sums[i].shown + rows->sums.sums[i].other;
    at += (size_t)snprintf(line + at, sizeof line - at, "%s%s %s", at == 0 ? "counted, by samples: " : ", ",
                           pmu->flags & PROF_PMU_NS ? prof_units_duration(number, prof_whole(all + 0.5))
                                                    : prof_units_count(number, prof_whole(all + 0.5)),
                           name);
  }
  prof_output_wrap(output, line, 0);
  if (missing > 0)
    prof_text_escape(why, sizeof why, reason, strlen(reason));
  if (missing > 0)
    snprintf(line, sizeof line, "%zu counter%s not counted: %s; prof doctor shows what this machine has", missing,
             missing == 1 ? "" : "s", why);
  else if (turns)
    snprintf(line, sizeof line, "counters took turns, as not all fit the processor: figures with ~ are estimates");
  if (missing > 0 || turns)
    prof_output_wrap(output, line, 0);
}

static void members(const void *context, struct prof_json *json) {
  const struct shown *shown = context;
  const struct prof_counter_rows *rows = shown->rows;
  prof_json_text(json, "by", groups[shown->settings->by]);
  prof_json_array(json, "counters");
  for (uint32_t i = 0; i < rows->sums.counter_count; i++) {
    const struct prof_pmu *pmu = &rows->sums.counters[i];
    prof_json_object(json, NULL);
    prof_json_text(json, "name", pmu->name);
    prof_json_count(json, "counted", pmu->value);
    prof_json_number(json, "sampled", rows->sums.sums[i].shown);
    prof_json_number(json, "outside", rows->sums.sums[i].other);
    prof_json_number(json, "profiler", rows->sums.sums[i].own);
    prof_json_bool(json, "every_event", pmu->flags & PROF_PMU_EXACT);
    prof_json_bool(json, "user_only", pmu->flags & PROF_PMU_USER_ONLY);
    prof_json_bool(json, "nanoseconds", pmu->flags & PROF_PMU_NS);
    prof_json_count(json, "enabled_ns", pmu->enabled_ns);
    prof_json_count(json, "running_ns", pmu->running_ns);
    prof_json_text(json, "missing", is_there(pmu) ? NULL : pmu->reason);
    prof_json_object_end(json);
  }
  prof_json_array_end(json);
}

static void row_json(const void *context, size_t index, struct prof_json *json) {
  const struct shown *shown = context;
  const struct prof_counter_rows *rows = shown->rows;
  const struct prof_counter_row *row = &rows->rows[index];
  const struct prof_counter_ratio *ratio;
  double value;
  prof_json_object(json, NULL);
  prof_json_text(json, "name", row->name);
  if (shown->settings->by != PROF_COUNTERS_BY_MODULE) {
    prof_json_text(json, "file", row->file);
    prof_json_count(json, "line", row->line);
  }
  prof_json_number(json, "share", share_of(shown, row));
  prof_json_array(json, "figures");
  for (uint32_t i = 0; i < rows->sums.counter_count; i++) {
    if (!is_there(&rows->sums.counters[i]))
      continue;
    prof_json_object(json, NULL);
    prof_json_text(json, "counter", rows->sums.counters[i].name);
    prof_json_number(json, "self", row->self[i]);
    if (row->total)
      prof_json_number(json, "total", row->total[i]);
    prof_json_object_end(json);
  }
  prof_json_array_end(json);
  prof_json_array(json, "ratios");
  for (uint32_t i = 0; (ratio = prof_counter_ratio(i)) != NULL; i++)
    if (prof_counter_has_ratio(rows->sums.counters, rows->sums.counter_count, ratio) &&
        prof_counter_ratio_of(rows->sums.counters, rows->sums.counter_count, ratio, row->self, &value)) {
      prof_json_object(json, NULL);
      prof_json_text(json, "name", ratio->key);
      prof_json_number(json, "value", value);
      prof_json_object_end(json);
    }
  prof_json_array_end(json);
  prof_json_object_end(json);
}

/* ---- the command ---- */

/* The counter that sorts: the first that there is, or the one that was asked for. */
static prof_status choose(const prof_trace *trace, const char *wanted, struct prof_diag *diag, uint32_t *by) {
  size_t count;
  const struct prof_pmu *counters = prof_trace_pmus(trace, &count);
  if (count == 0)
    return prof_diag_fill(diag, PROF_EMPTY, prof_trace_info(trace)->path, PROF_NO_OFFSET,
                          "record them: prof record --counters=cycles,instructions,page-faults PROGRAM",
                          "the recording has no hardware counters");
  for (uint32_t i = 0; i < count; i++)
    if (is_there(&counters[i]) && (!wanted || strcmp(wanted, counters[i].name) == 0)) {
      *by = i;
      return PROF_OK;
    }
  if (wanted)
    return prof_command_usage(diag, "sort by a counter of the recording", "--sort: '%.40s' was not counted", wanted);
  return prof_diag_fill(diag, PROF_EMPTY, prof_trace_info(trace)->path, PROF_NO_OFFSET,
                        "count what the kernel has: prof record --counters=page-faults,task-clock",
                        "nothing was counted: %s", counters[0].reason);
}

static prof_status show_rows(const struct settings *settings, const struct prof_reader *reader,
                             const struct prof_counter_rows *rows, uint32_t by, int *result, struct prof_diag *diag) {
  struct shown shown = {.settings = settings, .rows = rows, .paths = reader->recording.paths, .by = by};
  const struct prof_measure_view view = {.key = "rows",
                                         .row = groups[settings->by],
                                         .count = rows->count,
                                         .above = above,
                                         .members = members,
                                         .row_json = row_json,
                                         .table = make_table,
                                         .context = &shown};
  prof_status status =
      make_columns(&shown) ? prof_measure_show(&settings->ranked, reader, &view, result, diag) : prof_diag_memory(diag);
  free(shown.columns);
  free(shown.words);
  return status;
}

static prof_status show(void *argument, const struct prof_reader *reader, int *result, struct prof_diag *diag) {
  const struct settings *settings = argument;
  const struct prof_recording *recording = &reader->recording;
  struct prof_symbols *symbols;
  struct prof_counter_rows rows;
  uint32_t by = 0;
  prof_status status = choose(recording->trace, settings->sort, diag, &by);
  if (status == PROF_OK)
    status = prof_symbols_new(recording, diag, &symbols);
  if (status != PROF_OK)
    return status;
  struct prof_line_source source = prof_symbols_source(symbols);
  status = prof_counters_rank(recording->trace, &recording->filter, recording->names, &source, settings->by, by, diag,
                              &rows);
  if (status == PROF_OK && rows.count == 0)
    status = prof_diag_fill(diag, PROF_EMPTY, NULL, PROF_NO_OFFSET, "widen the filters (-F -N -D --tid --range)",
                            "no %s with counted events to show", groups[settings->by]);
  if (status == PROF_OK)
    status = show_rows(settings, reader, &rows, by, result, diag);
  prof_counters_free(&rows);
  if (status == PROF_OK && settings->by == PROF_COUNTERS_BY_LINE)
    prof_symbols_warn(symbols);
  prof_symbols_free(symbols);
  return status;
}

#define IN(member) PROF_MEMBER(struct settings, member)
static const struct prof_option options[] = {
    {"by", 0, NULL, "show a row for each (default: function)", PROF_OPTION_WORD, IN(by), .words = groups},
    {"sort", 's', "COUNTER", "sort rows by this counter (default: the first of the recording)", PROF_OPTION_TEXT,
     IN(sort)},
    PROF_RANKED_ROWS,
    {0},
};

const struct prof_command prof_command_counters = {
    .name = "counters",
    .instead = "of which functions: -F NAME",
    .summary = "Show hardware counters of functions, loops and lines: cycles, cache misses",
    .group = "Look",
    .options = options,
    .filters = true,
    .settings_bytes = sizeof(struct settings),
    .show = show,
};
