/*
 * tools/command/decide/diff_show.c - see diff_show.h.
 */
#include "command/decide/diff_show.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/text.h"
#include "base/whole.h"
#include "names/apart.h"
#include "view/units.h"

#define NOTE_BYTES 512
#define MANY_RUNS 1000u    /* nobody makes so many */
#define MANY_STRANGERS 0.5 /* of a side's time in functions that the other doesn't have: warns */

const char *prof_change_text(char out[PROF_CHANGE_BYTES], double ratio) {
  const double percent = (ratio - 1) * 100;
  if (ratio >= 10)
    snprintf(out, PROF_CHANGE_BYTES, "%.3g times", fmin(ratio, 1e9));
  else
    snprintf(out, PROF_CHANGE_BYTES,
             fabs(percent) < 0.05   ? "0.0%%"
             : fabs(percent) < 9.95 ? "%+.1f%%"
                                    : "%+.0f%%",
             percent);
  return out;
}

const char *prof_change_interval(char out[PROF_CHANGE_BYTES], double low, double high) {
  char texts[2][PROF_CHANGE_BYTES];
  if (low <= 0 || !isfinite(high))
    return strcpy(out, "-");
  snprintf(out, PROF_CHANGE_BYTES, "%.25s to %.25s", prof_change_text(texts[0], low), prof_change_text(texts[1], high));
  return out;
}

static const char *count_text(char out[PROF_UNITS_BYTES], double calls) {
  return prof_units_count(out, prof_whole(calls + 0.5));
}

/* ---- the notes of a row ---- */

static void note_guess(const struct prof_diff_row *row, char *out, size_t bytes) {
  char name[200];
  static const char *const texts[] = {
      [PROF_GUESS_RENAMED] = "perhaps renamed: was %s",
      [PROF_GUESS_INLINED] = "with %s, perhaps inlined here now",
      [PROF_GUESS_OUTLINED] = "with %s, perhaps no longer inlined here",
  };
  if (row->guess == PROF_GUESS_NONE)
    return;
  prof_text_escape(name, sizeof name, row->guess_name, strlen(row->guess_name));
  const size_t used = strlen(out);
  snprintf(out + used, bytes - used, "%s", used ? "; " : "");
  const size_t at = strlen(out);
  snprintf(out + at, bytes - at, texts[row->guess], name);
}

static const char *note_of(const struct prof_diff_row *row, double same, char out[NOTE_BYTES]) {
  char was[PROF_UNITS_BYTES], is[PROF_UNITS_BYTES];
  const char *longer = row->by_samples ? ", or longer ones," : "";
  out[0] = 0;
  if (row->why == PROF_WHY_ONE_SIDE && !row->verdict)
    snprintf(out, NOTE_BYTES, "only in %s", row->runs[PROF_OLD] ? "OLD" : "NEW");
  else if (row->other_work)
    snprintf(out, NOTE_BYTES, "other work: %s calls, were %s", count_text(is, row->calls[PROF_NEW]),
             count_text(was, row->calls[PROF_OLD]));
  else if (row->why == PROF_WHY_SOME_RUNS && !row->verdict)
    snprintf(out, NOTE_BYTES, "not in every run");
  else if (row->why == PROF_WHY_NOISE && !row->verdict && row->runs_needed > MANY_RUNS)
    snprintf(out, NOTE_BYTES, "over %u runs a side%s would be needed for %.3g%%", MANY_RUNS, longer, same * 100);
  else if (row->why == PROF_WHY_NOISE && !row->verdict && row->runs_needed)
    snprintf(out, NOTE_BYTES, "about %zu runs a side%s would show %.3g%%", row->runs_needed, longer, same * 100);
  note_guess(row, out, NOTE_BYTES);
  return out;
}

static const char *verdict_text(const struct prof_diff_row *row) {
  const bool one_side = row->why == PROF_WHY_ONE_SIDE && !row->verdict;
  return !one_side ? prof_verdict_words[row->verdict] : row->runs[PROF_OLD] ? "gone" : "new";
}

/* ---- table ---- */

static void add_number(struct prof_table *table, double number, bool known) {
  if (known)
    prof_table_count(table, prof_whole(number + 0.5));
  else
    prof_table_unknown(table);
}

