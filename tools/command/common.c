/*
 * tools/command/common.c - the rows of the options that all readers share, and how each is taken.
 */
#include "common.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"

void prof_common_init(struct prof_common *common) {
  common->input = PROF_DEFAULT_INPUT;
  common->range.end_ns = UINT64_MAX;
  common->max_memory = PROF_DEFAULT_MEMORY;
}

void prof_common_fini(struct prof_common *common) {
  free(common->only.items);
  free(common->without.items);
  free(common->commands.items);
  free(common->tids.items);
  free(common->pids.items);
  free(common->path_rules);
}

prof_status prof_words_add(struct prof_words *words, const char *word, struct prof_diag *diag) {
  const char **items = realloc(words->items, (words->count + 1) * sizeof *items);
  if (!items)
    return prof_diag_memory(diag);
  words->items = items;
  items[words->count++] = word;
  return PROF_OK;
}

prof_status prof_common_take_input(void *settings, const char *value, struct prof_diag *diag) {
  struct prof_common *common = settings;
  if (!value[0])
    return prof_command_usage(diag, "give the folder of a recording, as in -i prof.data", "--input is empty");
  common->input = value;
  return PROF_OK;
}

/* perf's -F is a frequency; whoever comes from there gets the right flag instead of "no such function". */
static prof_status take_only(void *settings, const char *value, struct prof_diag *diag) {
  struct prof_common *common = settings;
  size_t digits = strspn(value, "0123456789");
  if (digits && !value[digits]) {
    char remedy[120];
    snprintf(remedy, sizeof remedy, "did you mean --sample=%.20s?  (-F shows only the functions that match a name)",
             value);
    return prof_command_usage(diag, remedy, "-F %.20s is no function name", value);
  }
  return prof_words_add(&common->only, value, diag);
}

static prof_status take_without(void *settings, const char *value, struct prof_diag *diag) {
  struct prof_common *common = settings;
  return prof_words_add(&common->without, value, diag);
}

static prof_status take_depth(void *settings, const char *value, struct prof_diag *diag) {
  struct prof_common *common = settings;
  uint64_t depth = 0;
  prof_status status = prof_value_count("--depth", value, 1, UINT32_MAX, &depth, diag);
  common->depth = (uint32_t)depth;
  return status;
}

static prof_status take_time_filter(void *settings, const char *value, struct prof_diag *diag) {
  struct prof_common *common = settings;
  return prof_value_duration("-t", value, &common->min_ns, diag);
}

prof_status prof_common_take_time(void *settings, const char *value, struct prof_diag *diag) {
  static const char *const words[PROF_TIME_KINDS + 1] = {"running", "waiting", "elapsed", NULL};
  struct prof_common *common = settings;
  int index = 0;
  if (value[0] >= '0' && value[0] <= '9')
    return prof_command_usage(diag, "to hide calls shorter than a duration use -t (--time-filter)",
                              "--time=%.40s is not running, waiting or elapsed", value);
  prof_status status = prof_value_word("--time", value, words, &index, diag);
  common->time = (enum prof_time_kind)index;
  common->has_time = status == PROF_OK;
  return status;
}

/* Numbers behind each other, "12,13". */
static prof_status numbers_add(const char *flag, struct prof_numbers *numbers, const char *value,
                               struct prof_diag *diag) {
  char word[16];
  for (const char *at = value;;) {
    size_t length = strcspn(at, ",");
    uint64_t number = 0;
    snprintf(word, sizeof word, "%.*s", (int)(length < sizeof word ? length : sizeof word - 1), at);
    prof_status status = prof_value_count(flag, word, 1, UINT32_MAX, &number, diag);
    if (status != PROF_OK)
      return status;
    uint32_t *items = realloc(numbers->items, (numbers->count + 1) * sizeof *items);
    if (!items)
      return prof_diag_memory(diag);
    numbers->items = items;
    items[numbers->count++] = (uint32_t)number;
    if (!at[length])
      return PROF_OK;
    at += length + 1;
  }
}

static prof_status take_tid(void *settings, const char *value, struct prof_diag *diag) {
  return numbers_add("--tid", &((struct prof_common *)settings)->tids, value, diag);
}

static prof_status take_pid(void *settings, const char *value, struct prof_diag *diag) {
  return numbers_add("--pid", &((struct prof_common *)settings)->pids, value, diag);
}

static prof_status take_command(void *settings, const char *value, struct prof_diag *diag) {
  return prof_words_add(&((struct prof_common *)settings)->commands, value, diag);
}

static prof_status take_memory(void *settings, const char *value, struct prof_diag *diag) {
  return prof_value_size("--max-memory", value, &((struct prof_common *)settings)->max_memory, diag);
}

static prof_status take_range(void *settings, const char *value, struct prof_diag *diag) {
  struct prof_common *common = settings;
  return prof_value_range("--range", value, &common->range, diag);
}

static prof_status take_format(void *settings, const char *value, struct prof_diag *diag) {
  static const char *const words[] = {"table", "json", "csv", NULL};
  struct prof_common *common = settings;
  int index = 0;
  prof_status status = prof_value_word("--format", value, words, &index, diag);
  common->format = (enum prof_format)index;
  return status;
}

