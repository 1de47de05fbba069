/*
 * tools/command/info/info.c - `prof info`: what was recorded, how, and what is missing.
 *
 * One list of facts serves the table and JSON (docs/json.md); modules, threads, processes and notes follow as tables.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#include "analysis/lines/line_times.h"
#include "base/json.h"
#include "base/text.h"
#include "base/whole.h"
#include "burst_info.h"
#include "command/added_cost.h"
#include "command/command.h"
#include "command/gpu/gpu_info.h"
#include "command/options/common.h"
#include "command/output.h"
#include "command/warning.h"
#include "export/unfinished.h"
#include "machine_info.h"
#include "part_info.h"
#include "row.h"
#include "sample_info.h"
#include "slice_info.h"
#include "time_info.h"
#include "view/table.h"
#include "view/units.h"

enum { TEXT_BYTES = 2048 };

struct settings {
  struct prof_common common;
  uint64_t carbon; /* g per kWh; 0: not asked for */
};

struct facts { /* computed once */
  const prof_trace *trace;
  const struct prof_trace_info *info;
  const struct prof_module *modules;
  const struct prof_thread_info *threads;
  const struct prof_process *processes;
  const char *const *notes;
  struct prof_sample_facts samples;
  size_t module_count, probed_count, thread_count, process_count, note_count;
  struct prof_damage damage;
  uint64_t stall_ticks, inversions, torn, unmatched, skipped, sites_skipped, too_deep;
  double event_cost_ns, event_taken_ns;
  uint64_t line_readings;
  double line_cost_ns; /* of all readings */
  uint64_t span_ns;    /* first to last event's chunk */
};

static double tick_ns(const struct facts *facts) {
  return facts->info->frequency_hz > 0 ? 1e9 / (double)facts->info->frequency_hz : 0;
}

/* Other modules are in the trace only because of samples. */
static bool is_probed(const struct prof_module *module) {
  return module->site_count > 0 || module->called_count > 0 || module->function_count > 0;
}

/* Finds number and cost of the clock readings for lines.  false: no memory. */
static bool find_line_times(struct facts *facts) {
  struct prof_line_times times;
  if (prof_line_times_make(facts->trace, &times) != PROF_OK)
    return false;
  uint64_t of_threads =
      0; /* including those at functions' exits; a lower bound if a thread could not report at its end */
  for (size_t i = 0; i < facts->thread_count; i++)
    of_threads += facts->threads[i].line_readings;
  facts->line_readings = of_threads > times.readings ? of_threads : times.readings;
  if (times.readings > 0)
    facts->line_cost_ns = times.cost_ticks / (double)times.readings * (double)facts->line_readings * tick_ns(facts);
  prof_line_times_fini(&times);
  return true;
}

static void find(struct facts *facts, const prof_trace *trace) {
  size_t load_count;
  *facts = (struct facts){.trace = trace, .info = prof_trace_info(trace)};
  prof_trace_damage(trace, &facts->damage);
  facts->modules = prof_trace_modules(trace, &facts->module_count);
  for (size_t i = 0; i < facts->module_count; i++)
    facts->probed_count += is_probed(&facts->modules[i]);
  facts->notes = prof_trace_notes(trace, &facts->note_count);
  facts->threads = prof_trace_threads(trace, &facts->thread_count);
  for (size_t i = 0; i < facts->thread_count; i++) {
    facts->stall_ticks += facts->threads[i].stalled_ticks;
    facts->inversions += facts->threads[i].inversions;
    facts->torn += facts->threads[i].torn;
    facts->unmatched += facts->threads[i].unmatched;
    facts->skipped += facts->threads[i].skipped;
    facts->too_deep += facts->threads[i].too_deep;
  }
  facts->processes = prof_trace_processes(trace, &facts->process_count);
  double sum = 0, taken = 0;
  size_t said = 0;
  for (size_t i = 0; i < facts->process_count; i++) {
    sum += facts->processes[i].event_cost_ticks;
    taken += facts->processes[i].event_cost_among_ticks;
    said += facts->processes[i].event_cost_ticks > 0;
  }
  facts->event_cost_ns = said > 0 ? sum / (double)said * tick_ns(facts) : 0;
  facts->event_taken_ns = said > 0 ? taken / (double)said * tick_ns(facts) : 0;
  const struct prof_load *loads = prof_trace_loads(trace, &load_count);
  for (size_t i = 0; i < load_count; i++)
    facts->sites_skipped += loads[i].skipped;
  facts->span_ns = prof_trace_ns(trace, prof_info_span_ticks(trace));
}

