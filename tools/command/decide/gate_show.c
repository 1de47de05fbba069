/*
 * tools/command/decide/gate_show.c - see gate_show.h.
 *
 * Every form shows the same checks: each limit, each regression, each row that could not be judged, or that nothing is
 * slower.
 */
#include "command/decide/gate_show.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/diag.h"
#include "base/json.h"
#include "base/text.h"
#include "base/vec.h"
#include "base/whole.h"
#include "command/decide/diff_show.h"
#include "command/options/suggest.h"
#include "view/flame_page.h"
#include "view/units.h"

#define TEXT_BYTES 768
#define MANY_RUNS 1000u /* nobody makes so many */

struct check {
  enum prof_gate_result result;
  char title[TEXT_BYTES], detail[TEXT_BYTES]; /* fit for a terminal */
  const char *file;                           /* "": none */
  uint32_t line;
};
typedef PROF_VEC(struct check) checks;

/* ---- texts ---- */

static void put_value(enum prof_limit_unit unit, bool relative, double value, char *out, size_t bytes) {
  char text[PROF_UNITS_BYTES];
  if (relative)
    snprintf(out, bytes, "%.3gx baseline", value);
  else if (unit == PROF_LIMIT_SHARE)
    snprintf(out, bytes, "%.3g%%", value * 100);
  else if (unit == PROF_LIMIT_TIME)
    snprintf(out, bytes, "%s", prof_units_duration(text, prof_whole(value + 0.5)));
  else if (unit == PROF_LIMIT_BYTES)
    snprintf(out, bytes, "%s", prof_units_bytes(text, prof_whole(value + 0.5)));
  else if (value == floor(value))
    snprintf(out, bytes, "%s", prof_units_count(text, prof_whole(value)));
  else
    snprintf(out, bytes, "%.6g", value);
}

/* The row's name that is nearest to one that no row has. */
static const char *near_name(const struct prof_limit *limit, const struct prof_run_group *runs) {
  struct prof_suggest suggest;
  prof_suggest_init(&suggest, limit->name);
  for (size_t i = 0; i < runs->runs[0].rows.count; i++)
    prof_suggest_offer(&suggest, runs->runs[0].rows.items[i].name);
  return suggest.best;
}

static void say_why(const struct prof_gate_shown *shown, const struct prof_limit *limit,
                    const struct prof_limit_checked *checked, char *out) {
  static const char *const texts[] = {
      [PROF_LIMIT_NOISE] = "the interval holds the limit: more runs would tell",
      [PROF_LIMIT_FEW_RUNS] = "3 runs or more are needed to judge it",
      [PROF_LIMIT_NO_BASELINE] = "the baseline doesn't have it",
      [PROF_LIMIT_NOT_RECORDED] = "it is not known in every run",
      [PROF_LIMIT_OTHER_MODE] = "the baseline is of another machine or way of recording",
  };
  if (checked->why != PROF_LIMIT_NO_MATCH) {
    snprintf(out, TEXT_BYTES, "%s", texts[checked->why]);
    return;
  }
  const char *name = near_name(limit, &shown->groups[PROF_NEW]);
  char escaped[TEXT_BYTES / 2] = "";
  if (name)
    prof_text_escape(escaped, sizeof escaped, name, strlen(name));
  snprintf(out, TEXT_BYTES, "no function or zone has this name%s%s%s", name ? "; did you mean " : "", escaped,
           name ? "?" : "");
}

static void describe_limit(const struct prof_gate_shown *shown, const struct prof_limit *limit,
                           const struct prof_limit_checked *checked, struct check *out) {
  char value[96], low[96], high[96], why[TEXT_BYTES] = "", name[TEXT_BYTES / 3] = "";
  *out = (struct check){.result = checked->result, .file = checked->file, .line = checked->line};
  prof_text_escape(out->title, sizeof out->title, limit->text, strlen(limit->text));
  if (checked->result == PROF_GATE_UNKNOWN)
    say_why(shown, limit, checked, why);
  if (!checked->has_value) {
    snprintf(out->detail, sizeof out->detail, "%s", why);
    return;
  }
  put_value(checked->unit, limit->of_baseline, checked->value, value, sizeof value);
  put_value(checked->unit, limit->of_baseline, checked->low, low, sizeof low);
  put_value(checked->unit, limit->of_baseline, checked->high, high, sizeof high);
  if (checked->name[0] && strcmp(checked->name, limit->name) != 0)
    prof_text_escape(name, sizeof name, checked->name, strlen(checked->name));
  snprintf(out->detail, sizeof out->detail, "%s%s%s", name, name[0] ? ": " : "", value);
  size_t used = strlen(out->detail);
  if (!checked->exact)
    snprintf(out->detail + used, sizeof out->detail - used, " (%s to %s)", low, high);
  used = strlen(out->detail);
  if (why[0])
    snprintf(out->detail + used, sizeof out->detail - used, "; %.300s", why);
}

