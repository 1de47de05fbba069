/*
 * tools/command/advise.c - `prof advise`: what could be faster, why, by how much, and how to verify it.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/advise/advice_find.h"
#include "base/diag.h"
#include "base/json.h"
#include "base/text.h"
#include "base/whole.h"
#include "command.h"
#include "export/unfinished.h"
#include "hint.h"
#include "options/common.h"
#include "output.h"
#include "reader.h"
#include "symbols_warn.h"
#include "view/table.h"
#include "view/units.h"

enum { TEXT_BYTES = 2048, INDENT = 3, CODE_INDENT = 7 };

struct settings {
  struct prof_common common;
  const char *remarks;
  double min_share, min_speedup;
  bool has_min_share, has_min_speedup;
  uint64_t count;
  bool has_count, brief;
};

#define DEFAULT_COUNT 10
#define MOST_WAITS 5
#define MUCH_IDLE 0.5
#define MOST_SHOWN 100.0 /* times as fast; more is "over" */

static const char *const priorities[] = {
    [PROF_ADVICE_HIGH] = "high", [PROF_ADVICE_MEDIUM] = "medium", [PROF_ADVICE_LOW] = "low"};

static const char *title_of(const struct prof_advice *advice) {
  return advice->title ? advice->title : advice->rule->title;
}

static const char *whole_of(const struct prof_advice *advice) {
  return advice->of ? advice->of : advice->rule->of;
}

static const char *function_of(const struct prof_reader *reader, const struct prof_advice *advice) {
  return advice->function != PROF_NONE ? prof_names_function(reader->recording.names, advice->function)
         : advice->where               ? advice->where
                                       : "";
}

/* "98.1% of CPU time in this loop; 439.3 steps per lookup" */
static void write_evidence(const struct prof_advice *advice, char *out, size_t bytes) {
  size_t used = 0;
  out[0] = 0;
  for (uint32_t i = 0; i < advice->figure_count && used < bytes; i++) {
    const struct prof_advice_figure *figure = &advice->figures[i];
    char number[PROF_UNITS_BYTES] = "";
    if (figure->unit == PROF_ADVICE_COUNT)
      prof_units_count(number, prof_whole(figure->value));
    else if (figure->unit == PROF_ADVICE_MEAN)
      prof_units_mean(number, figure->value);
    else if (figure->unit == PROF_ADVICE_SHARE)
      prof_units_share(number, figure->value);
    else if (figure->unit == PROF_ADVICE_NS)
      prof_units_part(number, figure->value);
    else if (figure->unit == PROF_ADVICE_BYTES)
      prof_units_bytes(number, prof_whole(figure->value));
    used += (size_t)snprintf(out + used, bytes - used, "%s%s%s%s", i ? "; " : "", number, number[0] ? " " : "",
                             figure->text);
  }
}

/* "prof loops -i DIR -F NAME" */
static void write_check(const struct prof_reader *reader, const struct prof_advice *advice, char *out, size_t bytes) {
  char input[PROF_HINT_BYTES], name[PROF_HINT_BYTES] = "";
  const char *check = advice->check ? advice->check : advice->rule->check;
  size_t word = strcspn(check, " "), left = strcspn(check, "@");
  prof_hint_input(input, reader->common->input);
  if (check[left])
    prof_hint_function(name, reader, function_of(reader, advice));
  snprintf(out, bytes, "prof %.*s%s%.*s%s%s", (int)word, check, input, (int)(left - word), check + word, name,
           check[left] ? check + left + 1 : "");
}

/* ---- text ---- */

static void print_escaped(const struct prof_output *output, const char *lead, const char *text) {
  char safe[TEXT_BYTES], line[TEXT_BYTES + 64];
  prof_text_escape(safe, sizeof safe, text, strlen(text));
  snprintf(line, sizeof line, "%*s%s%s", INDENT, "", lead, safe);
  prof_output_wrap(output, line, INDENT + strlen(lead));
}

static void print_code(const struct prof_output *output, const char *title, const char *code) {
  fprintf(output->file, "%*s%s\n", INDENT, "", title);
  while (*code) {
    size_t bytes = strcspn(code, "\n");
    fprintf(output->file, "%*s%.*s\n", CODE_INDENT, "", (int)bytes, code);
    code += bytes + (code[bytes] == '\n');
  }
}