/* ---- facts of one line ---- */

/* Joins NUL-terminated words, quoted for a shell. */
static void join_words(const char *words, size_t bytes, char *out, size_t out_bytes) {
  size_t used = 0;
  for (size_t at = 0; at < bytes && used + 1 < out_bytes;) {
    const char *word = words + at, *end = memchr(word, 0, bytes - at);
    size_t length = end != NULL ? (size_t)(end - word) : bytes - at;
    bool plain = length > 0 && !memchr(word, ' ', length) && !memchr(word, '\'', length) && !memchr(word, '"', length);
    used += (size_t)snprintf(out + used, out_bytes - used, "%s%s%.*s%s", at > 0 ? " " : "", plain ? "" : "'",
                             (int)length, word, plain ? "" : "'");
    at += length + 1;
  }
  if (used == 0)
    out[0] = 0;
}

static void setting(const struct facts *facts, const char *key, char *out, size_t out_bytes) {
  size_t bytes = 0;
  const char *value = prof_trace_setting(facts->trace, key, &bytes);
  snprintf(out, out_bytes, "%.*s", (int)bytes, value != NULL ? value : "");
}

static void words(const struct facts *facts, const char *key, char *out, size_t out_bytes) {
  size_t bytes = 0;
  const char *value = prof_trace_setting(facts->trace, key, &bytes);
  join_words(value != NULL ? value : "", value != NULL ? bytes : 0, out, out_bytes);
}

#define SETTING_TEXT(name, shown, key)                                                                                 \
  static void name(const struct facts *facts, char *out, size_t out_bytes) {                                           \
    shown(facts, key, out, out_bytes);                                                                                 \
  }
SETTING_TEXT(command_text, words, "command")
SETTING_TEXT(options_text, words, "options")
SETTING_TEXT(directory_text, setting, "directory")
SETTING_TEXT(host_text, setting, "host")
SETTING_TEXT(system_text, setting, "system")
SETTING_TEXT(cpu_text, setting, "cpu")
SETTING_TEXT(version_text, setting, "prof")
SETTING_TEXT(rank_text, setting, "rank")

static void compiler_text(const struct facts *facts, char *out, size_t out_bytes) {
  size_t used = 0;
  out[0] = 0;
  for (size_t i = 0; i < facts->module_count && used < out_bytes; i++) {
    if (facts->modules[i].compiler[0] == 0 || strstr(out, facts->modules[i].compiler) != NULL)
      continue;
    used += (size_t)snprintf(out + used, out_bytes - used, "%s%s", used > 0 ? ", " : "", facts->modules[i].compiler);
  }
  for (char *at = strchr(out, '\n'); at != NULL; at = strchr(at, '\n'))
    *at = ',';
}

static void start_text(const struct facts *facts, char *out, size_t out_bytes) {
  time_t seconds = (time_t)(facts->info->start_realtime_ns / 1000000000u);
  struct tm broken;
  if (localtime_r(&seconds, &broken) == NULL || strftime(out, out_bytes, "%Y-%m-%d %H:%M:%S %z", &broken) == 0)
    out[0] = 0;
}