/* More of it: by the interval, or exactly. */
static void describe_memory(const struct prof_diff_row *row, const char *name, struct check *out) {
  char change[PROF_CHANGE_BYTES], interval[PROF_CHANGE_BYTES], was[96], is[96];
  const enum prof_limit_unit unit = row->metric == PROF_DIFF_ALLOCATIONS ? PROF_LIMIT_COUNT : PROF_LIMIT_BYTES;
  static const char *const texts[] = {[PROF_DIFF_ALLOCATIONS] = "allocates more often",
                                      [PROF_DIFF_BYTES] = "allocates more bytes",
                                      [PROF_DIFF_PEAK] = "has more memory at the peak"};
  const bool program = !strcmp(row->kind, "program");
  snprintf(out->title, sizeof out->title, "%s %s %s",
           program                                                         ? "program"
           : !strcmp(row->kind, prof_run_kind_words[PROF_RUN_MEMORY_LINE]) ? "line"
                                                                           : "function",
           name, texts[row->metric]);
  put_value(unit, false, round(row->amount[PROF_NEW]), is, sizeof is);
  put_value(unit, false, round(row->amount[PROF_OLD]), was, sizeof was);
  snprintf(out->detail, sizeof out->detail, "%s, was %s", is, was);
  const size_t used = strlen(out->detail);
  if (row->has_ratio && !row->other_work)
    snprintf(out->detail + used, sizeof out->detail - used, ": %s (%s)", prof_change_text(change, row->ratio),
             prof_change_interval(interval, row->low, row->high));
}

static void describe_regression(const struct prof_diff_row *row, struct check *out) {
  char name[TEXT_BYTES / 2], change[PROF_CHANGE_BYTES], interval[PROF_CHANGE_BYTES], was[PROF_UNITS_BYTES],
      is[PROF_UNITS_BYTES];
  *out = (struct check){.result = PROF_GATE_BROKEN, .file = row->file, .line = row->line[PROF_NEW]};
  prof_text_escape(name, sizeof name, row->name, strlen(row->name));
  if (row->metric >= PROF_DIFF_TIMES) {
    describe_memory(row, name, out);
    return;
  }
  if (row->verdict == PROF_VERDICT_SLOWER) {
    snprintf(out->title, sizeof out->title, "%s %s is slower%s", row->kind, name,
             row->metric == PROF_DIFF_WAITING ? ": it waits longer" : "");
    snprintf(out->detail, sizeof out->detail, "%s (%s)", prof_change_text(change, row->ratio),
             prof_change_interval(interval, row->low, row->high));
    return;
  }
  snprintf(out->title, sizeof out->title, "%s %s has more calls", row->kind, name);
  snprintf(out->detail, sizeof out->detail, "%s, was %s", prof_units_count(is, prof_whole(row->calls[PROF_NEW] + 0.5)),
           prof_units_count(was, prof_whole(row->calls[PROF_OLD] + 0.5)));
}

/* A row whose noise hides whether it is slower, and how many runs would tell. */
static void describe_unjudged(const struct prof_diff_row *row, struct check *out) {
  char name[TEXT_BYTES / 2], change[PROF_CHANGE_BYTES], interval[PROF_CHANGE_BYTES], needed[64] = "";
  *out = (struct check){.result = PROF_GATE_UNKNOWN, .file = row->file, .line = row->line[PROF_NEW]};
  prof_text_escape(name, sizeof name, row->name, strlen(row->name));
  snprintf(out->title, sizeof out->title, "%s %s is no slower", row->kind, name);
  if (row->runs_needed && row->runs_needed <= MANY_RUNS)
    snprintf(needed, sizeof needed, "; about %zu runs a side would tell", row->runs_needed);
  snprintf(out->detail, sizeof out->detail, "%s (%s): too noisy%s", prof_change_text(change, row->ratio),
           prof_change_interval(interval, row->low, row->high), needed);
}

