/*
 * tools/command/decide/tune.c - `prof tune`: which setting of a command is the quickest?
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/json.h"
#include "base/whole.h"
#include "command/command.h"
#include "command/decide/diff_show.h"
#include "command/decide/race.h"
#include "command/decide/trial_options.h"
#include "command/decide/tune_settings.h"
#include "command/options/common.h"
#include "command/output.h"

#define DEFAULT_ROUNDS 10
#define DEFAULT_SAME 0.02
#define BAR_COLUMNS 30

enum { BY_ELAPSED, BY_CPU };

struct settings {
  struct prof_common common; /* for its output */
  struct prof_texts sets;
  struct prof_trial_settings trial;
  bool has_same;
  uint32_t rounds, by;
  double same;
};

struct state {
  struct prof_tune_settings settings;
  struct prof_racer *racers;
  size_t best;
};

static void bar(char out[BAR_COLUMNS + 1], double ns, double most_ns) {
  const size_t length = most_ns > 0 ? (size_t)(ns / most_ns * BAR_COLUMNS + 0.5) : 0;
  memset(out, '#', length < BAR_COLUMNS ? length : BAR_COLUMNS);
  out[length < BAR_COLUMNS ? length : BAR_COLUMNS] = 0;
}

static const char *verdict_of(const struct state *state, size_t at) {
  return at == state->best                                ? "best"
         : state->racers[at].verdict == PROF_VERDICT_SAME ? "as good"
                                                          : prof_verdict_words[state->racers[at].verdict];
}

static size_t runs_of(const struct state *state) {
  size_t runs = 0;
  for (size_t i = 0; i < state->settings.combinations; i++)
    runs += state->racers[i].rounds;
  return runs;
}

static bool show_table(const struct state *state, bool cpu, const struct prof_output *output) {
  const struct prof_column columns[] = {{NULL, "SETTING", PROF_CELL_TEXT},
                                        {NULL, "RUNS", PROF_CELL_COUNT},
                                        {NULL, cpu ? "CPU" : "ELAPSED", PROF_CELL_NS},
                                        {NULL, "OVER BEST", PROF_CELL_TEXT},
                                        {NULL, "95% INTERVAL", PROF_CELL_TEXT},
                                        {NULL, "VERDICT", PROF_CELL_TEXT},
                                        {NULL, "", PROF_CELL_TEXT, 0, 1}};
  struct prof_table *table = prof_table_new(columns, sizeof columns / sizeof *columns);
  char text[PROF_CHANGE_BYTES], line[BAR_COLUMNS + 1];
  double most_ns = 0;
  for (size_t i = 0; i < state->settings.combinations; i++)
    most_ns = fmax(most_ns, state->racers[i].median_ns);
  for (size_t i = 0; table && i < state->settings.combinations; i++) {
    const struct prof_racer *racer = &state->racers[i];
    prof_table_text(table, racer->trial.title);
    prof_table_count(table, racer->rounds);
    prof_table_count(table, prof_whole(racer->median_ns));
    prof_table_text(table, i == state->best ? "" : prof_change_text(text, racer->ratio));
    prof_table_text(table, i == state->best ? "" : prof_change_interval(text, racer->low, racer->high));
    prof_table_text(table, verdict_of(state, i));
    bar(line, racer->median_ns, most_ns);
    prof_table_text(table, line);
  }
  const bool done = table && !prof_table_failed(table);
  if (done) {
    snprintf(line, sizeof line, "%s", cpu ? "CPU time" : "elapsed time");
    fprintf(output->file, "best by %s: %s, after %zu runs of %zu settings\n", line,
            state->racers[state->best].trial.title, runs_of(state), state->settings.combinations);
    prof_table_print(table, output->file, &output->style);
  }
  prof_table_free(table);
  return done;
}

