/*
 * tools/command/top/follow.h - a recording in progress, read again and again up to the present.
 *
 * In: a process, a name, a folder, or nothing.  Out: the folder, and the moment up to which its file is complete: the
 * recorder is asked through its socket (record/control).  Without a recorder that answers, data are some time old.
 */
#ifndef PROF_COMMAND_TOP_FOLLOW_H
#define PROF_COMMAND_TOP_FOLLOW_H

#include <limits.h>

#include "record/control/control_client.h"

struct prof_follow {
  struct prof_control_found recorder; /* recorder 0: none answers */
  bool by_process;                    /* a process or name was given: else a folder */
  char path[PATH_MAX];                /* of the recording */
  char look[PATH_MAX];                /* of one that is kept in memory: its last seconds; "": it isn't */
  uint64_t ticks;                     /* all until then is in the file, or in `look`; 0: not known */
  uint64_t look_ticks;                /* of `look`: the recorder's clock at asked_ns; 0: not known */
  uint64_t asked_ns;                  /* of a steady clock, when the answer was asked for; 0: there is none */
  double budget;                      /* 0: none, or not known */
  double overhead;                    /* since the time before, or since the beginning; below 0: not known */
  double added_ns, cpu_ns;            /* of the time before */
};

/*
 * Finds it.  wanted: NULL: the recording in DIR (`input`), or if that is none or not in progress, the only one in
 * progress.  PROF_USAGE: there is none, or there are several.
 */
prof_status prof_follow_begin(struct prof_follow *, const char *wanted, const char *input, bool has_input,
                              struct prof_diag *) PROF_MUST_CHECK;

/* Has everything written, of a ring or summary the last seconds.  The recording may have ended meanwhile: that is no
 * error. */
prof_status prof_follow_next(struct prof_follow *, struct prof_diag *) PROF_MUST_CHECK;

/* The steady clock of asked_ns. */
uint64_t prof_follow_now_ns(void);

#endif