/* That nothing is slower, or can't be judged. */
static void describe_diff(const struct prof_gate *gate, struct check *out) {
  static const char *const doubts[] = {
      [PROF_DOUBT_FEW_RUNS] = "3 runs or more a side are needed",
      [PROF_DOUBT_MACHINE] = "the baseline is of another machine",
      [PROF_DOUBT_MODE] = "the baseline was recorded in another way",
      [PROF_DOUBT_STRANGER] = "the baseline is of another program",
  };
  *out = (struct check){.result = gate->doubt ? PROF_GATE_UNKNOWN : PROF_GATE_KEPT, .file = ""};
  snprintf(out->title, sizeof out->title, "nothing is slower than the baseline");
  if (gate->doubt)
    snprintf(out->detail, sizeof out->detail, "%s", doubts[gate->doubt]);
  else
    snprintf(out->detail, sizeof out->detail, "%zu %s compared", gate->diff.tested,
             gate->diff.tested == 1 ? "row" : "rows");
}

/* false: no memory. */
static bool describe(const struct prof_gate_shown *shown, checks *out) {
  const struct prof_gate *gate = shown->gate;
  struct check check;
  for (size_t i = 0; i < gate->limits.count; i++) {
    describe_limit(shown, &shown->rules->limits.items[i], &gate->limits.items[i], &check);
    if (!prof_vec_push(out, check))
      return false;
  }
  for (size_t i = 0; i < gate->regressions.count; i++) {
    describe_regression(gate->regressions.items[i], &check);
    if (!prof_vec_push(out, check))
      return false;
  }
  for (size_t i = 0; i < gate->unjudged.count; i++) {
    describe_unjudged(gate->unjudged.items[i], &check);
    if (!prof_vec_push(out, check))
      return false;
  }
  if (gate->has_diff && ((!gate->regressions.count && !gate->unjudged.count) || gate->doubt)) {
    describe_diff(gate, &check);
    return prof_vec_push(out, check);
  }
  return true;
}

/* ---- forms ---- */

static bool show_table(const struct prof_gate *gate, const checks *all, const struct prof_output *output) {
  static const struct prof_column columns[] = {
      {NULL, "RESULT", PROF_CELL_TEXT}, {NULL, "RULE", PROF_CELL_TEXT}, {NULL, "MEASURED", PROF_CELL_TEXT}};
  struct prof_table *table = prof_table_new(columns, sizeof columns / sizeof *columns);
  for (size_t i = 0; table && i < all->count; i++) {
    prof_table_text(table, prof_gate_result_words[all->items[i].result]);
    prof_table_text(table, all->items[i].title);
    prof_table_text(table, all->items[i].detail);
  }
  const bool done = table && !prof_table_failed(table);
  if (done) {
    fprintf(output->file, "%s\n", prof_gate_result_words[gate->result]);
    prof_table_print(table, output->file, &output->style);
  }
  prof_table_free(table);
  return done;
}

static void show_json(const struct prof_gate_shown *shown, const checks *all, FILE *file) {
  struct prof_json json;
  prof_json_init(&json, file, 2);
  prof_json_object(&json, NULL);
  prof_json_text(&json, "result", prof_gate_result_words[shown->gate->result]);
  prof_json_count(&json, "runs", shown->groups[PROF_NEW].count);
  prof_json_count(&json, "baseline_runs", shown->groups[PROF_OLD].count);
  prof_json_array(&json, "checks");
  for (size_t i = 0; i < all->count; i++) {
    const struct check *check = &all->items[i];
    prof_json_object(&json, NULL);
    prof_json_text(&json, "result", prof_gate_result_words[check->result]);
    prof_json_text(&json, "rule", check->title);
    prof_json_text(&json, "measured", check->detail);
    prof_json_text(&json, "file", check->file);
    prof_json_count(&json, "line", check->line);
    if (i < shown->gate->limits.count) {
      const struct prof_limit_checked *of = &shown->gate->limits.items[i];
      prof_json_number(&json, "value", of->has_value ? of->value : (double)NAN);
      prof_json_number(&json, "low", of->has_value ? of->low : (double)NAN);
      prof_json_number(&json, "high", of->has_value ? of->high : (double)NAN);
      prof_json_number(&json, "limit", of->limit);
    }
    prof_json_object_end(&json);
  }
  prof_json_array_end(&json);
  prof_json_object_end(&json);
}