static void print_place(const struct prof_reader *reader, const struct prof_advice *advice,
                        const struct prof_output *output) {
  char text[TEXT_BYTES];
  const char *function = function_of(reader, advice);
  if (advice->file[0] && advice->line)
    snprintf(text, sizeof text, "%s%s%s:%u%s", function, function[0] ? " (" : "", advice->file, advice->line,
             function[0] ? ")" : "");
  else
    snprintf(text, sizeof text, "%s", function);
  if (text[0])
    print_escaped(output, "where:    ", text);
}

static void print_one(const struct prof_reader *reader, const struct prof_advice *advice, size_t number, bool brief,
                      const struct prof_output *output) {
  const struct prof_advice_rule *rule = advice->rule;
  char text[TEXT_BYTES];
  fprintf(output->file, "%s%zu. %s: %s\n", number > 1 ? "\n" : "", number, priorities[advice->priority],
          title_of(advice));
  print_place(reader, advice, output);
  write_evidence(advice, text, sizeof text);
  print_escaped(output, "evidence: ", text);
  snprintf(text, sizeof text, "%.2f to %s%.*f times as fast (%s)", advice->speedup_low,
           advice->speedup_high > MOST_SHOWN ? "over " : "", advice->speedup_high >= 10 ? 0 : 2,
           fmin(advice->speedup_high, MOST_SHOWN), whole_of(advice));
  print_escaped(output, "speed-up: ", text);
  if (!brief) {
    print_escaped(output, "why:      ", rule->why);
    print_code(output, "before:", rule->before);
    print_code(output, "after:", rule->after);
  }
  write_check(reader, advice, text, sizeof text);
  print_escaped(output, "check:    ", text);
}

/* Hot loops with the compiler's reasons. */
static bool print_loops(const struct prof_reader *reader, const struct prof_advice_list *list,
                        const struct prof_output *output) {
  static const struct prof_column columns[] = {{NULL, "SHARE", PROF_CELL_SHARE},
                                               {NULL, "LINE", PROF_CELL_TEXT, PROF_CUT_LEFT},
                                               {NULL, "FUNCTION", PROF_CELL_TEXT, PROF_CUT_NAME},
                                               {NULL, "THE COMPILER", PROF_CELL_TEXT, PROF_CUT_NAME}};
  char place[TEXT_BYTES];
  struct prof_table *table = prof_table_new(columns, sizeof columns / sizeof *columns);
  for (size_t i = 0; table && i < list->loops.count; i++) {
    const struct prof_hot_remark *loop = &list->loops.items[i];
    snprintf(place, sizeof place, "%s:%u", loop->file, loop->line);
    prof_table_share(table, loop->share);
    prof_table_text(table, place);
    prof_table_text(table, prof_names_function(reader->recording.names, loop->function));
    prof_table_text(table, loop->text);
  }
  bool done = table && !prof_table_failed(table);
  if (done && list->loops.count > 0) {
    fprintf(output->file, "\nhot loops that are not vectorised\n");
    prof_table_print(table, output->file, &output->style);
  }
  prof_table_free(table);
  return done;
}

/* What threads waited for long. */
static bool print_waits(const struct settings *settings, const struct prof_reader *reader,
                        const struct prof_advice_list *list, const struct prof_output *output) {
  static const struct prof_column columns[] = {{NULL, "SHARE", PROF_CELL_SHARE},
                                               {NULL, "WAIT", PROF_CELL_NS},
                                               {NULL, "WAITS", PROF_CELL_COUNT},
                                               {NULL, "FOR", PROF_CELL_TEXT, PROF_CUT_MIDDLE},
                                               {NULL, "WAITED IN", PROF_CELL_TEXT, PROF_CUT_NAME},
                                               {NULL, "HELD BY", PROF_CELL_TEXT, PROF_CUT_NAME}};
  size_t most = settings->has_count && settings->count == 0 ? SIZE_MAX : MOST_WAITS, shown = list->waits.count;
  shown = shown > most ? most : shown;
  struct prof_table *table = prof_table_new(columns, sizeof columns / sizeof *columns);
  for (size_t i = 0; table && i < shown; i++) {
    const struct prof_hot_wait *wait = &list->waits.items[i];
    prof_table_share(table, wait->share);
    prof_table_count(table, wait->wait_ns);
    prof_table_count(table, wait->waits);
    prof_table_text(table, wait->name);
    prof_table_text(table, wait->function);
    prof_table_text(table, wait->holder ? wait->holder : "");
  }
  bool done = table && !prof_table_failed(table);
  if (done && shown > 0) {
    char input[PROF_HINT_BYTES];
    fprintf(output->file, "\nwhat threads waited for, by share of their time (prof locks%s --all: more)\n",
            prof_hint_input(input, reader->common->input));
    prof_table_print(table, output->file, &output->style);
  }
  prof_table_free(table);
  return done;
}