static void end_text(const struct facts *facts, char *out, size_t out_bytes) {
  static const char *const reasons[] = {"for an unknown reason",
                                        "with the program",
                                        "at the size limit (--max-size)",
                                        "when the recorder was interrupted",
                                        "when the trace could not be written",
                                        "in the next part (--split)",
                                        "not yet: this is a snapshot (--mode=ring)",
                                        "when the recorder left the program, which went on"};
  uint32_t reason = facts->info->end_reason;
  int status = facts->info->wait_status;
  char text[PROF_WARNING_BYTES];
  if (!facts->info->complete) {
    snprintf(out, out_bytes, "%s: %s", facts->info->in_progress ? "not yet" : "never",
             prof_warning_unfinished(facts->trace, text));
    return;
  }
  int used = snprintf(out, out_bytes, "%s", reasons[reason < sizeof reasons / sizeof *reasons ? reason : 0]);
  if (status == -1) /* the recorder was not the program's parent */
    return;
  if (WIFSIGNALED(status))
    snprintf(out + used, out_bytes - (size_t)used, ", killed by signal %d", WTERMSIG(status));
  else
    snprintf(out + used, out_bytes - (size_t)used, ", exit status %d", WEXITSTATUS(status));
}

static void clock_text(const struct facts *facts, char *out, size_t out_bytes) {
  snprintf(out, out_bytes, "%s, %.3f MHz, steps of %.1f ns%s",
           facts->info->clock_source == 1 ? "TSC" : "CLOCK_MONOTONIC", (double)facts->info->frequency_hz / 1e6,
           facts->info->clock_step_ticks * tick_ns(facts),
           facts->info->clock_invariant || facts->info->clock_source != 1
               ? ""
               : "; it may stop or change its rate: times are not reliable");
}

/* Facts about the TSC, whichever clock was read. */
static void clock_check_text(const struct facts *facts, char *out, size_t out_bytes) {
  const struct prof_trace_info *info = facts->info;
  int used = snprintf(out, out_bytes, "the TSC is %sinvariant", info->clock_invariant ? "" : "not ");
  if (info->clock_compared && info->clock_skew_ticks == 0)
    used += snprintf(out + used, out_bytes - (size_t)used, ", the cores' readings agree");
  else if (info->clock_compared)
    used += snprintf(out + used, out_bytes - (size_t)used, ", the cores' readings differ by at least %.0f ns",
                     info->clock_skew_ticks * tick_ns(facts));
  if (info->kernel_clock[0] != 0)
    snprintf(out + used, out_bytes - (size_t)used, ", the kernel reads %s", info->kernel_clock);
}

/* Cost of measuring lines; "": none were measured. */
static void lines_text(const struct facts *facts, char *out, size_t out_bytes) {
  char readings[PROF_UNITS_BYTES], cost[PROF_UNITS_BYTES];
  double cpu_ns = (double)facts->info->user_ns + (double)facts->info->system_ns;
  out[0] = 0;
  if (facts->line_readings == 0)
    return;
  int used =
      snprintf(out, out_bytes, "measured by %s clock readings, which cost at least %.1f ns each, %s in all",
               prof_units_count(readings, facts->line_readings), facts->line_cost_ns / (double)facts->line_readings,
               prof_units_duration(cost, prof_whole(facts->line_cost_ns)));
  if (cpu_ns > 0)
    snprintf(out + used, out_bytes - (size_t)used, ", %.1f%% of the CPU time", 100 * facts->line_cost_ns / cpu_ns);
}

static const struct text_fact {
  const char *key, *title;
  void (*get)(const struct facts *, char *out, size_t out_bytes); /* "": not shown */
} text_facts[] = {
    {"command", "command", command_text},
    {"directory", "directory", directory_text},
    {"host", "host", host_text},
    {"system", "system", system_text},
    {"cpu", "processor", cpu_text},
    {"compiler", "compiler", compiler_text},
    {"prof", "prof", version_text},
    {"options", "options", options_text},
    {"rank", "rank", rank_text},
    {"start", "started", start_text},
    {"end", "ended", end_text},
    {"clock", "clock", clock_text},
    {"clock_check", "clock check", clock_check_text},
    {"lines", "lines", lines_text},
};

/* ---- figures ---- */

enum unit { COUNT, NS, BYTES, NUMBER };

struct figure {
  const char *key, *title;
  enum unit unit;
  double value;     /* exact up to 2^53; NAN: not known */
  bool only_if_any; /* in the table: left out when it is 0 */
};
enum { FIGURES = 27 };

