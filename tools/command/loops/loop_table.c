/*
 * tools/command/loops/loop_table.c - see loop_table.h.
 */
#include "loop_table.h"

#include <stdio.h>
#include <string.h>

#include "base/diag.h"
#include "command/field.h"
#include "loop_text.h"

const char *const prof_loop_sorts[] = {"self",    "total",   "entries", "iterations", "each",
                                       "running", "waiting", "elapsed", "line",       NULL};

#define AT(member) PROF_MEMBER(struct prof_loop_row, member)
#define OFFSET(member) offsetof(struct prof_loop_row, member)
#define IF(known) OFFSET(has_##known)
static const struct prof_field fields[] = {
    {{"function", NULL, PROF_CELL_TEXT}, AT(function)},
    {{"inlined_from", NULL, PROF_CELL_TEXT}, AT(inlined)},
    {{"file", NULL, PROF_CELL_TEXT}, AT(file)},
    {{"line", NULL, PROF_CELL_COUNT}, AT(line)},
    {{"last_line", NULL, PROF_CELL_COUNT}, AT(last_line)},
    {{"depth", NULL, PROF_CELL_COUNT}, AT(depth)},
    {{"level", NULL, PROF_CELL_COUNT}, AT(level)},
    {{"entries", "ENTRIES", PROF_CELL_COUNT}, AT(entries), IF(entries)},
    {{"empty_entries", NULL, PROF_CELL_COUNT}, AT(empty_entries), IF(times)},
    {{"unknown_entries", NULL, PROF_CELL_COUNT}, AT(unknown_entries), IF(times)},
    {{"iterations", "ITERATIONS", PROF_CELL_COUNT}, AT(iterations), IF(iterations)},
    {{"min_iterations", "MIN", PROF_CELL_COUNT, .spare = 5}, AT(min_iterations), IF(range)},
    {{"avg_iterations", "AVG", PROF_CELL_MEAN, .spare = 1}, AT(avg_iterations), IF(mean)},
    {{"max_iterations", "MAX", PROF_CELL_COUNT, .spare = 4}, AT(max_iterations), IF(range)},
    {{"total_ns", "TOTAL", PROF_CELL_NS, .spare = 2}, AT(total.elapsed), IF(times)},
    {{NULL, "SELF", PROF_CELL_NS}, AT(self_ns), IF(self)},
    {{NULL, "WAIT", PROF_CELL_NS}, AT(self.waiting), IF(times)},
    {{"self_ns", NULL, PROF_CELL_NS}, AT(self.elapsed), IF(times)},
    {{"running_ns", NULL, PROF_CELL_NS}, AT(total.running), IF(times)},
    {{"waiting_ns", NULL, PROF_CELL_NS}, AT(total.waiting), IF(times)},
    {{"preempted_ns", NULL, PROF_CELL_NS}, AT(total.preempted), IF(times)},
    {{"self_running_ns", NULL, PROF_CELL_NS}, AT(self.running), IF(self)},
    {{"self_waiting_ns", NULL, PROF_CELL_NS}, AT(self.waiting), IF(times)},
    {{"self_preempted_ns", NULL, PROF_CELL_NS}, AT(self.preempted), IF(times)},
    {{"error_ns", NULL, PROF_CELL_NS}, AT(error_ns), IF(times)},
    {{"min_ns", NULL, PROF_CELL_NS}, AT(min_ns), IF(extremes)},
    {{"max_ns", NULL, PROF_CELL_NS}, AT(max_ns), IF(extremes)},
    {{"ns_per_iteration", "EACH", PROF_CELL_PART}, AT(each_ns), IF(each)},
    {{"self_share", "SELF%", PROF_CELL_SHARE}, AT(self_share), IF(self)},
    {{"total_share", NULL, PROF_CELL_SHARE}, AT(total_share), IF(times)},
    {{"estimated", NULL, PROF_CELL_FLAG}, AT(estimated), 0},
    {{"entries_low", NULL, PROF_CELL_COUNT}, AT(entries_low), IF(entries)},
    {{"entries_high", NULL, PROF_CELL_COUNT}, AT(entries_high), IF(entries)},
    {{"self_low_ns", NULL, PROF_CELL_NS}, AT(self_low_ns), IF(self)},
    {{"self_high_ns", NULL, PROF_CELL_NS}, AT(self_high_ns), IF(self)},
};
#define FIELD_COUNT (sizeof fields / sizeof *fields)
_Static_assert(FIELD_COUNT + 3 + PROF_WORK_COLUMNS <= PROF_LOOP_COLUMNS, "and three more");

