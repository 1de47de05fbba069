/*
 * tools/record/control/control_client.h - finds recordings that run, and asks their recorders.
 */
#ifndef PROF_RECORD_CONTROL_CLIENT_H
#define PROF_RECORD_CONTROL_CLIENT_H

#include <stdbool.h>

#include "base/vec.h"
#include "prof_status.h"
#include "record/control/control_name.h"

struct prof_control_found { /* pids as this namespace has them */
  pid_t program, recorder;
  char name[16]; /* of the program's process, as the kernel has it; "": not known */
};
struct prof_control_list {
  PROF_VEC(struct prof_control_found) items;
};

/* All recordings in progress of this network namespace whose recorder lives.  PROF_NO_MEMORY, PROF_IO. */
prof_status prof_control_find(struct prof_control_list *, struct prof_diag *) PROF_MUST_CHECK;

/* Is its recorder stopped, by Ctrl-Z or with its program?  Then it answers when it goes on. */
bool prof_control_is_stopped(const struct prof_control_found *);

/* Asks one; `answer` gets its line.  PROF_OK: it was done.  PROF_USAGE: it can't be, `answer` says why. PROF_NOT_FOUND:
 * the recording has ended.  PROF_IO: it is another user's, its recorder is stopped, or an error of the system. */
prof_status prof_control_ask(const struct prof_control_found *, const char *word, struct prof_diag *,
                             char answer[PROF_CONTROL_LINE_BYTES]) PROF_MUST_CHECK;

#endif
