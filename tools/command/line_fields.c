/*
 * tools/command/line_fields.c - see line_fields.h.
 */
#include "line_fields.h"

#include <stdio.h>

#include "field.h"

const char *const prof_line_sorts[] = {"self",    "calls-time", "calls",   "count", "gpu",     "measured",
                                       "running", "waiting",    "elapsed", "line",  "outside", NULL};

/* DATA: JSON and CSV only.  OFF: DATA with scheduler switches.  WAITS: tables with switches, if not of waiting time.
 * OUTSIDE: recordings of callers.  GPU: recordings of a GPU.  TIMES: recordings with timed lines.  TIMED: TIMES, DATA
 * only.  BURSTS: DATA with a budget.
 */
enum need { ALWAYS, OUTSIDE, SELF, SAMPLES, COUNTS, DATA, OFF, WAITS, GPU, TIMES, TIMED, BURSTS };

struct prof_line_field {
  enum need need;
  struct prof_field of; /* in struct prof_line_row */
};

#define AT(member) PROF_MEMBER(struct prof_line_row, member)
static const struct prof_line_field fields[] = {
    {DATA, {{"file", NULL, PROF_CELL_TEXT}, AT(file)}},
    {DATA, {{"line", NULL, PROF_CELL_COUNT}, AT(line)}},
    {DATA, {{"function", NULL, PROF_CELL_TEXT}, AT(function)}},
    {SELF, {{NULL, "SELF", PROF_CELL_NS}, AT(self_ns)}},
    {WAITS, {{NULL, "WAIT", PROF_CELL_NS}, AT(self.waiting)}},
    {DATA, {{"self_ns", NULL, PROF_CELL_NS}, AT(self.running)}},
    {OFF, {{"self_waiting_ns", NULL, PROF_CELL_NS}, AT(self.waiting)}},
    {OFF, {{"self_preempted_ns", NULL, PROF_CELL_NS}, AT(self.preempted)}},
    {SAMPLES, {{"samples", "SAMPLES", PROF_CELL_COUNT, .spare = 2}, AT(samples)}},
    {OUTSIDE, {{"outside_ns", "OUTSIDE", PROF_CELL_NS}, AT(outside_ns)}},
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
_Static_assert(FIELD_COUNT <= PROF_LINE_MOST_FIELDS, "room for all");

/* Calls of functions in bursts, and the time in them. */
static bool is_estimated(const struct prof_line_field *field, const struct prof_line_row *row) {
  size_t at = field->of.member.offset;
  return row->calls_estimated &&
         (at == offsetof(struct prof_line_row, calls) || at == offsetof(struct prof_line_row, calls_ns));
}

struct seen { /* what any row has */
  bool counts, gpu, times, outside;
};

static struct seen look_at(const struct prof_line_rows *rows) {
  struct seen seen = {0};
  for (size_t i = 0; i < rows->count; i++) {
    seen.counts |= rows->rows[i].count > 0;
    seen.gpu |= rows->rows[i].gpu_ns > 0;
    seen.outside |= rows->rows[i].outside_ns > 0;
    seen.times |= rows->rows[i].readings > 0;
  }
  return seen;
}

static bool wanted(const struct prof_line_field *field, const struct prof_reader *reader,
                   const struct prof_line_rows *rows, const struct seen *seen, bool table) {
  if (field->of.column.title == NULL ? table : field->of.column.key == NULL && !table)
    return false;
  if (field->need == GPU)
    return seen->gpu;
  if (field->need == OUTSIDE)
    return seen->outside;
  if (field->need == BURSTS)
    return reader->recording.has_budget;
  if (field->need == OFF || field->need == WAITS)
    return reader->recording.has_switches && (field->need == OFF || rows->time != PROF_TIME_WAITING);
  if (field->need == SELF)
    return !table || rows->samples > 0 || reader->recording.has_switches;
  if (field->need == TIMES || field->need == TIMED)
    return seen->times && (field->need == TIMES || !table);
  return !table || field->need == ALWAYS || (field->need == SAMPLES && rows->samples > 0) ||
         (field->need == COUNTS && seen->counts);
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

void prof_line_fields_choose(const struct prof_reader *reader, const struct prof_line_rows *rows,
                             const struct prof_counter_columns *counters, bool table, struct prof_line_fields *out) {
  const struct seen seen = look_at(rows);
  *out = (struct prof_line_fields){.counters = counters, .table = table};
  for (size_t i = 0; i < FIELD_COUNT; i++)
    if (wanted(&fields[i], reader, rows, &seen, table)) {
      out->columns[out->count] = fields[i].of.column;
      out->items[out->count++] = &fields[i];
    }
  out->column_count = out->count;
  if (counters)
    out->column_count = prof_counter_columns_add(counters, table, out->columns, out->column_count);
  if (table) {
    out->columns[out->column_count++] = (struct prof_column){NULL, "LINE", PROF_CELL_TEXT, PROF_CUT_LEFT};
    out->columns[out->column_count++] = (struct prof_column){NULL, "FUNCTION", PROF_CELL_TEXT, PROF_CUT_NAME};
  }
}

void prof_line_cells(struct prof_table *table, const struct prof_line_fields *chosen, const struct prof_reader *reader,
                     const struct prof_line_row *row) {
  for (size_t i = 0; i < chosen->count; i++) {
    prof_field_cell(table, &chosen->items[i]->of, row);
    if (is_estimated(chosen->items[i], row))
      prof_table_estimated(table);
  }
  if (chosen->counters)
    prof_counter_cells(chosen->counters, table, chosen->table, prof_counter_key_of_line(chosen->counters, row));
  if (chosen->table) {
    add_place(table, reader, row);
    prof_table_text(table, row->function);
  }
}
