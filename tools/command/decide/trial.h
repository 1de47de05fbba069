/*
 * tools/command/decide/trial.h - runs a command once, plain or recorded, and stops where it fails.
 */
#ifndef PROF_COMMAND_TRIAL_H
#define PROF_COMMAND_TRIAL_H

#include <limits.h>
#include <stdint.h>

#include "command/overhead/timed_run.h"
#include "decide/run.h"

struct prof_trial {
  char *const *words; /* argv of the command */
  const char *title;  /* "OLD", for messages */
};

struct prof_trial_times {
  uint64_t cpu_ns, wall_ns;
};

/* PROF_NOT_FOUND, PROF_IO: it can't be started, ended with another status than 0, by a signal, or at its limit. */
prof_status prof_trial_plain(const struct prof_trial *, const struct prof_timed_streams *, struct prof_diag *,
                             struct prof_trial_times *) PROF_MUST_CHECK;
/* The same with `prof record`, into this folder.  PROF_EMPTY: it made no events. */
prof_status prof_trial_record(const struct prof_trial *, const struct prof_timed_streams *, const char *folder,
                              struct prof_diag *) PROF_MUST_CHECK;

struct prof_trial_room { /* a folder below TMPDIR for recordings */
  char path[PATH_MAX];
};
prof_status prof_trial_room_make(struct prof_trial_room *, struct prof_diag *) PROF_MUST_CHECK;
void prof_trial_room_remove(const struct prof_trial_room *); /* with the recordings in it */

/* A progress line on a terminal; NULL ends it. */
void prof_trial_progress(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