static void print_none(const struct prof_advice_list *list, const struct prof_output *output) {
  char samples[PROF_UNITS_BYTES], idle[PROF_UNITS_BYTES];
  prof_units_count(samples, list->samples);
  prof_units_share(idle, list->idle_share);
  if (list->idle_share >= MUCH_IDLE)
    fprintf(output->file, "no advice: the program waited for %s of the time%s\n", idle,
            list->has_waits ? "" : "; record --locks --io to see for what");
  else if (list->samples < PROF_ADVICE_MIN_SAMPLES)
    fprintf(output->file, "no advice: too few samples (%s); let the program run longer, or record --sample=4000\n",
            samples);
  else
    fprintf(output->file, "no advice: nothing that prof knows stands out (%s samples)\n", samples);
}

static bool print_all(const struct settings *settings, const struct prof_reader *reader,
                      const struct prof_advice_list *list, const struct prof_output *output) {
  char samples[PROF_UNITS_BYTES];
  size_t most = settings->has_count ? settings->count : DEFAULT_COUNT, shown = list->items.count;
  shown = most && shown > most ? most : shown;
  prof_units_count(samples, list->samples);
  if (list->items.count == 0)
    print_none(list, output);
  else
    fprintf(output->file, "%zu piece%s of advice, by %s sample%s%s; speed-ups by Amdahl's law\n\n", list->items.count,
            list->items.count == 1 ? "" : "s", samples, list->samples == 1 ? "" : "s",
            list->has_measures ? " and measured calls" : "");
  for (size_t i = 0; i < shown; i++)
    print_one(reader, &list->items.items[i], i + 1, settings->brief, output);
  if (shown < list->items.count)
    fprintf(output->file, "... and %zu more: -n 0 shows all\n", list->items.count - shown);
  if (list->unread_functions)
    fprintf(output->file, "%scode of %u function%s was not read: it needs the programs, -g and objdump (binutils)\n",
            list->items.count ? "\n" : "", list->unread_functions, list->unread_functions == 1 ? "" : "s");
  return print_waits(settings, reader, list, output) && print_loops(reader, list, output);
}

/* ---- JSON ---- */

static void wait_json(const struct prof_hot_wait *wait, struct prof_json *json) {
  prof_json_object(json, NULL);
  prof_json_number(json, "share", wait->share);
  prof_json_text(json, "kind", wait->kind);
  prof_json_text(json, "name", wait->name);
  prof_json_text(json, "function", wait->function);
  prof_json_text(json, "file", wait->file);
  prof_json_count(json, "line", wait->line);
  prof_json_count(json, "waits", wait->waits);
  prof_json_count(json, "wait_ns", wait->wait_ns);
  prof_json_number(json, "part", wait->part);
  if (wait->holder) {
    prof_json_text(json, "holder", wait->holder);
    prof_json_text(json, "holder_file", wait->holder_file);
    prof_json_count(json, "holder_line", wait->holder_line);
    prof_json_number(json, "holder_part", wait->holder_part);
  }
  prof_json_object_end(json);
}

static void advice_json(const struct prof_reader *reader, const struct prof_advice *advice, struct prof_json *json) {
  char text[TEXT_BYTES];
  prof_json_object(json, NULL);
  prof_json_text(json, "kind", advice->rule->kind);
  prof_json_text(json, "title", title_of(advice));
  prof_json_text(json, "priority", priorities[advice->priority]);
  prof_json_text(json, "function", function_of(reader, advice));
  prof_json_text(json, "file", advice->file);
  prof_json_count(json, "line", advice->line);
  prof_json_number(json, "speedup_low", advice->speedup_low);
  prof_json_number(json, "speedup_high", advice->speedup_high);
  prof_json_text(json, "speedup_of", whole_of(advice));
  write_evidence(advice, text, sizeof text);
  prof_json_text(json, "evidence", text);
  prof_json_text(json, "why", advice->rule->why);
  prof_json_text(json, "before", advice->rule->before);
  prof_json_text(json, "after", advice->rule->after);
  write_check(reader, advice, text, sizeof text);
  prof_json_text(json, "check", text);
  prof_json_object_end(json);
}