static size_t find_figures(const struct facts *facts, struct figure out[FIGURES]) {
  const struct prof_trace_info *info = facts->info;
  double events = (double)info->events;
  double added_ns = prof_added_cost_ns(info->events - info->untimed, facts->event_cost_ns, facts->line_cost_ns);
  size_t states;
  (void)prof_trace_states(facts->trace, &states);
  const struct figure all[] = {
      {"wall_ns", "time", NS, (double)info->wall_ns, !facts->info->complete},
      {"user_ns", "user", NS, (double)info->user_ns, !facts->info->complete},
      {"system_ns", "system", NS, (double)info->system_ns, !facts->info->complete},
      {"recorder_cpu_ns", "the recorder's own", NS, (double)info->recorder_cpu_ns, !facts->info->complete},
      {"events", "events", COUNT, events, false},
      {"events_per_second", "events per second", COUNT,
       facts->span_ns > 0 ? events / ((double)facts->span_ns / 1e9) : 0, false},
      {"bytes", "size", BYTES, (double)info->file_bytes, false},
      {"bytes_per_event", "bytes per event", NUMBER, info->events > 0 ? (double)info->file_bytes / events : 0, false},
      {"threads", "threads", COUNT, (double)facts->thread_count, false},
      {"processes", "processes", COUNT, (double)facts->process_count, false},
      {"modules", "modules", COUNT, (double)facts->probed_count, false},
      {"lost_events", "events lost", COUNT, (double)info->lost, false},
      {"probe_cost_ns", "cost of an event", NUMBER, facts->event_cost_ns, false},
      {"probe_taken_ns", "  among other work", NUMBER, facts->event_taken_ns, true},
      {"added_ns", "added cost, about", NS, states > 0 ? NAN : added_ns, states > 0},
      {"attach_ns", "cost at starts", NS, (double)info->attach_ns, true},
      {"line_readings", "line readings", COUNT, (double)facts->line_readings, true},
      {"line_cost_ns", "cost of line readings", NS, facts->line_cost_ns, true},
      {"stall_ns", "waited for the recorder", NS, (double)prof_trace_ns(facts->trace, facts->stall_ticks), false},
      {"inversions", "clock steps back", COUNT, (double)facts->inversions, true},
      {"torn_events", "events never finished", COUNT, (double)facts->torn, true},
      {"unmatched_exits", "unmatched exits", COUNT, (double)facts->unmatched, true},
      {"skipped_frames", "orphan calls", COUNT, (double)facts->skipped, true},
      {"too_deep_calls", "calls beyond the depth limit", COUNT, (double)facts->too_deep, true},
      {"skipped_sites", "probes not switched on", COUNT, (double)facts->sites_skipped, true},
      {"unreadable_bytes", "unreadable bytes", BYTES, (double)facts->damage.bytes_skipped, true},
      {"damaged_chunks", "damaged chunks", COUNT, (double)facts->damage.chunks_damaged, true},
  };
  memcpy(out, all, sizeof all);
  return sizeof all / sizeof *all;
}

static const char *figure_text(const struct figure *figure, char *out, size_t out_bytes) {
  char text[PROF_UNITS_BYTES];
  if (figure->unit == NUMBER)
    snprintf(out, out_bytes, "%.*f%s", strncmp(figure->key, "probe_", 6) == 0 ? 1 : 2, figure->value,
             strncmp(figure->key, "probe_", 6) == 0 ? " ns" : "");
  else
    snprintf(out, out_bytes, "%s",
             figure->unit == NS      ? prof_units_duration(text, prof_whole(figure->value))
             : figure->unit == BYTES ? prof_units_bytes(text, prof_whole(figure->value))
                                     : prof_units_count(text, prof_whole(figure->value)));
  return out;
}

/* ---- lists ---- */

