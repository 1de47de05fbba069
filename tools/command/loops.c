/*
 * tools/command/loops.c - `prof loops`: entries, iterations and times of loops.
 */
#include "analysis/loops.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/json.h"
#include "command.h"
#include "common.h"
#include "cover_lines.h"
#include "loop_text.h"
#include "output.h"
#include "reader.h"

#define DEFAULT_ROWS 20

struct settings {
  struct prof_common common;
  enum prof_loop_sort sort;
  bool has_count;
  uint64_t count; /* rows; 0: all */
};

static const char *const sorts[] = {"self", "total", "entries", "iterations", "each", "line", NULL};

/* ---- columns ---- */

struct field {
  struct prof_column column;
  size_t offset; /* in struct prof_loop_row */
  size_t known;  /* of the flag that says whether it is known; SIZE_MAX: always */
  bool label;    /* a uint32_t */
};

#define AT(member) offsetof(struct prof_loop_row, member)
#define ALWAYS SIZE_MAX
static const struct field fields[] = {
    {{"function", NULL, PROF_CELL_TEXT}, AT(function), ALWAYS, false},
    {{"inlined_from", NULL, PROF_CELL_TEXT}, AT(inlined), ALWAYS, false},
    {{"file", NULL, PROF_CELL_TEXT}, AT(file), ALWAYS, false},
    {{"line", NULL, PROF_CELL_COUNT}, AT(line), ALWAYS, true},
    {{"last_line", NULL, PROF_CELL_COUNT}, AT(last_line), ALWAYS, true},
    {{"depth", NULL, PROF_CELL_COUNT}, AT(depth), ALWAYS, true},
    {{"level", NULL, PROF_CELL_COUNT}, AT(level), ALWAYS, true},
    {{"entries", "ENTRIES", PROF_CELL_COUNT}, AT(entries), AT(has_entries), false},
    {{"empty_entries", NULL, PROF_CELL_COUNT}, AT(empty_entries), AT(has_times), false},
    {{"unknown_entries", NULL, PROF_CELL_COUNT}, AT(unknown_entries), AT(has_times), false},
    {{"iterations", "ITERATIONS", PROF_CELL_COUNT}, AT(iterations), AT(has_iterations), false},
    {{"min_iterations", "MIN", PROF_CELL_COUNT}, AT(min_iterations), AT(has_range), false},
    {{"avg_iterations", "AVG", PROF_CELL_MEAN}, AT(avg_iterations), AT(has_mean), false},
    {{"max_iterations", "MAX", PROF_CELL_COUNT}, AT(max_iterations), AT(has_range), false},
    {{"total_ns", "TOTAL", PROF_CELL_NS}, AT(total_ns), AT(has_times), false},
    {{"self_ns", "SELF", PROF_CELL_NS}, AT(self_ns), AT(has_times), false},
    {{"error_ns", NULL, PROF_CELL_NS}, AT(error_ns), AT(has_times), false},
    {{"min_ns", NULL, PROF_CELL_NS}, AT(min_ns), AT(has_times), false},
    {{"max_ns", NULL, PROF_CELL_NS}, AT(max_ns), AT(has_times), false},
    {{"ns_per_iteration", "EACH", PROF_CELL_PART}, AT(each_ns), AT(has_each), false},
    {{"self_share", "SELF%", PROF_CELL_SHARE}, AT(self_share), AT(has_times), false},
    {{"total_share", NULL, PROF_CELL_SHARE}, AT(total_share), AT(has_times), false},
};
#define FIELD_COUNT (sizeof fields / sizeof *fields)

static void add_cell(struct prof_table *table, const struct field *field, const struct prof_loop_row *row) {
  const char *value = (const char *)row + field->offset;
  if (field->known != ALWAYS && !*(const bool *)((const char *)row + field->known))
    prof_table_unknown(table);
  else if (field->label)
    prof_table_count(table, *(const uint32_t *)(const void *)value);
  else if (field->column.kind == PROF_CELL_TEXT)
    prof_table_text(table, *(const char *const *)(const void *)value);
  else if (field->column.kind == PROF_CELL_COUNT || field->column.kind == PROF_CELL_NS)
    prof_table_count(table, *(const uint64_t *)(const void *)value);
  else
    prof_table_share(table, *(const double *)(const void *)value);
}

