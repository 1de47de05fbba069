/*
 * tools/command/overhead/overhead.c - `prof overhead`: what recording costs a program.
 *
 * Runs the program plain (a build without probes, if given), off (nobody records), within a budget, and in full, in
 * turn and several times, and shows the medians of times, and their ratios to off.  A recorded run is `prof record` as
 * users call it; its figures come from the trace, which is deleted.
 */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/json.h"
#include "base/order.h"
#include "command/budget_value.h"
#include "command/command.h"
#include "command/options/common.h"
#include "command/output.h"
#include "module.h"
#include "proftrace.h"
#include "timed_run.h"
#include "view/table.h"
#include "view/units.h"

enum { MOST_RUNS = 99, RUNS = 3, END_BY_PROGRAM = 1 /* docs/trace-format.md, END */ };
#define BUDGET_WORD "5%"
enum kind { PLAIN, OFF, BUDGET, FULL, KINDS };

struct settings {
  struct prof_common common; /* for its output */
  const char *plain, *budget, *input;
  uint32_t runs;
  bool shown;
};

struct measured { /* of one run */
  uint64_t wall_ns, cpu_ns, recorder_ns, trace_bytes, events;
};

struct state {
  const struct settings *settings;
  char **words; /* argv of `prof record`: its own, then the program's */
  char **program;
  char folder[PATH_MAX], data[PATH_MAX + 8], output[PATH_MAX + 32], overhead[64];
  struct measured runs[KINDS][MOST_RUNS];
  bool incomplete; /* a recording ended before the program */
  int failed;      /* wait status of the first run that failed */
  enum kind failed_in;
};

static const char *const names[KINDS] = {[PLAIN] = "plain", [OFF] = "off", [BUDGET] = "budget", [FULL] = "full"};

static void remove_recording(const struct state *state) {
  char path[PATH_MAX + 64];
  DIR *folder = opendir(state->data);
  for (struct dirent *entry; folder && (entry = readdir(folder));) {
    snprintf(path, sizeof path, "%s/%.20s", state->data, entry->d_name);
    unlink(path); /* "." and ".." stay */
  }
  if (folder)
    closedir(folder);
  rmdir(state->data);
}

/* Takes the recorder's figures from the trace. */
static prof_status take_trace(struct state *state, struct measured *run, struct prof_diag *diag) {
  prof_trace *trace;
  prof_status status = prof_trace_open(state->data, diag, &trace);
  if (status == PROF_NOT_FOUND)
    return PROF_OK; /* it made no event, so nothing was kept */
  if (status != PROF_OK)
    return status;
  const struct prof_trace_info *info = prof_trace_info(trace);
  run->cpu_ns = info->user_ns + info->system_ns; /* without the recorder's */
  run->recorder_ns = info->recorder_cpu_ns;
  run->trace_bytes = info->file_bytes;
  run->events = info->events;
  state->incomplete |= info->end_reason != END_BY_PROGRAM;
  prof_trace_close(trace);
  return PROF_OK;
}

static prof_status run_once(struct state *state, enum kind kind, uint32_t turn, struct prof_diag *diag) {
  const struct prof_timed_streams streams = {state->settings->input, state->settings->shown};
  struct measured *run = &state->runs[kind][turn];
  struct prof_timed_run timed = {0};
  bool recorded = kind == BUDGET || kind == FULL;
  char *first = state->program[0], plain[4096];
  if (kind == PLAIN) {
    snprintf(plain, sizeof plain, "%s", state->settings->plain);
    state->program[0] = plain;
  }
  snprintf(state->overhead, sizeof state->overhead, "--overhead=%s", kind == FULL ? "full" : state->settings->budget);
  prof_status status = prof_timed_run(recorded ? "/proc/self/exe" : NULL, recorded ? state->words : state->program,
                                      &streams, &timed, diag);
  state->program[0] = first;
  if (status != PROF_OK)
    return status;
  if (timed.wait_status && !state->failed) {
    state->failed = timed.wait_status;
    state->failed_in = kind;
  }
  run->wall_ns = timed.wall_ns;
  run->cpu_ns = timed.cpu_ns;
  if (recorded) {
    status = take_trace(state, run, diag);
    remove_recording(state);
  }
  return status;
}

#define MEMBER(name) offsetof(struct measured, name)

static int compare(const void *left, const void *right) {
  return prof_order(*(const uint64_t *)left, *(const uint64_t *)right);
}