/* Of each row shown, the name in tables: functions of one name have their files too.  Free it with free. */
static const char **names_of(const struct prof_diff *diff, size_t count, struct prof_arena *texts) {
  struct prof_apart_name *items = calloc(count + 1, sizeof *items);
  const char **names = calloc(count + 1, sizeof *names);
  size_t functions = 0;
  for (uint32_t i = 0; items && names && i < count; i++) {
    const struct prof_diff_row *row = &diff->rows.items[i];
    names[i] = row->name;
    if (!strcmp(row->kind, prof_run_kind_words[PROF_RUN_FUNCTION]))
      items[functions++] =
          (struct prof_apart_name){.name = row->name,
                                   .file = row->file ? row->file : "",
                                   .module = "",
                                   .line = row->line[PROF_NEW] ? row->line[PROF_NEW] : row->line[PROF_OLD],
                                   .function = i};
  }
  if (items && names && prof_apart_fill(items, functions, texts))
    for (size_t i = 0; i < functions; i++)
      names[items[i].function] = items[i].apart;
  free(items);
  return names;
}

static void add_row(struct prof_table *table, const struct prof_diff_row *row, const char *name, double same) {
  char change[PROF_CHANGE_BYTES], interval[PROF_CHANGE_BYTES], note[NOTE_BYTES], kind[64];
  snprintf(kind, sizeof kind, "%s%s", row->kind, row->metric == PROF_DIFF_WAITING ? ", waiting" : "");
  prof_table_text(table, verdict_text(row));
  prof_table_text(table, row->has_ratio ? prof_change_text(change, row->ratio) : "-");
  prof_table_text(table, row->has_ratio ? prof_change_interval(interval, row->low, row->high) : "-");
  for (int side = 0; side < 2; side++)
    add_number(table, row->self_ns[side], row->runs[side]);
  add_number(table, row->calls[PROF_NEW], row->runs[PROF_NEW] && row->calls[PROF_NEW] > 0);
  prof_table_text(table, kind);
  prof_table_text(table, name);
  prof_table_text(table, note_of(row, same, note));
}

static void show_head(const struct prof_diff *diff, const struct prof_run_group groups[2], double same,
                      const struct prof_output *output) {
  char line[1024], change[PROF_CHANGE_BYTES], interval[PROF_CHANGE_BYTES], note[NOTE_BYTES];
  const struct prof_diff_row *program = &diff->program;
  if (program->has_ratio) {
    note_of(program, same, note);
    snprintf(line, sizeof line, "%s: running time %s (%s), %zu and %zu runs%s%s", prof_verdict_words[program->verdict],
             prof_change_text(change, program->ratio), prof_change_interval(interval, program->low, program->high),
             groups[0].count, groups[1].count, note[0] ? "; " : "", note);
  } else if (diff->modes_differ) {
    snprintf(line, sizeof line,
             "unknown: the two sides were recorded in different ways; only exact calls are compared");
  } else {
    snprintf(line, sizeof line, "unknown: %zu and %zu runs; 3 or more a side are needed to judge times",
             groups[0].count, groups[1].count);
  }
  prof_output_wrap(output, line, 2);
  if (!diff->has_everything)
    return;
  snprintf(line, sizeof line, "rows are relative to what all have in common: %s (%s)",
           prof_change_text(change, diff->everything.ratio),
           prof_change_interval(interval, diff->everything.low, diff->everything.high));
  prof_output_wrap(output, line, 2);
}

static void show_hidden(size_t hidden, const struct prof_output *output) {
  char number[PROF_UNITS_BYTES];
  if (hidden)
    fprintf(output->file, "... and %s more %s: -n 0 shows all\n", prof_units_count(number, hidden),
            hidden == 1 ? "row" : "rows");
}

/* Below the tables: what a reader should know of the two sides. */
static void show_foot(const struct prof_diff *diff, const struct prof_output *output) {
  char number[PROF_UNITS_BYTES], line[512];
  if (diff->cold)
    fprintf(output->file, "%s %s under the least share: not compared (--min-share)\n",
            prof_units_count(number, diff->cold), diff->cold == 1 ? "row" : "rows");
  if (diff->memory_differs)
    fprintf(output->file, "not all were recorded with --memory: allocations are not compared\n");
  if (diff->machines_differ)
    fprintf(output->file, "recorded on different machines: a change may be theirs\n");
  if (diff->incomplete)
    fprintf(output->file, "a recording is incomplete: prof info says what is missing\n");
  for (int side = 0; side < 2; side++)
    if (diff->strange[side] > MANY_STRANGERS) {
      snprintf(line, sizeof line, "%.0f%% of the time of %s is in functions that the other side lacks: two programs?",
               100 * diff->strange[side], side == PROF_OLD ? "OLD" : "NEW");
      prof_output_wrap(output, line, 2);
    }
}

