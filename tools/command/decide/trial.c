/*
 * tools/command/decide/trial.c - see trial.h.
 */
#include "command/decide/trial.h"

#include <errno.h>
#include <ftw.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/diag.h"
#include "module.h"
#include "proftrace.h"

#define OWN_WORDS 5 /* of `prof record` before the command's */

static prof_status check_end(const struct prof_trial *trial, const struct prof_timed_run *run, struct prof_diag *diag) {
  const char *show = "--show-output shows what it prints";
  const int status = run->wait_status;
  if (run->timed_out)
    return prof_diag_fill(diag, PROF_IO, trial->words[0], PROF_NO_OFFSET, "--timeout sets the limit",
                          "%s was ended: it ran longer than its limit", trial->title);
  if (WIFSIGNALED(status))
    return prof_diag_fill(diag, PROF_IO, trial->words[0], PROF_NO_OFFSET, show, "%s was killed by signal %d",
                          trial->title, WTERMSIG(status));
  if (status)
    return prof_diag_fill(diag, PROF_IO, trial->words[0], PROF_NO_OFFSET, show, "%s ended with status %d", trial->title,
                          WEXITSTATUS(status));
  return PROF_OK;
}

prof_status prof_trial_plain(const struct prof_trial *trial, const struct prof_timed_streams *streams,
                             struct prof_diag *diag, struct prof_trial_times *times) {
  struct prof_timed_run run = {0};
  unsetenv(PROF_ENV_RECORD);
  prof_status status = prof_timed_run(NULL, trial->words, streams, &run, diag);
  *times = (struct prof_trial_times){run.cpu_ns, run.wall_ns};
  return status == PROF_OK ? check_end(trial, &run, diag) : status;
}

prof_status prof_trial_record(const struct prof_trial *trial, const struct prof_timed_streams *streams,
                              const char *folder, struct prof_diag *diag) {
  static char name[] = "prof", record[] = "record", output[] = "-o", dashes[] = "--";
  size_t count = 0;
  while (trial->words[count])
    count++;
  char **words = calloc(count + OWN_WORDS + 1, sizeof *words), *path = strdup(folder);
  struct prof_timed_run run = {0};
  prof_status status = words && path ? PROF_OK : prof_diag_memory(diag);
  if (status == PROF_OK) {
    memcpy(words, (char *[]){name, record, output, path, dashes}, OWN_WORDS * sizeof *words);
    memcpy(words + OWN_WORDS, trial->words, count * sizeof *words);
    unsetenv(PROF_ENV_RECORD);
    status = prof_timed_run("/proc/self/exe", words, streams, &run, diag);
  }
  free(words);
  free(path);
  if (status == PROF_OK)
    status = check_end(trial, &run, diag);
  if (status == PROF_OK && access(folder, F_OK))
    status = prof_diag_fill(diag, PROF_EMPTY, trial->words[0], PROF_NO_OFFSET,
                            "compile it with the plugin (prof config --cflags)", "%s made no events", trial->title);
  return status;
}

prof_status prof_trial_room_make(struct prof_trial_room *room, struct prof_diag *diag) {
  const char *temporary = getenv("TMPDIR");
  snprintf(room->path, sizeof room->path, "%.*s/prof-trials.XXXXXX", PATH_MAX - 32, temporary ? temporary : "/tmp");
  if (mkdtemp(room->path))
    return PROF_OK;
  const int error = errno;
  prof_status status = prof_diag_system(diag, error, room->path, "can't make a folder", "set TMPDIR to one with space");
  room->path[0] = 0;
  return status;
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *place) {
  (void)status, (void)kind, (void)place;
  return remove(path) && errno != ENOENT ? -1 : 0;
}

void prof_trial_room_remove(const struct prof_trial_room *room) {
  if (room->path[0])
    nftw(room->path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

void prof_trial_progress(const char *format, ...) {
  va_list arguments;
  if (!isatty(STDERR_FILENO))
    return;
  fputs("\r\x1b[K", stderr);
  if (!format)
    return;
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
}