/* Indented by what it is in. */
static void add_place(struct prof_table *table, const struct prof_reader *reader, const struct prof_loop_row *row) {
  char text[PROF_LOOP_TEXT_BYTES + 64 + PROF_LOOP_FACTS_BYTES], facts[PROF_LOOP_FACTS_BYTES];
  int indent = (int)(row->level < 20 ? 2 * row->level : 40);
  snprintf(text, sizeof text, "%*s", indent, "");
  prof_loop_text(row, reader, text + indent, PROF_LOOP_TEXT_BYTES);
  prof_loop_facts(row, facts, sizeof facts);
  if (facts[0])
    snprintf(text + strlen(text), sizeof facts + 4, " [%s]", facts);
  prof_table_text(table, text);
}

static struct prof_table *make_table(const struct prof_reader *reader, const struct prof_loop_rows *rows, size_t count,
                                     bool table, struct prof_column columns[FIELD_COUNT + 1]) {
  const struct field *chosen[FIELD_COUNT];
  size_t chosen_count = 0, column_count;
  for (size_t i = 0; i < FIELD_COUNT; i++)
    if (!table || fields[i].column.title) {
      columns[chosen_count] = fields[i].column;
      chosen[chosen_count++] = &fields[i];
    }
  column_count = chosen_count;
  columns[column_count++] =
      table ? (struct prof_column){NULL, "LOOP", PROF_CELL_TEXT} : (struct prof_column){"facts", NULL, PROF_CELL_TEXT};
  struct prof_table *made = prof_table_new(columns, column_count);
  for (size_t i = 0; i < count && made; i++) {
    char facts[PROF_LOOP_FACTS_BYTES];
    for (size_t j = 0; j < chosen_count; j++)
      add_cell(made, chosen[j], &rows->rows[i]);
    if (table)
      add_place(made, reader, &rows->rows[i]);
    else
      prof_table_text(made, prof_loop_facts(&rows->rows[i], facts, sizeof facts));
  }
  return made;
}

/* ---- the command ---- */

/* What the rows leave out, below them. */
static void show_rest(const struct prof_loop_rows *rows, size_t count, FILE *file) {
  uint64_t empty = 0, unknown = 0;
  bool uncounted = false;
  for (size_t i = 0; i < rows->count; i++) {
    empty += rows->rows[i].empty_entries;
    unknown += rows->rows[i].unknown_entries;
    uncounted |= !rows->rows[i].has_times;
  }
  if (count < rows->count)
    fprintf(file, "... and %zu more loop%s: -n 0 shows all\n", rows->count - count,
            rows->count - count == 1 ? "" : "s");
  if (uncounted)
    fputs("-: not known: loops in a probed loop are counted without times (-fplugin-arg-prof-loops=all times them)\n",
          file);
  if (empty)
    fprintf(file, "entries without iteration: %llu; they are among ENTRIES, not in MIN and AVG\n",
            (unsigned long long)empty);
  if (unknown)
    fprintf(file, "entries that did not tell their iterations, as they were cut off: %llu\n",
            (unsigned long long)unknown);
}

static void show_json(const struct prof_table *table, const struct prof_loop_rows *rows, const struct prof_cover *cover,
                      FILE *file) {
  struct prof_json json;
  prof_json_init(&json, file, 2);
  prof_json_object(&json, NULL);
  prof_json_bool(&json, "corrected", prof_cover_is_corrected(cover));
  prof_table_json(table, &json, "loops");
  prof_json_count(&json, "never_entered", rows->never_entered);
  prof_cover_json(cover, &json, "cover");
  prof_json_object_end(&json);
}