/* ---- table of memory ---- */

static const char *amount_text(char out[PROF_UNITS_BYTES], const struct prof_diff_row *row, int side) {
  const uint64_t amount = prof_whole(row->amount[side] + 0.5);
  return !row->runs[side]                       ? "-"
         : row->metric == PROF_DIFF_ALLOCATIONS ? prof_units_count(out, amount)
                                                : prof_units_bytes(out, amount);
}

static const char *memory_verdict_text(const struct prof_diff_row *row) {
  return row->verdict == PROF_VERDICT_SLOWER   ? "more"
         : row->verdict == PROF_VERDICT_FASTER ? "less"
                                               : verdict_text(row);
}

static void add_memory_row(struct prof_table *table, const struct prof_diff_row *row, double same) {
  char change[PROF_CHANGE_BYTES], interval[PROF_CHANGE_BYTES], note[NOTE_BYTES], amount[PROF_UNITS_BYTES];
  const bool exact = row->calls_constant[0] && row->calls_constant[1];
  const char *kind = !strcmp(row->kind, prof_run_kind_words[PROF_RUN_MEMORY])        ? "function"
                     : !strcmp(row->kind, prof_run_kind_words[PROF_RUN_MEMORY_LINE]) ? "line"
                                                                                     : row->kind;
  prof_table_text(table, memory_verdict_text(row));
  prof_table_text(table, row->has_ratio ? prof_change_text(change, row->ratio) : "-");
  prof_table_text(table, !row->has_ratio ? "-" : exact ? "exact" : prof_change_interval(interval, row->low, row->high));
  for (int side = 0; side < 2; side++)
    prof_table_text(table, amount_text(amount, row, side));
  prof_table_text(table, prof_diff_metric_words[row->metric]);
  prof_table_text(table, kind);
  prof_table_text(table, row->name);
  prof_table_text(table, exact && row->runs[0] && row->runs[1] ? "" : note_of(row, same, note));
}

static bool show_memory(const struct prof_diff *diff, size_t rows, double same, const struct prof_output *output) {
  static const struct prof_column columns[] = {
      {NULL, "MEMORY", PROF_CELL_TEXT},       {NULL, "CHANGE", PROF_CELL_TEXT},
      {NULL, "95% INTERVAL", PROF_CELL_TEXT}, {NULL, "OLD", PROF_CELL_TEXT},
      {NULL, "NEW", PROF_CELL_TEXT},          {NULL, "OF", PROF_CELL_TEXT},
      {NULL, "KIND", PROF_CELL_TEXT, 0, 1},   {NULL, "NAME", PROF_CELL_TEXT, PROF_CUT_NAME},
      {NULL, "NOTE", PROF_CELL_TEXT},
  };
  const size_t shown = rows && rows < diff->memory.count ? rows : diff->memory.count;
  if (!shown)
    return true;
  struct prof_table *table = prof_table_new(columns, sizeof columns / sizeof *columns);
  for (size_t i = 0; table && i < shown; i++)
    add_memory_row(table, &diff->memory.items[i], same);
  const bool done = table && !prof_table_failed(table);
  if (done) {
    fputc('\n', output->file);
    prof_table_print(table, output->file, &output->style);
    show_hidden(diff->memory.count - shown, output);
  }
  prof_table_free(table);
  return done;
}