static const struct prof_column module_columns[] = {
    {"functions", "FUNCTIONS", PROF_CELL_COUNT},
    {"sites", "PROBES", PROF_CELL_COUNT},
    {"kind", "KIND", PROF_CELL_TEXT},
    {"build_id", "BUILD ID", PROF_CELL_TEXT, .spare = 2},
    {"path", "MODULE", PROF_CELL_TEXT, PROF_CUT_LEFT},
};
/* Of its rows, without zones. */
static uint32_t count_functions(const struct facts *facts, const struct prof_module *module) {
  size_t count;
  const struct prof_function *functions = prof_trace_functions(facts->trace, &count);
  uint32_t zones = 0;
  for (uint32_t i = 0; i < module->function_count; i++)
    zones += (functions[module->first_function + i].flags & PROF_FUNCTION_ZONE) != 0;
  return module->function_count - zones;
}

static struct prof_table *list_modules(const struct facts *facts) {
  struct prof_table *table = prof_table_new(module_columns, sizeof module_columns / sizeof *module_columns);
  for (size_t i = 0; table != NULL && i < facts->module_count; i++) {
    if (!is_probed(&facts->modules[i]))
      continue;
    char id[2 * sizeof facts->modules[i].build_id + 1] = "";
    for (uint32_t byte = 0; byte < facts->modules[i].build_id_bytes; byte++)
      snprintf(id + 2 * byte, 3, "%02x", facts->modules[i].build_id[byte]);
    uint32_t called = facts->modules[i].called_count;
    prof_table_count(table, count_functions(facts, &facts->modules[i]) + called);
    prof_table_count(table, called > 0 ? 2 * called : facts->modules[i].site_count);
    prof_table_text(table, called > 0 ? "calls" : "nops");
    prof_table_text(table, id);
    prof_table_text(table, facts->modules[i].path);
  }
  return table;
}

/* ---- table and JSON ---- */

static prof_status print_table(const struct facts *facts, double carbon, const struct prof_output *output,
                               struct prof_table *modules, struct prof_table *threads, struct prof_diag *diag) {
  struct figure figures[FIGURES];
  char missing[PROF_WARNING_BYTES];
  char text[TEXT_BYTES], safe[TEXT_BYTES];
  for (size_t i = 0; i < sizeof text_facts / sizeof *text_facts; i++) {
    text_facts[i].get(facts, text, sizeof text);
    prof_text_escape(safe, sizeof safe, text, strlen(text));
    if (safe[0] != 0)
      prof_output_fact(output, text_facts[i].title, "%s", safe);
  }
  size_t count = find_figures(facts, figures);
  for (size_t i = 0; i < count; i++)
    if (figures[i].value > 0 || !figures[i].only_if_any)
      prof_output_fact(output, figures[i].title, "%s", figure_text(&figures[i], text, sizeof text));
  prof_usage_info_print(facts->trace, carbon, output);
  prof_warning_lacking(facts->trace, missing);
  if (missing[0])
    prof_output_fact(output, "missing chunks", "%s", missing);
  prof_part_info_print(facts->trace, output);
  prof_slice_info_print(facts->trace, output);
  prof_burst_info_print(facts->trace, output);
  prof_sample_info_print(facts->trace, &facts->samples, output);
  for (size_t i = 0; i < facts->note_count; i++) {
    prof_text_escape(safe, sizeof safe, facts->notes[i], strlen(facts->notes[i]));
    prof_output_fact(output, "note", "%s", safe);
  }
  prof_status status = prof_time_info_print(facts->trace, output, diag);
  fputs(output->verbose ? "" : "\n", output->file);
  prof_table_print(modules, output->file, &output->style);
  fprintf(output->file, "\n");
  prof_table_print(threads, output->file, &output->style);
  prof_gpu_info_print(facts->trace, output);
  return status == PROF_OK ? prof_machine_info_print(facts->trace, output, diag) : status;
}