static prof_status show(const struct settings *settings, const struct prof_reader *reader,
                        const struct prof_profile *profile, const struct prof_loop_rows *rows,
                        const struct prof_output *output, struct prof_diag *diag) {
  bool table = settings->common.format == PROF_FORMAT_TABLE;
  uint64_t limit = settings->has_count ? settings->count : table ? DEFAULT_ROWS : 0;
  size_t count = limit && limit < rows->count ? (size_t)limit : rows->count;
  struct prof_column columns[FIELD_COUNT + 1];
  struct prof_table *made = make_table(reader, rows, count, table, columns);
  if (!made || prof_table_failed(made)) {
    prof_table_free(made);
    return prof_diag_memory(diag);
  }
  struct prof_cover cover;
  prof_cover_of(profile, &cover);
  if (table) {
    prof_cover_lines(&cover, output);
    prof_table_print(made, output->file, &output->style);
    show_rest(rows, count, output->file);
  } else if (settings->common.format == PROF_FORMAT_JSON) {
    show_json(made, rows, &cover, output->file);
  } else {
    prof_table_csv(made, output->file);
  }
  prof_table_free(made);
  return PROF_OK;
}

/* Why there are no rows: nothing was compiled for them, or none ran. */
static prof_status nothing(const struct prof_reader *reader, const struct prof_loop_rows *rows,
                           struct prof_diag *diag) {
  size_t loop_count;
  prof_trace_loops(reader->trace, &loop_count);
  if (loop_count == 0)
    return prof_diag_fill(diag, PROF_EMPTY, prof_trace_info(reader->trace)->path, PROF_NO_OFFSET,
                          "compile it with -fplugin-arg-prof-loops=outer, or put `#pragma prof loop` before one",
                          "no loop of this program has probes");
  return prof_diag_fill(diag, PROF_EMPTY, prof_trace_info(reader->trace)->path, PROF_NO_OFFSET,
                        "ask for more: other functions (-F, -N), threads (--tid), a longer --range",
                        "no loop ran in what is shown; %llu with probes did not",
                        (unsigned long long)rows->never_entered);
}

static prof_status loops(const struct settings *settings, const struct prof_reader *reader, int *result,
                         struct prof_diag *diag) {
  struct prof_profile *profile = NULL;
  struct prof_loop_rows rows = {0};
  struct prof_output output;
  prof_status status = prof_reader_fold(reader, &profile, diag);
  if (status == PROF_OK)
    status = prof_loops_rank(profile, reader->names, settings->sort, diag, &rows);
  if (status == PROF_OK && rows.count == 0)
    status = nothing(reader, &rows, diag);
  if (status == PROF_OK) {
    prof_output_begin(&output, &settings->common);
    prof_reader_warn(reader, &output);
    status = show(settings, reader, profile, &rows, &output, diag);
    *result = prof_output_end(&output);
  }
  prof_loops_free(&rows);
  prof_profile_free(profile);
  return status;
}

static int run(void *argument, int argc, char **argv) {
  struct settings *settings = argument;
  struct prof_reader reader;
  struct prof_diag diag;
  int result = PROF_EXIT_OK;
  if (argc) {
    prof_command_usage(&diag, "the recording is named by -i DIR; the loops of one function: -F NAME -D 1",
                       "what is '%s'?", argv[0]);
    return prof_command_fail(&diag);
  }
  settings->common.loops_apart = true;
  prof_status status = prof_reader_open(&reader, &settings->common, &diag);
  if (status == PROF_OK) {
    status = loops(settings, &reader, &result, &diag);
    prof_reader_close(&reader);
  }
  return status == PROF_OK ? result : prof_command_fail(&diag);
}

static prof_status take_sort(void *settings, const char *value, struct prof_diag *diag) {
  int index = 0;
  prof_status status = prof_value_word("--sort", value, sorts, &index, diag);
  ((struct settings *)settings)->sort = (enum prof_loop_sort)index;
  return status;
}

static prof_status take_count(void *argument, const char *value, struct prof_diag *diag) {
  struct settings *settings = argument;
  settings->has_count = true;
  return prof_value_count("-n", value, 0, UINT64_MAX, &settings->count, diag);
}

static const struct prof_option options[] = {
    {"sort", 's', "KEY", "self (default), total, entries, iterations, each or line", take_sort},
    {"rows", 'n', "N", "at most N rows; 0: all (default: 20 in a table, else all)", take_count},
    {0},
};

const struct prof_command prof_command_loops = {
    .name = "loops",
    .summary = "Show what each loop cost: entries, iterations, times",
    .group = "Look",
    .options = options,
    .filters = true,
    .settings_bytes = sizeof(struct settings),
    .run = run,
};
