/*
 * tools/command/decide/trial_options.h - options of commands that run others: a limit, their streams, the order.
 *
 * A command has a `struct prof_trial_settings trial` in its `struct settings`, and PROF_TRIAL_ROWS among its options.
 */
#ifndef PROF_COMMAND_TRIAL_OPTIONS_H
#define PROF_COMMAND_TRIAL_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "base/member.h"
#include "command/options/common.h"
#include "command/overhead/timed_run.h"

#define PROF_TRIAL_LIMIT_NS 600000000000u

struct prof_trial_settings {
  bool has_limit, has_seed, shown;
  uint64_t limit_ns, seed;
  const char *input;
};

#define PROF_TRIAL_ROWS                                                                                                \
  {"timeout",                                                                                                          \
   0,                                                                                                                  \
   "TIME",                                                                                                             \
   "end a run that takes longer, and stop (default: 10m; 0: never)",                                                   \
   PROF_OPTION_DURATION,                                                                                               \
   PROF_MEMBER(struct settings, trial.limit_ns),                                                                       \
   .given = offsetof(struct settings, trial.has_limit)},                                                               \
      {"seed",                                                                                                         \
       0,                                                                                                              \
       "N",                                                                                                            \
       "the random order of runs (default: by the time)",                                                              \
       PROF_OPTION_COUNT,                                                                                              \
       PROF_MEMBER(struct settings, trial.seed),                                                                       \
       .given = offsetof(struct settings, trial.has_seed)},                                                            \
      {"stdin",          0,                                                                                            \
       "FILE",           "standard input of each run (default: empty)",                                                \
       PROF_OPTION_TEXT, PROF_MEMBER(struct settings, trial.input)},                                                   \
      {"show-output",                                                                                                  \
       0,                                                                                                              \
       NULL,                                                                                                           \
       "show on standard error what commands print",                                                                   \
       PROF_OPTION_FLAG,                                                                                               \
       PROF_MEMBER(struct settings, trial.shown)},                                                                     \
      {"format",                                                                                                       \
       0,                                                                                                              \
       NULL,                                                                                                           \
       "output format (default: table)",                                                                               \
       PROF_OPTION_WORD,                                                                                               \
       PROF_MEMBER(struct settings, common.format),                                                                    \
       PROF_WORDS("table", "json")},                                                                                   \
      PROF_COMMON_COLOR, PROF_COMMON_WIDTH, PROF_COMMON_NO_PAGER

static inline uint64_t prof_trial_seed(const struct prof_trial_settings *settings) {
  return settings->has_seed ? settings->seed : (uint64_t)time(NULL);
}

static inline struct prof_timed_streams prof_trial_streams(const struct prof_trial_settings *settings) {
  return (struct prof_timed_streams){.input = settings->input,
                                     .shown = settings->shown,
                                     .limit_ns = settings->has_limit ? settings->limit_ns : PROF_TRIAL_LIMIT_NS};
}

#endif