prof_status prof_diff_table_show(const struct prof_diff *diff, const struct prof_run_group groups[2], size_t rows,
                                 double same, struct prof_output *output, struct prof_diag *diag) {
  static const struct prof_column columns[] = {
      {NULL, "VERDICT", PROF_CELL_TEXT},      {NULL, "CHANGE", PROF_CELL_TEXT},
      {NULL, "95% INTERVAL", PROF_CELL_TEXT}, {NULL, "OLD SELF", PROF_CELL_NS},
      {NULL, "NEW SELF", PROF_CELL_NS},       {NULL, "CALLS", PROF_CELL_COUNT},
      {NULL, "KIND", PROF_CELL_TEXT, 0, 1},   {NULL, "NAME", PROF_CELL_TEXT, PROF_CUT_NAME},
      {NULL, "NOTE", PROF_CELL_TEXT},
  };
  struct prof_table *table = prof_table_new(columns, sizeof columns / sizeof *columns);
  const size_t shown = rows && rows < diff->rows.count ? rows : diff->rows.count;
  struct prof_arena texts = {0};
  const char **names = names_of(diff, shown, &texts);
  for (size_t i = 0; table && names && i < shown; i++)
    add_row(table, &diff->rows.items[i], names[i], same);
  bool done = names && table && !prof_table_failed(table);
  if (done) {
    show_head(diff, groups, same, output);
    prof_table_print(table, output->file, &output->style);
    show_hidden(diff->rows.count - shown, output);
    done = show_memory(diff, rows, same, output);
  }
  if (done)
    show_foot(diff, output);
  prof_table_free(table);
  free(names);
  prof_arena_fini(&texts);
  return done ? PROF_OK : prof_diag_memory(diag);
}

/* ---- JSON, CSV ---- */

static const char *why_text(const struct prof_diff_row *row) {
  static const char *const words[] = {[PROF_WHY_NOISE] = "noise",
                                      [PROF_WHY_FEW_RUNS] = "few_runs",
                                      [PROF_WHY_ONE_SIDE] = "one_side",
                                      [PROF_WHY_SOME_RUNS] = "not_in_every_run",
                                      [PROF_WHY_MODES] = "recorded_differently"};
  return row->verdict == PROF_VERDICT_UNKNOWN ? words[row->why] : NULL;
}

static void put_number(struct prof_json *json, const char *key, bool known, double value) {
  prof_json_number(json, key, known ? value : (double)NAN);
}

static void put_sides(struct prof_json *json, const struct prof_diff_row *row) {
  static const char *const keys[2][8] = {
      {"old_runs", "old_line", "old_calls", "old_self_ns", "old_p50_ns", "old_p95_ns", "old_p99_ns", "old_amount"},
      {"new_runs", "new_line", "new_calls", "new_self_ns", "new_p50_ns", "new_p95_ns", "new_p99_ns", "new_amount"}};
  const bool memory = row->metric >= PROF_DIFF_TIMES;
  for (int side = 0; side < 2; side++) {
    const double values[] = {row->calls[side], row->self_ns[side], row->p50_ns[side], row->p95_ns[side],
                             row->p99_ns[side]};
    prof_json_count(json, keys[side][0], row->runs[side]);
    prof_json_count(json, keys[side][1], row->line[side]);
    for (int i = 0; i < 5; i++)
      put_number(json, keys[side][2 + i], !memory && row->runs[side] && (i < 2 || values[i] > 0), values[i]);
    if (memory)
      put_number(json, keys[side][7], row->runs[side], row->amount[side]);
  }
}

static void put_row(struct prof_json *json, const struct prof_diff_row *row) {
  prof_json_object(json, NULL);
  prof_json_text(json, "kind", row->kind);
  prof_json_text(json, "name", row->name);
  prof_json_text(json, "verdict", prof_verdict_words[row->verdict]);
  put_number(json, "ratio", row->has_ratio, row->ratio);
  put_number(json, "low", row->has_ratio, row->low);
  put_number(json, "high", row->has_ratio, row->high);
  prof_json_text(json, "metric", prof_diff_metric_words[row->metric]);
  prof_json_text(json, "by",
                 !row->has_ratio || row->metric >= PROF_DIFF_TIMES ? NULL
                 : row->by_median                                  ? "median"
                                                                   : "mean");
  prof_json_text(json, "why", why_text(row));
  if (row->runs_needed)
    prof_json_count(json, "runs_needed", row->runs_needed);
  prof_json_bool(json, "by_samples", row->by_samples);
  prof_json_text(json, "file", row->file);
  prof_json_bool(json, "other_work", row->other_work);
  prof_json_bool(json, "calls_exact", row->calls_constant[0] && row->calls_constant[1]);
  prof_json_number(json, "share", row->share);
  prof_json_number(json, "changed_ns", row->changed_ns);
  put_sides(json, row);
  if (row->guess != PROF_GUESS_NONE) {
    prof_json_text(json, "guess", prof_guess_words[row->guess]);
    prof_json_text(json, "guess_name", row->guess_name);
  }
  prof_json_object_end(json);
}

