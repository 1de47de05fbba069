/*
 * tools/record/launch.h - starts the recorded program.
 *
 * The program gets our standard streams, working directory, group and terminal, the signal mask and dispositions that
 * we were started with, none of our descriptors, and a few environment variables (wire/module.h, wire/gpu.h).
 */
#ifndef PROF_RECORD_LAUNCH_H
#define PROF_RECORD_LAUNCH_H

#include <limits.h>
#include <sys/types.h>

#include "prof_status.h"
#include "record/gpu/gpu_launch.h"
#include "record/signals.h"

struct prof_launch {
  char *const *arguments; /* ends in NULL; [0] is searched in PATH as by execvp */
  const char *ring_path;
  const char *runtime_path;
  const char *collector_path; /* of the GPU collector; "": none */
  struct prof_gpu_options gpu;
  /* Called while the new process waits to exec; NULL: none. */
  void (*before_exec)(void *context, pid_t pid);
  void *context;
  const struct prof_signals *signals; /* as before we changed them */
};

/* Would prof_launch_start find something to execute?  Call it before anything is made for the program; `found` is its
 * path.  Statuses as there. */
prof_status prof_launch_check(const char *name, struct prof_diag *, char found[PATH_MAX]) PROF_MUST_CHECK;

/* PROF_OK: the program runs.  PROF_NOT_FOUND: there is no such program; PROF_IO: it can't be executed. */
prof_status prof_launch_start(const struct prof_launch *, struct prof_diag *, pid_t *pid) PROF_MUST_CHECK;

/* The runtime's path: $PROF_RUNTIME, beside this program, in the folders of an installation, or where ld.so searches.
 * PROF_NOT_FOUND: nowhere. */
prof_status prof_launch_find_runtime(char out[PATH_MAX], struct prof_diag *) PROF_MUST_CHECK;

/* Why a program couldn't be executed.  Returns PROF_NOT_FOUND or PROF_IO. */
prof_status prof_launch_explain(const char *name, int error, struct prof_diag *);

#endif
