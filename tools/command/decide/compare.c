/*
 * tools/command/decide/compare.c - `prof compare`: which of two commands is faster, and where?
 *
 * Pairs of plain runs decide about the whole; then recordings, in turns too, tell which functions changed.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/diag.h"
#include "base/json.h"
#include "base/order.h"
#include "base/whole.h"
#include "command/command.h"
#include "command/decide/diff_show.h"
#include "command/decide/groups.h"
#include "command/decide/ledger.h"
#include "command/decide/pairs.h"
#include "command/decide/trial_options.h"
#include "command/options/common.h"
#include "command/output.h"
#include "decide/baseline.h"
#include "view/units.h"

#define USAGE "prof compare -- ./old ARGS -- ./new ARGS"
#define DEFAULT_PAIRS 40
#define MOST_PAIRS 10000
#define DEFAULT_RECORDINGS 5
#define MOST_RECORDINGS 999
#define DEFAULT_ROWS 20
#define DEFAULT_HALF 0.01
#define DEFAULT_MARGIN 0.01
#define DEFAULT_SAME 0.05
#define LEAST_SHARE 0.01
#define COMMAND_BYTES 512
#define SHORT_NS 3000000u /* of CPU time: starting a process takes one or two ms */

struct settings {
  struct prof_common common; /* for its output */
  struct prof_trial_settings trial;
  bool has_pairs, has_recordings, has_warm_ups, has_half, has_same, has_rows;
  uint32_t pairs, recordings, warm_ups;
  uint64_t rows;
  double half, same;
  const char *keep, *note;
};

struct result {
  struct prof_pairs pairs;
  struct prof_run_group groups[2];
  struct prof_diff diff;
  bool has_diff;
  const char *no_diff; /* why there is none; NULL: it wasn't asked for */
};

static const char *const titles[] = {"OLD", "NEW"};
static const char *const side_words[] = {"old", "new"};

/* ---- runs ---- */

/* Recordings in turns, in FOLDER/old.0 and so on. */
static prof_status record_all(const struct prof_trial trials[2], const struct prof_timed_streams *streams, size_t count,
                              uint64_t seed, const char *folder, struct prof_diag *diag,
                              struct prof_run_group groups[2]) {
  char path[PATH_MAX + 64];
  prof_status status = PROF_OK;
  const struct prof_run_wanted wanted = {0};
  for (size_t i = 0; status == PROF_OK && i < count; i++) {
    const int first = (int)(prof_pairs_random(&seed) >> 63);
    for (int turn = 0; status == PROF_OK && turn < 2; turn++) {
      prof_trial_progress("recorded pair %zu of %zu", i + 1, count);
      snprintf(path, sizeof path, "%s/%s.%zu", folder, side_words[turn ^ first], i);
      status = prof_trial_record(&trials[turn ^ first], streams, path, diag);
    }
  }
  for (int side = 0; status == PROF_OK && side < 2; side++)
    for (size_t i = 0; status == PROF_OK && i < count; i++) {
      snprintf(path, sizeof path, "%s/%s.%zu", folder, side_words[side], i);
      prof_trial_progress("reading %s.%zu", side_words[side], i);
      status = prof_groups_add(path, &wanted, diag, &groups[side]);
    }
  prof_trial_progress(NULL);
  return status;
}

static prof_status find_diff(const struct settings *settings, const struct prof_trial trials[2],
                             const struct prof_pairs_plan *plan, struct prof_diag *diag, struct result *result) {
  struct prof_trial_room room = {.path = ""};
  const size_t count = settings->has_recordings ? settings->recordings : DEFAULT_RECORDINGS;
  const struct prof_diff_options options = {.same = plan->same, .min_share = LEAST_SHARE};
  prof_status status = PROF_OK;
  if (!count)
    return PROF_OK;
  if (settings->keep) {
    if (mkdir(settings->keep, 0777))
      status = prof_command_usage(diag, "give a folder that doesn't exist yet", "--keep can't make the folder '%s'",
                                  settings->keep);
  } else {
    status = prof_trial_room_make(&room, diag);
  }
  if (status == PROF_OK)
    status = record_all(trials, &plan->streams, count, plan->seed, settings->keep ? settings->keep : room.path, diag,
                        result->groups);
  prof_trial_room_remove(&room);
  if (status == PROF_EMPTY) { /* no instrumented code: the plain runs stand for themselves */
    result->no_diff = "no functions: a command has no instrumented code (prof config --cflags)";
    return PROF_OK;
  }
  if (status == PROF_OK)
    status = prof_diff_make(result->groups, &options, diag, &result->diff);
  result->has_diff = status == PROF_OK;
  return status;
}

/* ---- what is shown ---- */