static void show_json(const struct state *state, bool cpu, FILE *file) {
  struct prof_json json;
  prof_json_init(&json, file, 2);
  prof_json_object(&json, NULL);
  prof_json_text(&json, "best", state->racers[state->best].trial.title);
  prof_json_text(&json, "by", cpu ? "cpu" : "elapsed");
  prof_json_count(&json, "runs", runs_of(state));
  prof_json_array(&json, "settings");
  for (size_t i = 0; i < state->settings.combinations; i++) {
    const struct prof_racer *racer = &state->racers[i];
    prof_json_object(&json, NULL);
    prof_json_text(&json, "setting", racer->trial.title);
    prof_json_array(&json, "values");
    for (size_t j = 0; j < state->settings.count; j++)
      prof_json_text(&json, NULL, prof_tune_value(&state->settings, i, j));
    prof_json_array_end(&json);
    prof_json_count(&json, "runs", racer->rounds);
    prof_json_count(&json, "median_ns", prof_whole(racer->median_ns));
    prof_json_text(&json, "verdict", prof_verdict_words[racer->verdict]);
    prof_json_number(&json, "ratio", racer->ratio);
    prof_json_number(&json, "low", racer->low > 0 ? racer->low : (double)NAN);
    prof_json_number(&json, "high", racer->high);
    prof_json_object_end(&json);
  }
  prof_json_array_end(&json);
  prof_json_object_end(&json);
}

static prof_status prepare(const struct settings *settings, char *const *words, struct state *state,
                           struct prof_diag *diag) {
  prof_status status = prof_tune_settings_make(settings->sets.items, settings->sets.count, diag, &state->settings);
  if (status == PROF_OK)
    status = prof_tune_check(&state->settings, words, diag);
  if (status != PROF_OK)
    return status;
  state->racers = calloc(state->settings.combinations, sizeof *state->racers);
  for (size_t i = 0; state->racers && i < state->settings.combinations; i++) {
    state->racers[i].trial.words = prof_tune_words(&state->settings, i, words);
    state->racers[i].trial.title = prof_tune_title(&state->settings, i);
    if (!state->racers[i].trial.words || !state->racers[i].trial.title)
      return prof_diag_memory(diag);
  }
  return state->racers ? PROF_OK : prof_diag_memory(diag);
}

static int run(void *argument, int argc, char **argv) {
  const struct settings *settings = argument;
  struct state state = {0};
  struct prof_diag diag = {0};
  struct prof_output output;
  int result = PROF_EXIT_OK;
  const struct prof_race_plan plan = {
      .most_rounds = settings->rounds ? settings->rounds : DEFAULT_ROUNDS,
      .same = settings->has_same ? settings->same : DEFAULT_SAME,
      .elapsed = settings->by == BY_ELAPSED,
      .seed = prof_trial_seed(&settings->trial),
      .streams = prof_trial_streams(&settings->trial),
  };
  prof_status status = argc ? prepare(settings, argv, &state, &diag)
                            : prof_command_usage(&diag, "prof tune --set='THREADS=1..8' -- ./app -j {THREADS}",
                                                 "which command shall be tuned?");
  if (status == PROF_OK)
    status = prof_race_run(state.racers, state.settings.combinations, &plan, &diag, &state.best);
  prof_trial_progress(NULL);
  if (status == PROF_OK) {
    prof_output_begin(&output, &settings->common);
    if (settings->common.format == PROF_FORMAT_JSON)
      show_json(&state, !plan.elapsed, output.file);
    else if (!show_table(&state, !plan.elapsed, &output))
      status = prof_diag_memory(&diag);
    result = prof_output_end(&output);
  }
  free(state.racers);
  prof_tune_settings_fini(&state.settings);
  return status == PROF_OK ? result : prof_command_fail(&diag);
}

#define IN(member) PROF_MEMBER(struct settings, member)
#define GIVEN(member) .given = offsetof(struct settings, member)
static const struct prof_option options[] = {
    {"set", 0, "NAME=VALUES", "values to try for {NAME}: 1..8, 1..64*2, 0..100+25, or a,b,c; may be repeated",
     PROF_OPTION_TEXTS, IN(sets)},
    {"by", 0, NULL, "time that decides (default: elapsed)", PROF_OPTION_WORD, IN(by), PROF_WORDS("elapsed", "cpu")},
    {"rounds", 'n', "N", "run each setting at most N times (default: 10)", PROF_OPTION_COUNT, IN(rounds), .low = 3,
     .high = PROF_RACE_MOST_ROUNDS},
    {"same", 0, "PCT", "so near to the best is as good (default: 2%)", PROF_OPTION_SHARE, IN(same), GIVEN(has_same)},
    PROF_TRIAL_ROWS,
    {0},
};

const struct prof_command prof_command_tune = {
    .name = "tune",
    .arguments = "--set=NAME=VALUES -- PROGRAM ARGS...",
    .summary = "Find the quickest setting of a command with few runs",
    .group = "Decide",
    .options = options,
    .stop_at_program = true,
    .settings_bytes = sizeof(struct settings),
    .run = run,
};