static uint64_t median(const struct state *state, enum kind kind, size_t member) {
  uint64_t values[MOST_RUNS];
  uint32_t count = state->settings->runs;
  for (uint32_t i = 0; i < count; i++)
    memcpy(&values[i], (const char *)&state->runs[kind][i] + member, sizeof *values);
  qsort(values, count, sizeof *values, compare);
  return values[count / 2];
}

static double ratio(const struct state *state, enum kind kind, size_t member) {
  double off = (double)median(state, OFF, member), own = (double)median(state, kind, member);
  return off > 0 ? own / off : 0;
}

static void add_time(struct prof_table *table, const struct state *state, enum kind kind, size_t member) {
  double over = ratio(state, kind, member);
  char text[32];
  snprintf(text, sizeof text, "%.2f", over);
  prof_table_count(table, median(state, kind, member));
  prof_table_share(table, over);
  prof_table_text(table, text);
}

static struct prof_table *table_of(const struct state *state) {
  static const struct prof_column columns[] = {
      {"run", "RUN", PROF_CELL_TEXT, 0, 0},        {"wall_ns", "WALL", PROF_CELL_NS, 0, 0},
      {"wall_ratio", NULL, PROF_CELL_MEAN, 0, 0},  {NULL, "OVER OFF", PROF_CELL_TEXT, 0, 0},
      {"cpu_ns", "CPU", PROF_CELL_NS, 0, 0},       {"cpu_ratio", NULL, PROF_CELL_MEAN, 0, 0},
      {NULL, "OVER OFF", PROF_CELL_TEXT, 0, 0},    {"recorder_cpu_ns", "RECORDER", PROF_CELL_NS, 0, 0},
      {"events", "EVENTS", PROF_CELL_COUNT, 0, 0}, {"trace_bytes", "TRACE BYTES", PROF_CELL_COUNT, 0, 0},
  };
  struct prof_table *table = prof_table_new(columns, sizeof columns / sizeof *columns);
  for (enum kind kind = state->settings->plain ? PLAIN : OFF; table && kind < KINDS; kind++) {
    bool recorded = kind == BUDGET || kind == FULL;
    char name[64];
    snprintf(name, sizeof name, kind == BUDGET ? "%s %s" : "%s", names[kind], state->settings->budget);
    prof_table_text(table, name);
    add_time(table, state, kind, MEMBER(wall_ns));
    add_time(table, state, kind, MEMBER(cpu_ns));
    static const size_t of_trace[] = {MEMBER(recorder_ns), MEMBER(events), MEMBER(trace_bytes)};
    for (size_t i = 0; i < 3; i++)
      if (recorded)
        prof_table_count(table, median(state, kind, of_trace[i]));
      else
        prof_table_unknown(table);
  }
  return table;
}

static void print_notes(FILE *file, const struct state *state) {
  if (WIFSIGNALED(state->failed))
    fprintf(file, "The program was killed by signal %d (%s run).\n", WTERMSIG(state->failed), names[state->failed_in]);
  else if (state->failed)
    fprintf(file, "The program ended with status %d (%s run).\n", WEXITSTATUS(state->failed), names[state->failed_in]);
  if (state->incomplete)
    fprintf(file, "A recording ended before the program.\n");
  if (median(state, FULL, MEMBER(events)) == 0)
    fprintf(file, "The program made no events: compile it with the plugin (prof config --cflags).\n");
}

static prof_status show(const struct state *state, struct prof_diag *diag, int *result) {
  struct prof_table *table = table_of(state);
  struct prof_output output;
  struct prof_json json;
  if (!table || prof_table_failed(table)) {
    prof_table_free(table);
    return prof_diag_memory(diag);
  }
  prof_output_begin(&output, &state->settings->common);
  if (state->settings->common.format == PROF_FORMAT_JSON) {
    prof_json_init(&json, output.file, 2);
    prof_json_object(&json, NULL);
    prof_json_count(&json, "turns", state->settings->runs);
    prof_json_bool(&json, "complete", !state->incomplete && !state->failed);
    prof_table_json(table, &json, "runs");
    prof_json_object_end(&json);
    fputc('\n', output.file);
  } else if (state->settings->common.format == PROF_FORMAT_CSV) {
    prof_table_csv(table, output.file);
  } else {
    if (state->settings->runs > 1)
      fprintf(output.file, "Medians of %u runs, in turn.\n", state->settings->runs);
    prof_table_print(table, output.file, &output.style);
    print_notes(output.file, state);
  }
  prof_table_free(table);
  *result = prof_output_end(&output);
  return PROF_OK;
}