static prof_status print_json(const struct facts *facts, double carbon, FILE *file, struct prof_table *modules,
                              struct prof_table *threads, struct prof_diag *diag) {
  struct figure figures[FIGURES];
  struct prof_json json;
  char text[TEXT_BYTES];
  prof_json_init(&json, file, 2);
  prof_json_object(&json, NULL);
  size_t count = find_figures(facts, figures);
  for (size_t i = 0; i < count; i++) {
    if (figures[i].unit == NUMBER)
      prof_json_number(&json, figures[i].key, figures[i].value);
    else
      prof_json_count(&json, figures[i].key, prof_whole(figures[i].value));
  }
  for (size_t i = 0; i < sizeof text_facts / sizeof *text_facts; i++) {
    text_facts[i].get(facts, text, sizeof text);
    prof_json_text(&json, text_facts[i].key, text);
  }
  prof_json_bool(&json, "complete", facts->info->complete);
  prof_unfinished_json(facts->trace, &json);
  prof_json_count(&json, "clock_hz", facts->info->frequency_hz);
  prof_json_count(&json, "clock_step_ticks", facts->info->clock_step_ticks);
  prof_json_array(&json, "notes");
  for (size_t i = 0; i < facts->note_count; i++)
    prof_json_text(&json, NULL, facts->notes[i]);
  prof_json_array_end(&json);
  prof_table_json(modules, &json, "module_list");
  prof_table_json(threads, &json, "thread_list");
  prof_part_info_json(facts->trace, &json);
  prof_slice_info_json(facts->trace, &json);
  prof_burst_info_json(facts->trace, &json);
  prof_sample_info_json(facts->trace, &facts->samples, &json);
  prof_gpu_info_json(facts->trace, &json);
  prof_status status = prof_machine_info_json(facts->trace, carbon, &json, diag);
  prof_json_object_end(&json);
  return status;
}

static int show(const struct settings *settings, const prof_trace *trace) {
  struct facts facts;
  struct prof_output output;
  struct prof_diag diag = {0};
  find(&facts, trace);
  if (!find_line_times(&facts))
    return prof_command_fail(&(struct prof_diag){.status = PROF_NO_MEMORY, .what = "out of memory"});
  if (prof_sample_facts_find(trace, settings->common.verbose, &facts.samples, &diag) != PROF_OK)
    return prof_command_fail(&diag);
  struct prof_table *modules = list_modules(&facts), *threads = prof_time_info_threads(trace);
  if (modules == NULL || threads == NULL) {
    prof_table_free(modules);
    prof_table_free(threads);
    return prof_command_fail(&(struct prof_diag){.status = PROF_NO_MEMORY, .what = "out of memory"});
  }
  prof_status status = PROF_OK;
  prof_output_begin(&output, &settings->common);
  if (settings->common.format != PROF_FORMAT_TABLE) /* the table has a line for each loss */
    prof_warning_print(trace);
  if (settings->common.format == PROF_FORMAT_JSON)
    status = print_json(&facts, (double)settings->carbon, output.file, modules, threads, &diag);
  else if (settings->common.format == PROF_FORMAT_CSV)
    prof_table_csv(threads, output.file);
  else
    status = print_table(&facts, (double)settings->carbon, &output, modules, threads, &diag);
  prof_table_free(modules);
  prof_table_free(threads);
  int result = prof_output_end(&output);
  return status == PROF_OK ? result : prof_command_fail(&diag);
}

static int run(void *argument, int argc, char **argv) {
  struct settings *settings = argument;
  struct prof_diag diag = {0};
  prof_trace *trace;
  (void)argc, (void)argv;
  if (prof_trace_open(settings->common.input, &diag, &trace) != PROF_OK)
    return prof_command_fail(&diag);
  int result = show(settings, trace);
  prof_trace_close(trace);
  return result;
}

static const struct prof_option options[] = {
    {"carbon", 0, "GRAMS", "estimate carbon from the energy that was read: GRAMS of CO2 per kWh", PROF_OPTION_COUNT,
     PROF_MEMBER(struct settings, carbon), .low = 1, .high = 100000},
    {0},
};

const struct prof_command prof_command_info = {
    .name = "info",
    .summary = "Show what a recording is of, how it was made, and what is missing",
    .group = "Look",
    .filters = true,
    .options = options,
    .settings_bytes = sizeof(struct settings),
    .run = run,
};