/* Columns that make room for those of work. */
static bool yields_to_work(size_t at) {
  return (at >= OFFSET(min_iterations) && at <= OFFSET(avg_iterations)) || at == OFFSET(total.elapsed) ||
         at == OFFSET(self.waiting) || at == OFFSET(each_ns);
}

/* Columns that make room for those of counters on a narrow terminal. */
static bool yields_to_counters(size_t at) {
  return at == OFFSET(self.waiting) || at == OFFSET(each_ns);
}

/* Parts of times need scheduler switches; a table of waiting time leaves them out. */
static bool is_wanted(const struct prof_field *field, const struct prof_reader *reader, bool people, bool has_works) {
  size_t at = field->member.offset;
  if (people && has_works && yields_to_work(at))
    return false;
  bool is_part = (at >= OFFSET(total.running) && at <= OFFSET(total.preempted)) ||
                 (at >= OFFSET(self.running) && at <= OFFSET(self.preempted));
  size_t states;
  (void)prof_trace_states(reader->recording.trace, &states);
  if (at >= OFFSET(estimated) && states == 0)
    return false;
  if (is_part && (!reader->recording.has_switches || (people && reader->recording.time == PROF_TIME_WAITING)))
    return false;
  return people ? field->column.title != NULL : field->column.key != NULL;
}

static bool is_estimated(const struct prof_field *field, const struct prof_loop_row *row) {
  size_t at = field->member.offset;
  if (at == OFFSET(self_ns) || at == OFFSET(self_share))
    return row->self_is_estimated;
  return row->estimated && (at == OFFSET(entries) || at == OFFSET(iterations) || at == OFFSET(avg_iterations));
}

/* Entries that were cut off didn't tell their iterations. */
static bool is_at_least(const struct prof_field *field, const struct prof_loop_row *row) {
  size_t at = field->member.offset;
  return row->unknown_entries > 0 && (at == OFFSET(iterations) || at == OFFSET(max_iterations));
}

/* Adds the place, indented by nesting, the function, and the compiler's transformations. */
static void add_place(struct prof_table *table, const struct prof_reader *reader, const struct prof_loop_row *row,
                      const struct prof_loop_work *work) {
  char text[PROF_LOOP_TEXT_BYTES + 64], facts[PROF_LOOP_FACTS_BYTES], bounds[PROF_WORK_TEXT_BYTES];
  int indent = (int)(row->level < 20 ? 2 * row->level : 40);
  snprintf(text, sizeof text, "%*s", indent, "");
  prof_loop_place(row, reader, text + indent, PROF_LOOP_TEXT_BYTES);
  prof_table_text_after(table, text, (size_t)indent);
  prof_loop_function(row, text, sizeof text);
  prof_table_text(table, text);
  prof_loop_facts(row, facts, sizeof facts);
  bounds[0] = 0;
  if (work)
    prof_work_text(work, bounds);
  snprintf(text, sizeof text, "%s%s%s", facts, facts[0] && bounds[0] ? ", " : "", bounds);
  prof_table_text(table, text);
}

