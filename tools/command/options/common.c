/*
 * tools/command/options/common.c - the rows of the options that all readers share.
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
  free(common->path_rules);
}

/* perf's -F is a frequency: the remedy names our flag for it. */
static prof_status check_only(void *settings, const char *value, struct prof_diag *diag) {
  (void)settings;
  size_t digits = strspn(value, "0123456789");
  char remedy[120];
  if (!digits || value[digits])
    return PROF_OK;
  snprintf(remedy, sizeof remedy, "did you mean --sample=%.20s?  (-F shows only the functions that match a name)",
           value);
  return prof_command_usage(diag, remedy, "-F %.20s is no function name", value);
}

const char *const prof_time_words[] = {"running", "waiting", "elapsed", NULL};

/* Other tools' --time is a duration: the remedy names our flag for it. */
prof_status prof_common_check_time(void *settings, const char *value, struct prof_diag *diag) {
  (void)settings;
  if (value[0] < '0' || value[0] > '9')
    return PROF_OK;
  return prof_command_usage(diag, "to hide calls shorter than a duration use -t (--time-filter)",
                            "--time=%.40s is not running, waiting or elapsed", value);
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

#define IN(member) PROF_COMMON(member)
const struct prof_option prof_common_options[] = {
    PROF_COMMON_INPUT("the recording to read (default: prof.data)"),
    {"only", 'F', "GLOB", "show only these functions and their callees; may be repeated", PROF_OPTION_TEXTS, IN(only),
     .take = check_only},
    {"without", 'N', "GLOB", "hide these functions and their callees; may be repeated", PROF_OPTION_TEXTS, IN(without)},
    {"under", 0, "ZONE", "show only what ran beneath these zones (globs); may be repeated", PROF_OPTION_TEXTS,
     IN(under)},
    {"file", 0, "GLOB", "show only functions of these source files; may be repeated", PROF_OPTION_TEXTS, IN(files)},
    {"module", 0, "GLOB", "show only functions of these programs and libraries; may be repeated", PROF_OPTION_TEXTS,
     IN(modules)},
    {"caller", 'C', "GLOB", "show only calls of these functions and the calls that led to them; may be repeated",
     PROF_OPTION_TEXTS, IN(callers)},
    {"depth", 'D', "N", "show at most N levels of calls", PROF_OPTION_COUNT, IN(depth), .low = 1},
    {"time-filter", 't', "MIN", "hide calls shorter than this, as in 10us", PROF_OPTION_DURATION, IN(min_ns)},
    PROF_COMMON_TID("show only these threads (system thread ids)"),
    PROF_COMMON_PID("show only these processes (system process ids)"),
    PROF_COMMON_COMMAND("show only processes of programs with such a name or path; may be repeated"),
    PROF_COMMON_RANGE("show only this time range, as in 1s~2s, ~500ms, 50%~75%"),
    {"raw", 0, NULL, "show times as measured, probe overhead included", PROF_OPTION_FLAG, IN(raw)},
    {"max-memory", 0, "SIZE", "limit memory for call paths; the coldest become [other] (default: 1G; 0: no limit)",
     PROF_OPTION_SIZE, IN(max_memory), .given = offsetof(struct prof_common, has_memory)},
    PROF_COMMON_PATH_MAP,
    {"format", 0, NULL, "output format (default: table)", PROF_OPTION_WORD, IN(format),
     PROF_WORDS("table", "json", "csv")},
    {"demangle", 0, NULL, "show names in full, short, or mangled", PROF_OPTION_WORD, IN(demangle),
     PROF_WORDS("full", "short", "no")},
    PROF_COMMON_COLOR,
    {"verbose", 'v', NULL, "explain above tables how figures were computed", PROF_OPTION_FLAG, IN(verbose)},
    PROF_COMMON_WIDTH,
    PROF_COMMON_NO_PAGER,
    {0},
};