void prof_diff_json(const struct prof_diff *diff, const struct prof_run_group groups[2], struct prof_json *json) {
  prof_json_text(json, "verdict", prof_verdict_words[diff->program.verdict]);
  prof_json_count(json, "old_runs", groups[PROF_OLD].count);
  prof_json_count(json, "new_runs", groups[PROF_NEW].count);
  prof_json_bool(json, "interleaved", diff->interleaved);
  prof_json_number(json, "margin", diff->margin);
  prof_json_count(json, "tested", diff->tested);
  prof_json_count(json, "called", diff->called);
  prof_json_count(json, "cold_rows", diff->cold);
  prof_json_number(json, "old_only_share", diff->strange[PROF_OLD]);
  prof_json_number(json, "new_only_share", diff->strange[PROF_NEW]);
  prof_json_bool(json, "machines_differ", diff->machines_differ);
  prof_json_bool(json, "commands_differ", diff->commands_differ);
  prof_json_bool(json, "recorded_differently", diff->modes_differ);
  prof_json_bool(json, "memory_differs", diff->memory_differs);
  prof_json_bool(json, "incomplete", diff->incomplete);
  prof_json_array(json, "rows");
  put_row(json, &diff->program);
  if (diff->has_everything)
    put_row(json, &diff->everything);
  for (size_t i = 0; i < diff->rows.count; i++)
    put_row(json, &diff->rows.items[i]);
  for (size_t i = 0; i < diff->memory.count; i++)
    put_row(json, &diff->memory.items[i]);
  prof_json_array_end(json);
}

static const struct prof_diff_row *row_at(const struct prof_diff *diff, size_t at) {
  return at == 0                  ? &diff->program
         : at <= diff->rows.count ? &diff->rows.items[at - 1]
                                  : &diff->memory.items[at - 1 - diff->rows.count];
}

static void add_csv_row(struct prof_table *table, const struct prof_diff_row *row) {
  const double ratios[] = {row->ratio, row->low, row->high};
  const bool memory = row->metric >= PROF_DIFF_TIMES;
  prof_table_text(table, row->kind);
  prof_table_text(table, row->name);
  prof_table_text(table, prof_diff_metric_words[row->metric]);
  prof_table_text(table, prof_verdict_words[row->verdict]);
  for (int i = 0; i < 3; i++)
    if (row->has_ratio)
      prof_table_share(table, ratios[i]);
    else
      prof_table_unknown(table);
  for (int i = 0; i < 4; i++)
    add_number(table, i < 2 ? row->self_ns[i] : row->calls[i - 2], row->runs[i % 2] && !memory);
  for (int side = 0; side < 2; side++)
    add_number(table, row->amount[side], row->runs[side] && memory);
}

prof_status prof_diff_csv(const struct prof_diff *diff, FILE *file, struct prof_diag *diag) {
  static const struct prof_column columns[] = {
      {"kind", NULL, PROF_CELL_TEXT},       {"name", NULL, PROF_CELL_TEXT},       {"metric", NULL, PROF_CELL_TEXT},
      {"verdict", NULL, PROF_CELL_TEXT},    {"ratio", NULL, PROF_CELL_MEAN},      {"low", NULL, PROF_CELL_MEAN},
      {"high", NULL, PROF_CELL_MEAN},       {"old_self_ns", NULL, PROF_CELL_NS},  {"new_self_ns", NULL, PROF_CELL_NS},
      {"old_calls", NULL, PROF_CELL_COUNT}, {"new_calls", NULL, PROF_CELL_COUNT}, {"old_amount", NULL, PROF_CELL_COUNT},
      {"new_amount", NULL, PROF_CELL_COUNT}};
  struct prof_table *table = prof_table_new(columns, sizeof columns / sizeof *columns);
  for (size_t i = 0; table && i < 1 + diff->rows.count + diff->memory.count; i++)
    add_csv_row(table, row_at(diff, i));
  const bool done = table && !prof_table_failed(table);
  if (done)
    prof_table_csv(table, file);
  prof_table_free(table);
  return done ? PROF_OK : prof_diag_memory(diag);
}