static void put_xml(FILE *file, const char *text) {
  prof_flame_text(file, text, 0);
}

static size_t count_of(const checks *all, enum prof_gate_result result) {
  size_t count = 0;
  for (size_t i = 0; i < all->count; i++)
    count += all->items[i].result == result;
  return count;
}

static void show_junit(const checks *all, FILE *file) {
  fprintf(file, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
  fprintf(file, "<testsuite name=\"prof gate\" tests=\"%zu\" failures=\"%zu\" errors=\"0\" skipped=\"%zu\">\n",
          all->count, count_of(all, PROF_GATE_BROKEN), count_of(all, PROF_GATE_UNKNOWN));
  for (size_t i = 0; i < all->count; i++) {
    const struct check *check = &all->items[i];
    fputs("<testcase classname=\"prof.gate\" name=\"", file);
    put_xml(file, check->title);
    fputs("\">", file);
    if (check->result != PROF_GATE_KEPT) {
      fputs(check->result == PROF_GATE_BROKEN ? "<failure message=\"" : "<skipped message=\"", file);
      put_xml(file, check->detail);
      fputs("\"/>", file);
    }
    fputs("</testcase>\n", file);
  }
  fputs("</testsuite>\n</testsuites>\n", file);
}

/* A cell of a table in Markdown. */
static void put_markdown(FILE *file, const char *text) {
  for (const char *c = text; *c; c++) {
    if (strchr("\\`*_{}[]<>|#&", *c))
      fputc('\\', file);
    fputc(*c, file);
  }
}

static void show_markdown(const struct prof_gate *gate, const checks *all, FILE *file) {
  fprintf(file, "### prof gate: %s\n\n| result | rule | measured |\n|---|---|---|\n",
          prof_gate_result_words[gate->result]);
  for (size_t i = 0; i < all->count; i++) {
    const struct check *check = &all->items[i];
    fprintf(file, "| %s%s%s | ", check->result == PROF_GATE_BROKEN ? "**" : "", prof_gate_result_words[check->result],
            check->result == PROF_GATE_BROKEN ? "**" : "");
    put_markdown(file, check->title);
    fputs(" | ", file);
    put_markdown(file, check->detail);
    fputs(" |\n", file);
  }
}

/* Of a workflow command: the percent sign and, in properties, the signs that separate them. */
static void put_github(FILE *file, const char *text, bool property) {
  for (const char *c = text; *c; c++)
    if (*c == '%' || *c == '\r' || *c == '\n' || (property && (*c == ':' || *c == ',')))
      fprintf(file, "%%%02X", (unsigned char)*c);
    else
      fputc(*c, file);
}

static void show_github(const checks *all, FILE *file) {
  static const char *const levels[] = {
      [PROF_GATE_KEPT] = "notice", [PROF_GATE_BROKEN] = "error", [PROF_GATE_UNKNOWN] = "warning"};
  for (size_t i = 0; i < all->count; i++) {
    const struct check *check = &all->items[i];
    if (check->result == PROF_GATE_KEPT)
      continue;
    fprintf(file, "::%s ", levels[check->result]);
    if (check->file[0]) {
      fputs("file=", file);
      put_github(file, check->file, true);
      if (check->line)
        fprintf(file, ",line=%u", check->line);
      fputc(',', file);
    }
    fputs("title=", file);
    put_github(file, check->title, true);
    fputs("::", file);
    put_github(file, check->detail, false);
    fputc('\n', file);
  }
}

prof_status prof_gate_show(const struct prof_gate_shown *shown, enum prof_gate_format format,
                           struct prof_output *output, struct prof_diag *diag) {
  checks all = {0};
  bool done = describe(shown, &all);
  if (done && format == PROF_GATE_TABLE)
    done = show_table(shown->gate, &all, output);
  else if (done && format == PROF_GATE_JSON)
    show_json(shown, &all, output->file);
  else if (done && format == PROF_GATE_JUNIT)
    show_junit(&all, output->file);
  else if (done && format == PROF_GATE_MARKDOWN)
    show_markdown(shown->gate, &all, output->file);
  else if (done)
    show_github(&all, output->file);
  prof_vec_fini(&all);
  return done ? PROF_OK : prof_diag_memory(diag);
}
