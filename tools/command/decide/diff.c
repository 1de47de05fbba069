/*
 * tools/command/decide/diff.c - `prof diff`: which functions became faster or slower between two groups of recordings?
 */
#include <math.h>
#include <stdio.h>

#include "base/json.h"
#include "command/command.h"
#include "command/decide/diff_show.h"
#include "command/decide/groups.h"
#include "command/decide/ledger.h"
#include "command/options/common.h"
#include "command/output.h"
#include "decide/baseline.h"

#define DEFAULT_ROWS 30
#define DEFAULT_SAME 0.05
#define DEFAULT_MIN_SHARE 0.01

struct settings {
  struct prof_common common; /* for its output */
  bool has_rows, has_same, has_min_share, has_margin;
  struct prof_run_wanted wanted;
  uint64_t rows;
  const char *note;
  double same, min_share, margin;
};

static prof_status show(const struct settings *settings, const struct prof_diff *diff,
                        const struct prof_run_group groups[2], double same, int *result, struct prof_diag *diag) {
  struct prof_output output;
  struct prof_json json;
  prof_status status = PROF_OK;
  prof_output_begin(&output, &settings->common);
  if (settings->common.format == PROF_FORMAT_JSON) {
    prof_json_init(&json, output.file, 2);
    prof_json_object(&json, NULL);
    prof_diff_json(diff, groups, &json);
    prof_json_object_end(&json);
  } else if (settings->common.format == PROF_FORMAT_CSV) {
    status = prof_diff_csv(diff, output.file, diag);
  } else {
    const size_t rows = settings->has_rows ? settings->rows : DEFAULT_ROWS;
    status = prof_diff_table_show(diff, groups, rows, same, &output, diag);
  }
  *result = prof_output_end(&output);
  return status;
}

static prof_status note_result(const char *title, const struct prof_diff *diff, const struct prof_run_group groups[2],
                               struct prof_diag *diag) {
  char row[PROF_LEDGER_ROW_BYTES];
  const struct prof_diff_row *program = &diff->program;
  const double unknown = (double)NAN;
  const struct prof_ledger_entry entry = {.title = title,
                                          .command = "diff",
                                          .verdict = prof_verdict_words[program->verdict],
                                          .ratio = program->has_ratio ? program->ratio : unknown,
                                          .low = program->has_ratio ? program->low : unknown,
                                          .high = program->has_ratio ? program->high : unknown,
                                          .old = groups[PROF_OLD].runs[0].path,
                                          .new = groups[PROF_NEW].runs[0].path,
                                          .row = prof_ledger_row(diff, row)};
  return prof_ledger_add(PROF_LEDGER_FILE, &entry, diag);
}

static int run(void *argument, int argc, char **argv) {
  const struct settings *settings = argument;
  struct prof_run_group groups[2] = {0};
  struct prof_diff diff = {0};
  struct prof_diag diag = {0};
  int result = PROF_EXIT_OK;
  const struct prof_diff_options options = {
      .same = settings->has_same ? settings->same : DEFAULT_SAME,
      .margin = settings->has_margin ? settings->margin : 0,
      .min_share = settings->has_min_share ? settings->min_share : DEFAULT_MIN_SHARE,
  };
  prof_status status = prof_groups_read_both(argv, (size_t)argc, &settings->wanted, &diag, groups);
  if (status == PROF_OK)
    status = prof_diff_make(groups, &options, &diag, &diff);
  if (status == PROF_OK)
    status = show(settings, &diff, groups, options.same, &result, &diag);
  if (status == PROF_OK && settings->note)
    status = note_result(settings->note, &diff, groups, &diag);
  prof_diff_fini(&diff);
  prof_run_group_fini(&groups[PROF_OLD]);
  prof_run_group_fini(&groups[PROF_NEW]);
  return status == PROF_OK ? result : prof_command_fail(&diag);
}

#define IN(member) PROF_MEMBER(struct settings, member)
#define GIVEN(member) .given = offsetof(struct settings, member)
static const struct prof_option options[] = {
    {"loops", 0, NULL, "compare loops too", PROF_OPTION_FLAG, IN(wanted.loops)},
    {"lines", 0, NULL, "compare source lines too, by samples", PROF_OPTION_FLAG, IN(wanted.lines)},
    {"rows", 'n', "N", "show the first N rows (default: 30; 0: all)", PROF_OPTION_COUNT, IN(rows), GIVEN(has_rows)},
    {"same", 0, "PCT", "an interval within +-PCT is `same` (default: 5%)", PROF_OPTION_SHARE, IN(same),
     GIVEN(has_same)},
    {"margin", 0, "PCT", "smaller changes are none (default: 1%, or 2% if the runs did not take turns)",
     PROF_OPTION_SHARE, IN(margin), GIVEN(has_margin)},
    {"min-share", 0, "PCT", "compare rows from this share of the time on (default: 1%)", PROF_OPTION_SHARE,
     IN(min_share), GIVEN(has_min_share)},
    {"note", 0, "TITLE", "note the result in " PROF_LEDGER_FILE ", for prof log", PROF_OPTION_TEXT, IN(note), .low = 1,
     .remedy = "give a title, as in --note='larger buffer'"},
    {"format", 0, NULL, "output format (default: table)", PROF_OPTION_WORD, IN(common.format),
     PROF_WORDS("table", "json", "csv")},
    PROF_COMMON_COLOR,
    PROF_COMMON_WIDTH,
    PROF_COMMON_NO_PAGER,
    {0},
};

const struct prof_command prof_command_diff = {
    .name = "diff",
    .arguments = "OLD... [--] NEW...",
    .summary = "Show which functions became faster or slower, with intervals",
    .group = "Decide",
    .options = options,
    .groups = true,
    .settings_bytes = sizeof(struct settings),
    .run = run,
};