static size_t add_columns(struct prof_column *columns, bool people) {
  if (!people) {
    columns[0] = (struct prof_column){"facts", NULL, PROF_CELL_TEXT};
    return 1;
  }
  columns[0] = (struct prof_column){NULL, "LOOP", PROF_CELL_TEXT, PROF_CUT_LEFT};
  columns[1] = (struct prof_column){NULL, "FUNCTION", PROF_CELL_TEXT, PROF_CUT_NAME};
  columns[2] = (struct prof_column){NULL, "FACTS", PROF_CELL_TEXT, .spare = 3};
  return 3;
}

/* Puts the columns of counters at `at` of `count`; the new number. */
static size_t insert_counters(const struct prof_counter_columns *counters, bool people,
                              struct prof_column columns[PROF_LOOP_COLUMNS], size_t at, size_t count) {
  struct prof_column last[4];
  size_t behind = count - at;
  size_t all = prof_counter_columns_add(counters, people, columns, count), added = all - count;
  memcpy(last, columns + at, behind * sizeof *last);
  memmove(columns + at, columns + count, added * sizeof *columns);
  memcpy(columns + at + added, last, behind * sizeof *last);
  return all;
}

struct prof_table *prof_loop_table(const struct prof_reader *reader, const struct prof_loop_row *rows,
                                   const struct prof_loop_work *works, const struct prof_counter_columns *counters,
                                   size_t count, bool people, struct prof_column columns[PROF_LOOP_COLUMNS]) {
  const struct prof_field *chosen[FIELD_COUNT];
  size_t chosen_count = 0;
  for (size_t i = 0; i < FIELD_COUNT; i++)
    if (is_wanted(&fields[i], reader, people, works != NULL)) {
      columns[chosen_count] = fields[i].column;
      if (counters && counters->count && yields_to_counters(fields[i].member.offset))
        columns[chosen_count].spare = 6;
      chosen[chosen_count++] = &fields[i];
    }
  size_t column_count = chosen_count;
  if (works)
    column_count += prof_work_columns(columns + column_count, people);
  size_t before = column_count;
  column_count += add_columns(columns + column_count, people);
  if (counters)
    column_count = insert_counters(counters, people, columns, before, column_count);
  struct prof_table *made = prof_table_new(columns, column_count);
  for (size_t i = 0; i < count && made; i++) {
    char facts[PROF_LOOP_FACTS_BYTES];
    for (size_t j = 0; j < chosen_count; j++) {
      prof_field_cell(made, chosen[j], &rows[i]);
      if (is_estimated(chosen[j], &rows[i]))
        prof_table_estimated(made);
      else if (is_at_least(chosen[j], &rows[i]))
        prof_table_at_least(made);
    }
    if (works)
      prof_work_cells(made, &works[i], people);
    if (counters)
      prof_counter_cells(counters, made, people, rows[i].loop);
    if (people)
      add_place(made, reader, &rows[i], works ? &works[i] : NULL);
    else
      prof_table_text(made, prof_loop_facts(&rows[i], facts, sizeof facts));
  }
  return made;
}

prof_status prof_loop_none(const struct prof_reader *reader, const struct prof_loop_rows *rows,
                           struct prof_diag *diag) {
  size_t loop_count;
  prof_trace_loops(reader->recording.trace, &loop_count);
  if (loop_count == 0)
    return prof_diag_fill(
        diag, PROF_EMPTY, prof_trace_info(reader->recording.trace)->path, PROF_NO_OFFSET,
        "compile with -fplugin-arg-prof-loops=all to probe short loops too, or put `#pragma prof loop` "
        "before one",
        "no loop of this program has probes");
  return prof_diag_fill(diag, PROF_EMPTY, prof_trace_info(reader->recording.trace)->path, PROF_NO_OFFSET,
                        "ask for more: other functions (-F, -N), threads (--tid), processes (--pid), a longer --range",
                        "no loop ran in what is shown; %llu instrumented ones did not",
                        (unsigned long long)rows->never_entered);
}