static void join_words(char *const *words, char out[COMMAND_BYTES]) {
  size_t used = 0;
  out[0] = 0;
  for (size_t i = 0; words[i] && used + 1 < COMMAND_BYTES; i++)
    used += (size_t)snprintf(out + used, COMMAND_BYTES - used, "%s%s", i ? " " : "", words[i]);
}

static int by_value(const void *left, const void *right) {
  return prof_order(*(const uint64_t *)left, *(const uint64_t *)right);
}

/* The median of one side's CPU or elapsed times; 0 also without memory. */
static uint64_t median_ns(const struct prof_pairs *pairs, int side, bool wall) {
  const size_t count = pairs->pairs.count;
  uint64_t *values = malloc((count ? count : 1) * sizeof *values), median = 0;
  for (size_t i = 0; values && i < count; i++) {
    const struct prof_trial_times *times = &pairs->pairs.items[i].times[side];
    values[i] = wall ? times->wall_ns : times->cpu_ns;
  }
  if (values && count) {
    qsort(values, count, sizeof *values, by_value);
    median = values[count / 2];
  }
  free(values);
  return median;
}

static void show_head(const struct prof_pairs *pairs, double half, const struct prof_output *output) {
  char change[PROF_CHANGE_BYTES], interval[PROF_CHANGE_BYTES], line[512], needed[96] = "";
  const double estimate = exp(pairs->cpu.estimate);
  if (pairs->verdict == PROF_VERDICT_UNKNOWN && pairs->needed > pairs->pairs.count)
    snprintf(needed, sizeof needed, "; about %zu pairs would show it to %.2g%%", pairs->needed, half * 100);
  if (isfinite(pairs->cpu.low) && isfinite(pairs->cpu.high))
    snprintf(line, sizeof line, "%s: CPU time %s (%s), %zu pairs of runs%s", prof_verdict_words[pairs->verdict],
             prof_change_text(change, estimate),
             prof_change_interval(interval, exp(pairs->cpu.low), exp(pairs->cpu.high)), pairs->pairs.count, needed);
  else
    snprintf(line, sizeof line, "%s: CPU time %s, %zu pairs of runs are too few for an interval",
             prof_verdict_words[pairs->verdict], prof_change_text(change, estimate), pairs->pairs.count);
  prof_output_wrap(output, line, 2);
  if (!pairs->machine.known)
    return;
  int used =
      snprintf(line, sizeof line, "machine: other programs had %.0f%% of the processors; a pair scatters by %.1f%%",
               pairs->machine.others * 100, pairs->deviation * 100);
  if (pairs->machine.stolen >= 0.005)
    used += snprintf(line + used, sizeof line - (size_t)used, "; its host took %.0f%%", pairs->machine.stolen * 100);
  if (pairs->machine.frequencies > 0 && pairs->machine.frequencies < 0.95)
    snprintf(line + used, sizeof line - (size_t)used, "; its frequency varied by %.0f%%",
             (1 - pairs->machine.frequencies) * 100);
  prof_output_wrap(output, line, 2);
}

static bool show_times(const struct prof_pairs *pairs, const struct prof_output *output) {
  static const struct prof_column columns[] = {{NULL, "TIME", PROF_CELL_TEXT},
                                               {NULL, "OLD", PROF_CELL_NS},
                                               {NULL, "NEW", PROF_CELL_NS},
                                               {NULL, "CHANGE", PROF_CELL_TEXT},
                                               {NULL, "95% INTERVAL", PROF_CELL_TEXT}};
  struct prof_table *table = prof_table_new(columns, sizeof columns / sizeof *columns);
  char text[PROF_CHANGE_BYTES];
  for (int wall = 0; table && wall < 2; wall++) {
    const struct prof_paired *paired = wall ? &pairs->wall : &pairs->cpu;
    prof_table_text(table, wall ? "elapsed" : "CPU");
    for (int side = 0; side < 2; side++)
      prof_table_count(table, median_ns(pairs, side, wall));
    prof_table_text(table, prof_change_text(text, exp(paired->estimate)));
    prof_table_text(table, prof_change_interval(text, exp(paired->low), exp(paired->high)));
  }
  const bool done = table && !prof_table_failed(table);
  if (done)
    prof_table_print(table, output->file, &output->style);
  prof_table_free(table);
  return done;
}

static prof_status show_table(const struct settings *settings, const struct prof_pairs_plan *plan,
                              const struct result *result, struct prof_output *output, struct prof_diag *diag) {
  show_head(&result->pairs, expm1(plan->half), output);
  if (!show_times(&result->pairs, output))
    return prof_diag_memory(diag);
  if (median_ns(&result->pairs, PROF_OLD, false) < SHORT_NS)
    fprintf(output->file, "runs are short: their time is mostly that of starting a process\n");
  if (result->no_diff)
    fprintf(output->file, "%s\n", result->no_diff);
  if (!result->has_diff)
    return PROF_OK;
  fprintf(output->file, "\nrecorded runs: ");
  return prof_diff_table_show(&result->diff, result->groups, settings->has_rows ? settings->rows : DEFAULT_ROWS,
                              plan->same, output, diag);
}