static prof_status take_demangle(void *settings, const char *value, struct prof_diag *diag) {
  static const char *const words[] = {"full", "short", "no", NULL};
  struct prof_common *common = settings;
  int index = 0;
  prof_status status = prof_value_word("--demangle", value, words, &index, diag);
  common->demangle = (enum prof_demangle)index;
  return status;
}

static prof_status take_color(void *settings, const char *value, struct prof_diag *diag) {
  static const char *const words[] = {"auto", "always", "never", NULL};
  struct prof_common *common = settings;
  int index = 0;
  prof_status status = prof_value_word("--color", value, words, &index, diag);
  common->color = (enum prof_color)index;
  return status;
}

static prof_status take_no_pager(void *settings, const char *value, struct prof_diag *diag) {
  struct prof_common *common = settings;
  (void)value;
  (void)diag;
  common->no_pager = true;
  return PROF_OK;
}

static prof_status take_verbose(void *settings, const char *value, struct prof_diag *diag) {
  struct prof_common *common = settings;
  (void)value;
  (void)diag;
  common->verbose = true;
  return PROF_OK;
}

static prof_status take_width(void *settings, const char *value, struct prof_diag *diag) {
  struct prof_common *common = settings;
  common->has_width = true;
  prof_status status = prof_value_count("--width", value, 0, 100000, &common->width, diag);
  if (status == PROF_OK && common->width > 0 && common->width < PROF_LEAST_WIDTH)
    return prof_command_usage(diag, "give at least 60 columns, or 0 for no limit", "--width=%s is too narrow", value);
  return status;
}

static prof_status take_raw(void *settings, const char *value, struct prof_diag *diag) {
  struct prof_common *common = settings;
  (void)value;
  (void)diag;
  common->raw = true;
  return PROF_OK;
}

prof_status prof_common_take_path_map(void *settings, const char *value, struct prof_diag *diag) {
  struct prof_common *common = settings;
  struct prof_path_rule rule;
  if (!prof_path_rule_parse(value, &rule))
    return prof_command_usage(diag, "give two folders, as in --path-map=/build/app=/srv/me/app",
                              "--path-map=%s is no rule OLD=NEW", value);
  struct prof_path_rule *rules = realloc(common->path_rules, (common->path_rule_count + 1) * sizeof *rules);
  if (!rules)
    return prof_diag_memory(diag);
  common->path_rules = rules;
  rules[common->path_rule_count++] = rule;
  return PROF_OK;
}

prof_status prof_common_take_loops(void *settings, const char *value, struct prof_diag *diag) {
  (void)value;
  (void)diag;
  ((struct prof_common *)settings)->loops = true;
  return PROF_OK;
}

prof_status prof_common_take_lines(void *settings, const char *value, struct prof_diag *diag) {
  (void)value;
  (void)diag;
  ((struct prof_common *)settings)->lines = true;
  return PROF_OK;
}

prof_status prof_common_take_split(void *settings, const char *value, struct prof_diag *diag) {
  static const char *const words[] = {"process", "command", NULL};
  int index = 0;
  prof_status status = prof_value_word("--by", value, words, &index, diag);
  ((struct prof_common *)settings)->split = index ? PROF_SPLIT_COMMAND : PROF_SPLIT_PROCESS;
  return status;
}

const struct prof_option prof_common_options[] = {
    {"input", 'i', "DIR", "the recording to read (default: prof.data)", prof_common_take_input},
    {"only", 'F', "GLOB", "show only these functions and their callees; may be repeated", take_only},
    {"without", 'N', "GLOB", "hide these functions and their callees; may be repeated", take_without},
    {"depth", 'D', "N", "show at most N levels of calls", take_depth},
    {"time-filter", 't', "MIN", "hide calls shorter than this, as in 10us", take_time_filter},
    {"tid", 0, "TID,...", "show only these threads (system thread ids)", take_tid},
    {"pid", 0, "PID,...", "only these processes (system process ids)", take_pid},
    {"command", 0, "GLOB", "only processes of programs with such a name or path; may be repeated", take_command},
    {"range", 0, "A~B", "show only this time range, as in 1s~2s, ~500ms, 50%~75%", take_range},
    {"raw", 0, NULL, "show times as measured, probe overhead included", take_raw},
    {"max-memory", 0, "SIZE",
     "limit memory for call paths; beyond it the coldest become [other] (default: 1G; 0: no limit)", take_memory},
    {"path-map", 0, "OLD=NEW", "look for files recorded below OLD below NEW; may be repeated",
     prof_common_take_path_map},
    {"format", 0, "table|json|csv", "output format (default: table)", take_format},
    {"demangle", 0, "full|short|no", "show names in full, short, or mangled", take_demangle},
    {"color", 0, "auto|always|never", "colour (default: only on a terminal, and not with NO_COLOR)", take_color},
    {"verbose", 'v', NULL, "explain above tables how figures were computed", take_verbose},
    {"width", 0, "N", "limit lines to N columns; 0: no limit (default: the terminal's, or 200)", take_width},
    {"no-pager", 0, NULL, "don't start a pager", take_no_pager},
    {0},
};