static prof_status run_all(struct state *state, struct prof_diag *diag) {
  prof_status status = PROF_OK;
  const struct settings *settings = state->settings;
  for (uint32_t turn = 0; turn < settings->runs && status == PROF_OK; turn++)
    for (enum kind kind = settings->plain ? PLAIN : OFF; kind < KINDS && status == PROF_OK; kind++) {
      if (isatty(STDERR_FILENO))
        fprintf(stderr, "\rrun %u of %u: %-8s", turn + 1, settings->runs, names[kind]);
      status = run_once(state, kind, turn, diag);
    }
  if (isatty(STDERR_FILENO))
    fprintf(stderr, "\r%40s\r", "");
  return status;
}

static int run(void *argument, int argc, char **argv) {
  struct settings *settings = argument;
  struct prof_diag diag = {0};
  int result = PROF_EXIT_OK;
  if (argc == 0) {
    prof_command_usage(&diag, "prof overhead [options] PROGRAM ARGS...", "which program shall be measured?");
    return prof_command_fail(&diag);
  }
  settings->runs = settings->runs ? settings->runs : RUNS;
  settings->budget = settings->budget ? settings->budget : BUDGET_WORD;
  struct state *state = calloc(1, sizeof *state);
  char **words = calloc((size_t)argc + 6, sizeof *words);
  prof_status status = state && words ? PROF_OK : prof_diag_memory(&diag);
  const char *temporary = getenv("TMPDIR");
  if (status == PROF_OK) {
    *state = (struct state){.settings = settings, .words = words, .program = words + 5};
    snprintf(state->folder, sizeof state->folder, "%.*s/prof-overhead.XXXXXX", PATH_MAX - 32,
             temporary ? temporary : "/tmp");
    if (!mkdtemp(state->folder))
      status = prof_diag_system(&diag, errno, state->folder, "can't make a folder", "set TMPDIR to one with space");
  }
  unsetenv(PROF_ENV_RECORD);
  if (status == PROF_OK) {
    static char name[] = "prof", record[] = "record", dashes[] = "--";
    snprintf(state->data, sizeof state->data, "%s/data", state->folder);
    snprintf(state->output, sizeof state->output, "--output=%s", state->data);
    memcpy(words, (char *[]){name, record, state->output, state->overhead, dashes}, 5 * sizeof *words);
    memcpy(words + 5, argv, (size_t)argc * sizeof *words);
    status = run_all(state, &diag);
    remove_recording(state);
    rmdir(state->folder);
    if (status == PROF_OK)
      status = show(state, &diag, &result);
  }
  free(words);
  free(state);
  return status == PROF_OK ? result : prof_command_fail(&diag);
}

static prof_status check_budget(void *settings, const char *value, struct prof_diag *diag) {
  double budget;
  (void)settings;
  return prof_budget_value("--budget", value, &budget, diag);
}

#define IN(member) PROF_MEMBER(struct settings, member)
static const struct prof_option options[] = {
    {"plain", 0, "PROGRAM", "measure this uninstrumented build too, with the same arguments", PROF_OPTION_TEXT,
     IN(plain), .low = 1, .remedy = "give the path of a program"},
    {"budget", 0, "PERCENT", "the budget of the run with a budget, as of prof record --overhead (" BUDGET_WORD ")",
     PROF_OPTION_TEXT, IN(budget), .take = check_budget},
    {"runs", 'n', "N", "run each N times (3)", PROF_OPTION_COUNT, IN(runs), .low = 1, .high = MOST_RUNS},
    {"stdin", 0, "FILE", "standard input of each run (default: empty)", PROF_OPTION_TEXT, IN(input)},
    {"show-output", 0, NULL, "show on standard error what the program prints", PROF_OPTION_FLAG, IN(shown)},
    {"format", 0, NULL, "output format (default: table)", PROF_OPTION_WORD, IN(common.format),
     PROF_WORDS("table", "json", "csv")},
    {0},
};

const struct prof_command prof_command_overhead = {
    .name = "overhead",
    .arguments = "[--] PROGRAM ARGS...",
    .summary = "Measure what recording costs a program",
    .group = "Record",
    .options = options,
    .stop_at_program = true,
    .settings_bytes = sizeof(struct settings),
    .run = run,
};