static void put_paired(struct prof_json *json, const struct prof_paired *paired) {
  prof_json_number(json, "ratio", exp(paired->estimate));
  prof_json_number(json, "low", isfinite(paired->low) ? exp(paired->low) : (double)NAN);
  prof_json_number(json, "high", isfinite(paired->high) ? exp(paired->high) : (double)NAN);
}

static void put_side(struct prof_json *json, const struct prof_pairs *pairs, const struct prof_trial *trial, int side) {
  char command[COMMAND_BYTES];
  join_words(trial->words, command);
  prof_json_object(json, side_words[side]);
  prof_json_text(json, "command", command);
  for (int wall = 0; wall < 2; wall++) {
    prof_json_count(json, wall ? "median_wall_ns" : "median_cpu_ns", median_ns(pairs, side, wall));
    prof_json_array(json, wall ? "wall_ns" : "cpu_ns");
    for (size_t i = 0; i < pairs->pairs.count; i++) {
      const struct prof_trial_times *times = &pairs->pairs.items[i].times[side];
      prof_json_count(json, NULL, wall ? times->wall_ns : times->cpu_ns);
    }
    prof_json_array_end(json);
  }
  prof_json_object_end(json);
}

static void show_json(const struct prof_trial trials[2], const struct result *result, FILE *file) {
  static const char *const ends[] = {
      [PROF_PAIRS_GO_ON] = "limit", [PROF_PAIRS_PRECISE] = "precise", [PROF_PAIRS_CLEAR] = "clear"};
  const struct prof_pairs *pairs = &result->pairs;
  struct prof_json json;
  prof_json_init(&json, file, 2);
  prof_json_object(&json, NULL);
  prof_json_text(&json, "verdict", prof_verdict_words[pairs->verdict]);
  put_paired(&json, &pairs->cpu);
  prof_json_count(&json, "pairs", pairs->pairs.count);
  prof_json_text(&json, "stopped", ends[pairs->end]);
  if (pairs->needed)
    prof_json_count(&json, "pairs_needed", pairs->needed);
  prof_json_object(&json, "wall");
  put_paired(&json, &pairs->wall);
  prof_json_object_end(&json);
  for (int side = 0; side < 2; side++)
    put_side(&json, pairs, &trials[side], side);
  prof_json_object(&json, "machine");
  prof_json_number(&json, "others_share", pairs->machine.known ? pairs->machine.others : (double)NAN);
  prof_json_number(&json, "stolen_share", pairs->machine.known ? pairs->machine.stolen : (double)NAN);
  prof_json_number(&json, "lowest_frequency",
                   pairs->machine.frequencies > 0 ? pairs->machine.frequencies : (double)NAN);
  prof_json_number(&json, "pair_deviation", pairs->deviation);
  prof_json_object_end(&json);
  if (result->has_diff) {
    prof_json_object(&json, "diff");
    prof_diff_json(&result->diff, result->groups, &json);
    prof_json_object_end(&json);
  }
  prof_json_object_end(&json);
}

static prof_status show(const struct settings *settings, const struct prof_pairs_plan *plan,
                        const struct prof_trial trials[2], const struct result *result, int *exit_status,
                        struct prof_diag *diag) {
  struct prof_output output;
  prof_status status = PROF_OK;
  prof_output_begin(&output, &settings->common);
  if (settings->common.format == PROF_FORMAT_JSON)
    show_json(trials, result, output.file);
  else
    status = show_table(settings, plan, result, &output, diag);
  *exit_status = prof_output_end(&output);
  return status;
}

/* ---- the ledger ---- */

static prof_status note_result(const char *title, const struct prof_trial trials[2], const struct result *result,
                               struct prof_diag *diag) {
  char commands[2][COMMAND_BYTES], row[PROF_LEDGER_ROW_BYTES] = "";
  const struct prof_paired *cpu = &result->pairs.cpu;
  for (int side = 0; side < 2; side++)
    join_words(trials[side].words, commands[side]);
  if (result->has_diff)
    prof_ledger_row(&result->diff, row);
  const struct prof_ledger_entry entry = {.title = title,
                                          .command = "compare",
                                          .verdict = prof_verdict_words[result->pairs.verdict],
                                          .ratio = exp(cpu->estimate),
                                          .low = isfinite(cpu->low) ? exp(cpu->low) : (double)NAN,
                                          .high = isfinite(cpu->high) ? exp(cpu->high) : (double)NAN,
                                          .old = commands[PROF_OLD],
                                          .new = commands[PROF_NEW],
                                          .row = row};
  return prof_ledger_add(PROF_LEDGER_FILE, &entry, diag);
}