static void print_json(const struct prof_reader *reader, const struct prof_advice_list *list, FILE *file) {
  struct prof_json json;
  prof_unfinished_begin(&json, file, 2, reader->recording.trace);
  prof_json_count(&json, "samples", list->samples);
  prof_json_count(&json, "unread_functions", list->unread_functions);
  prof_json_array(&json, "advice");
  for (size_t i = 0; i < list->items.count; i++)
    advice_json(reader, &list->items.items[i], &json);
  prof_json_array_end(&json);
  prof_json_number(&json, "idle_share", list->idle_share);
  prof_json_array(&json, "waits");
  for (size_t i = 0; i < list->waits.count; i++)
    wait_json(&list->waits.items[i], &json);
  prof_json_array_end(&json);
  prof_json_array(&json, "hot_loops");
  for (size_t i = 0; i < list->loops.count; i++) {
    const struct prof_hot_remark *loop = &list->loops.items[i];
    prof_json_object(&json, NULL);
    prof_json_number(&json, "share", loop->share);
    prof_json_text(&json, "function", prof_names_function(reader->recording.names, loop->function));
    prof_json_text(&json, "file", loop->file);
    prof_json_count(&json, "line", loop->line);
    prof_json_text(&json, "remark", loop->text);
    prof_json_object_end(&json);
  }
  prof_json_array_end(&json);
  prof_json_object_end(&json);
}

/* ---- the command ---- */

static prof_status find(const struct settings *settings, const struct prof_reader *reader, struct prof_symbols *symbols,
                        struct prof_diag *diag, struct prof_advice_list *list) {
  struct prof_remarks remarks = {0};
  struct prof_advice_options options = {
      .min_share = settings->has_min_share ? settings->min_share : PROF_ADVICE_MIN_SHARE,
      .min_speedup = settings->has_min_speedup ? 1 + settings->min_speedup : PROF_ADVICE_MIN_SPEEDUP,
      .remarks = settings->remarks ? &remarks : NULL};
  prof_status status = settings->remarks ? prof_remarks_read(settings->remarks, diag, &remarks) : PROF_OK;
  if (status == PROF_OK)
    status = prof_advice_find(&reader->recording, symbols, &options, settings->common.max_memory, diag, list);
  prof_remarks_free(&remarks);
  return status;
}

static prof_status show(void *argument, const struct prof_reader *reader, int *result, struct prof_diag *diag) {
  const struct settings *settings = argument;
  struct prof_symbols *symbols = NULL;
  struct prof_advice_list list = {0};
  struct prof_output output;
  prof_status status = prof_symbols_new(&reader->recording, diag, &symbols);
  if (status == PROF_OK)
    status = find(settings, reader, symbols, diag, &list);
  if (status == PROF_OK) {
    prof_output_begin(&output, &settings->common);
    prof_reader_warn(reader, &output);
    if (settings->common.format == PROF_FORMAT_JSON)
      print_json(reader, &list, output.file);
    else if (!print_all(settings, reader, &list, &output))
      status = prof_diag_memory(diag);
    *result = prof_output_end(&output);
    prof_symbols_warn(symbols);
    prof_advice_free(&list);
  }
  prof_symbols_free(symbols);
  return status;
}

#define IN(member) PROF_MEMBER(struct settings, member)
#define GIVEN(member) .given = offsetof(struct settings, member)
static const struct prof_option options[] = {
    {"rows", 'n', "N", "show at most N pieces of advice; 0: all (default: 10)", PROF_OPTION_COUNT, IN(count),
     GIVEN(has_count)},
    {"brief", 'b', NULL, "leave out explanations and examples", PROF_OPTION_FLAG, IN(brief)},
    {"remarks", 0, "FILE", "the compiler's remarks, from -fopt-info-vec-missed=FILE or -Rpass-missed", PROF_OPTION_TEXT,
     IN(remarks)},
    {"min-share", 0, "PCT", "look only at what takes at least this share of the time (default: 5%)", PROF_OPTION_SHARE,
     IN(min_share), GIVEN(has_min_share)},
    {"min-gain", 0, "PCT", "leave out advice that makes the whole less than this much faster (default: 2%)",
     PROF_OPTION_SHARE, IN(min_speedup), GIVEN(has_min_speedup)},
    {"format", 0, NULL, "output format (default: table)", PROF_OPTION_WORD, PROF_COMMON(format),
     PROF_WORDS("table", "json")},
    {0},
};

const struct prof_command prof_command_advise = {
    .name = "advise",
    .instead = "one recording: prof advise DIR",
    .summary = "Show what could be faster, why, by how much, and how to verify it",
    .group = "Look",
    .options = options,
    .filters = true,
    .settings_bytes = sizeof(struct settings),
    .show = show,
};
