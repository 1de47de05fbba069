/*
 * tools/command/decide/gate.c - `prof gate`: do runs keep the rules?  Exit status 0 kept, 1 broken, 2 could not judge.
 */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "command/command.h"
#include "command/decide/gate_show.h"
#include "command/decide/groups.h"
#include "command/options/common.h"
#include "command/output.h"
#include "decide/baseline.h"

#define DEFAULT_RULES "gate.toml"
enum { EXIT_KEPT = 0, EXIT_BROKEN = 1, EXIT_UNKNOWN = 2 };

struct settings {
  struct prof_common common; /* for its output */
  const char *rules, *folder, *path;
  enum prof_gate_format format;
};

/* The baseline that the rules name, if any; a recording or a file stands for itself. */
static prof_status read_baseline(const struct settings *settings, const struct prof_gate_rules *rules,
                                 const struct prof_run_wanted *wanted, struct prof_diag *diag,
                                 struct prof_run_group *out) {
  char path[PATH_MAX];
  if (!rules->baseline)
    return PROF_OK;
  if (access(rules->baseline, F_OK) == 0)
    return prof_groups_add(rules->baseline, wanted, diag, out);
  snprintf(path, sizeof path, "%.3000s/%.200s%s", settings->folder ? settings->folder : PROF_BASELINE_FOLDER,
           rules->baseline, PROF_BASELINE_SUFFIX);
  if (access(path, F_OK))
    return prof_diag_fill(diag, PROF_NOT_FOUND, path, PROF_NO_OFFSET,
                          "make it with: prof baseline save NAME RECORDING...", "there is no baseline '%s'",
                          rules->baseline);
  return prof_groups_add(path, wanted, diag, out);
}

static prof_status judge(const struct settings *settings, int argc, char **argv, const struct prof_gate_rules *rules,
                         struct prof_run_group groups[2], int *result, struct prof_diag *diag) {
  static const struct prof_run_wanted wanted = {.loops = true};
  struct prof_gate gate = {0};
  struct prof_output output = {0};
  prof_status status = prof_groups_read(argv, (size_t)argc, &wanted, "new", diag, &groups[PROF_NEW]);
  if (status == PROF_OK)
    status = read_baseline(settings, rules, &wanted, diag, &groups[PROF_OLD]);
  if (status == PROF_OK)
    status = prof_gate_check(rules, groups, diag, &gate);
  if (status == PROF_OK && settings->path)
    status = prof_output_file(&output, settings->path, diag);
  else if (status == PROF_OK)
    prof_output_begin(&output, &settings->common);
  if (status == PROF_OK) {
    const struct prof_gate_shown shown = {rules, &gate, groups};
    status = prof_gate_show(&shown, settings->format, &output, diag);
    const int written = prof_output_end(&output);
    *result = written != PROF_EXIT_OK           ? EXIT_UNKNOWN
              : gate.result == PROF_GATE_KEPT   ? EXIT_KEPT
              : gate.result == PROF_GATE_BROKEN ? EXIT_BROKEN
                                                : EXIT_UNKNOWN;
  }
  prof_gate_fini(&gate);
  return status;
}

static int run(void *argument, int argc, char **argv) {
  const struct settings *settings = argument;
  struct prof_gate_rules rules = {0};
  struct prof_run_group groups[2] = {0};
  struct prof_diag diag = {0};
  int result = EXIT_UNKNOWN;
  prof_status status = PROF_OK;
  if (!argc)
    status = prof_command_usage(&diag, "prof gate --rules=gate.toml RECORDING...", "no recording is given");
  if (status == PROF_OK)
    status = prof_gate_rules_read(settings->rules ? settings->rules : DEFAULT_RULES, &diag, &rules);
  if (status == PROF_OK)
    status = judge(settings, argc, argv, &rules, groups, &result, &diag);
  prof_run_group_fini(&groups[PROF_OLD]);
  prof_run_group_fini(&groups[PROF_NEW]);
  prof_gate_rules_fini(&rules);
  if (status == PROF_OK)
    return result;
  prof_command_fail(&diag);
  return EXIT_UNKNOWN; /* whatever went wrong, the rules were not judged */
}

static bool measure_at(size_t index, struct prof_named *out) {
  out->name = prof_limit_measure_name(index, &out->summary);
  return out->name != NULL;
}

static const struct prof_command_list lists[] = {{"measures", measure_at}, {0}};

#define IN(member) PROF_MEMBER(struct settings, member)
static const struct prof_option options[] = {
    {"rules", 0, "FILE", "the rules, in TOML (default: " DEFAULT_RULES ")", PROF_OPTION_TEXT, IN(rules), .low = 1,
     .remedy = "give a file, as in --rules=gate.toml"},
    {"folder", 0, "DIR", "where baselines are (default: " PROF_BASELINE_FOLDER ")", PROF_OPTION_TEXT, IN(folder),
     .low = 1, .high = 3000, .remedy = "give a folder, as in --folder=ci"},
    {"output", 'o', "FILE", "write to FILE (default: standard output)", PROF_OPTION_TEXT, IN(path), .low = 1,
     .remedy = "give a file, as in -o gate.xml"},
    {"format", 0, NULL, "output format (default: table)", PROF_OPTION_WORD, IN(format),
     PROF_WORDS("table", "json", "junit", "markdown", "github")},
    PROF_COMMON_COLOR,
    PROF_COMMON_WIDTH,
    PROF_COMMON_NO_PAGER,
    {0},
};

const struct prof_command prof_command_gate = {
    .name = "gate",
    .arguments = "RECORDING...",
    .summary = "Check runs against rules, for CI: limits, and no regression",
    .group = "Decide",
    .options = options,
    .lists = lists,
    .settings_bytes = sizeof(struct settings),
    .run = run,
};