/* ---- the command ---- */

/* Splits "OLD ARGS -- NEW ARGS", and ends OLD's words with NULL. */
static prof_status split(int argc, char **argv, struct prof_trial trials[2], struct prof_diag *diag) {
  int between = 0;
  while (between < argc && strcmp(argv[between], "--") != 0)
    between++;
  if (between == 0 || between + 1 >= argc)
    return prof_command_usage(diag, USAGE, "two commands are compared, with -- between them");
  argv[between] = NULL;
  trials[PROF_OLD] = (struct prof_trial){argv, titles[PROF_OLD]};
  trials[PROF_NEW] = (struct prof_trial){argv + between + 1, titles[PROF_NEW]};
  return PROF_OK;
}

static struct prof_pairs_plan plan_of(const struct settings *settings) {
  return (struct prof_pairs_plan){
      .most = settings->has_pairs ? settings->pairs : DEFAULT_PAIRS,
      .warm_ups = settings->has_warm_ups ? settings->warm_ups : 1,
      .half = log1p(settings->has_half ? settings->half : DEFAULT_HALF),
      .margin = log1p(DEFAULT_MARGIN),
      .same = settings->has_same ? settings->same : DEFAULT_SAME,
      .seed = prof_trial_seed(&settings->trial),
      .streams = prof_trial_streams(&settings->trial),
  };
}

static int run(void *argument, int argc, char **argv) {
  const struct settings *settings = argument;
  const struct prof_pairs_plan plan = plan_of(settings);
  struct prof_trial trials[2] = {0};
  struct result result = {0};
  struct prof_diag diag = {0};
  int exit_status = PROF_EXIT_OK;
  prof_status status = split(argc, argv, trials, &diag);
  if (status == PROF_OK)
    status = prof_pairs_measure(trials, &plan, &diag, &result.pairs);
  if (status == PROF_OK)
    status = find_diff(settings, trials, &plan, &diag, &result);
  prof_trial_progress(NULL);
  if (status == PROF_OK)
    status = show(settings, &plan, trials, &result, &exit_status, &diag);
  if (status == PROF_OK && settings->note)
    status = note_result(settings->note, trials, &result, &diag);
  prof_pairs_fini(&result.pairs);
  prof_diff_fini(&result.diff);
  prof_run_group_fini(&result.groups[PROF_OLD]);
  prof_run_group_fini(&result.groups[PROF_NEW]);
  return status == PROF_OK ? exit_status : prof_command_fail(&diag);
}

#define IN(member) PROF_MEMBER(struct settings, member)
#define GIVEN(member) .given = offsetof(struct settings, member)
static const struct prof_option options[] = {
    {"pairs", 'n', "N", "run at most N pairs (default: 40); stops early when it is sure", PROF_OPTION_COUNT, IN(pairs),
     GIVEN(has_pairs), .low = 1, .high = MOST_PAIRS},
    {"recordings", 'r', "N", "record N pairs for the functions (default: 5; 0: none)", PROF_OPTION_COUNT,
     IN(recordings), GIVEN(has_recordings), .high = MOST_RECORDINGS},
    {"rows", 0, "N", "show the first N functions (default: 20; 0: all)", PROF_OPTION_COUNT, IN(rows), GIVEN(has_rows)},
    {"warm-up", 0, "N", "run each N times before (default: 1)", PROF_OPTION_COUNT, IN(warm_ups), GIVEN(has_warm_ups),
     .high = MOST_RECORDINGS},
    {"precise", 0, "PCT", "stop at an interval of +-PCT (default: 1%)", PROF_OPTION_SHARE, IN(half), GIVEN(has_half)},
    {"same", 0, "PCT", "an interval within +-PCT is `same` (default: 5%)", PROF_OPTION_SHARE, IN(same),
     GIVEN(has_same)},
    {"keep", 0, "DIR", "keep the recordings in DIR, as DIR/old.0 and so on", PROF_OPTION_TEXT, IN(keep), .low = 1,
     .remedy = "give a folder, as in --keep=runs"},
    {"note", 0, "TITLE", "note the result in " PROF_LEDGER_FILE ", for prof log", PROF_OPTION_TEXT, IN(note), .low = 1,
     .remedy = "give a title, as in --note='larger buffer'"},
    PROF_TRIAL_ROWS,
    {0},
};

const struct prof_command prof_command_compare = {
    .name = "compare",
    .arguments = "-- OLD ARGS... -- NEW ARGS...",
    .summary = "Run two commands in turns: which one is faster, and in which functions",
    .group = "Decide",
    .options = options,
    .stop_at_program = true,
    .settings_bytes = sizeof(struct settings),
    .run = run,
};
