/*
 * tools/command/decide/baseline.c - `prof baseline save`: keeps what runs of a build cost, in one small file.
 */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/diag.h"
#include "command/command.h"
#include "command/decide/groups.h"
#include "command/options/common.h"
#include "decide/baseline.h"
#include "view/units.h"

#define USAGE "prof baseline save NAME RECORDING..."
#define FEW_RUNS 10u /* fewer tell little about how runs vary */

struct settings {
  struct prof_run_wanted wanted;
  const char *folder;
};

/* A name becomes a file's: letters, digits, '.', '_' and '-', no leading dot. */
static bool is_name(const char *name) {
  for (const char *c = name; *c; c++)
    if (!isalnum((unsigned char)*c) && !strchr("._-", *c))
      return false;
  return name[0] && name[0] != '.';
}

/* Writes beside the file and renames, so that a baseline is whole or the old one. */
static prof_status save(const char *path, const struct prof_run_group *group, size_t *omitted, struct prof_diag *diag) {
  char partial[PATH_MAX + 16];
  snprintf(partial, sizeof partial, "%.*s.new", PATH_MAX, path);
  FILE *file = fopen(partial, "we");
  if (!file)
    return prof_diag_system(diag, errno, partial, "can't write the baseline", "choose another folder with --folder");
  const bool written = prof_baseline_write(file, group, omitted);
  const bool failed = ferror(file) != 0;
  const int error = fclose(file) || failed ? errno : 0;
  prof_status status = PROF_OK;
  if (!written)
    status = prof_diag_memory(diag);
  else if (error || rename(partial, path))
    status = prof_diag_system(diag, error ? error : errno, path, "can't write the baseline", "is the disk full?");
  if (status != PROF_OK)
    unlink(partial);
  return status;
}

static int run(void *argument, int argc, char **argv) {
  const struct settings *settings = argument;
  const char *folder = settings->folder ? settings->folder : PROF_BASELINE_FOLDER;
  struct prof_run_group group = {0};
  struct prof_diag diag = {0};
  size_t omitted = 0;
  char path[PATH_MAX], number[PROF_UNITS_BYTES];
  prof_status status = PROF_OK;
  if (argc < 3 || strcmp(argv[0], "save") != 0)
    status = prof_command_usage(&diag, USAGE,
                                argc && strcmp(argv[0], "save") ? "what is '%s'?" : "a name and recordings are needed",
                                argc ? argv[0] : "");
  else if (!is_name(argv[1]))
    status = prof_command_usage(&diag, "names have letters, digits, dots, _ and -", "'%s' can't be a baseline's name",
                                argv[1]);
  if (status == PROF_OK)
    status = prof_groups_read(argv + 2, (size_t)argc - 2, &settings->wanted, "saved", &diag, &group);
  if (status == PROF_OK && mkdir(folder, 0777) && errno != EEXIST)
    status = prof_diag_system(&diag, errno, folder, "can't make the folder", "choose another one with --folder");
  if (status == PROF_OK) {
    snprintf(path, sizeof path, "%.3000s/%.200s%s", folder, argv[1], PROF_BASELINE_SUFFIX);
    status = save(path, &group, &omitted, &diag);
  }
  if (status == PROF_OK) {
    fprintf(stderr, "prof: wrote %s: %zu %s", path, group.count, group.count == 1 ? "run" : "runs");
    if (omitted)
      fprintf(stderr, "; the %s cheapest rows found no room", prof_units_count(number, omitted));
    fprintf(stderr, "\n");
    if (group.count < FEW_RUNS)
      fprintf(stderr, "prof: %u runs or more tell better how runs vary\n", FEW_RUNS);
  }
  prof_run_group_fini(&group);
  return status == PROF_OK ? PROF_EXIT_OK : prof_command_fail(&diag);
}

#define IN(member) PROF_MEMBER(struct settings, member)
static const struct prof_option options[] = {
    {"folder", 0, "DIR", "keep baselines in DIR (default: " PROF_BASELINE_FOLDER ")", PROF_OPTION_TEXT, IN(folder),
     .low = 1, .high = 3000, .remedy = "give a folder, as in --folder=ci"},
    {"loops", 0, NULL, "keep loops too", PROF_OPTION_FLAG, IN(wanted.loops)},
    {"lines", 0, NULL, "keep source lines too, by samples", PROF_OPTION_FLAG, IN(wanted.lines)},
    {0},
};

const struct prof_command prof_command_baseline = {
    .name = "baseline",
    .arguments = "save NAME RECORDING...",
    .summary = "Keep what runs cost in a small file, for prof gate and prof diff",
    .group = "Decide",
    .options = options,
    .settings_bytes = sizeof(struct settings),
    .run = run,
};
