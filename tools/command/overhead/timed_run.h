/*
 * tools/command/overhead/timed_run.h - runs a program once and takes its times.
 *
 * In: arguments, what its standard streams are.  Out: elapsed and CPU time, wait status.  While it runs, SIGINT and
 * SIGQUIT of the terminal are the program's.
 */
#ifndef PROF_COMMAND_TIMED_RUN_H
#define PROF_COMMAND_TIMED_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "prof_status.h"

struct prof_timed_streams {
  const char *input; /* path of standard input; NULL: /dev/null */
  bool shown;        /* its output and errors go to our errors; else they are dropped */
  uint64_t limit_ns; /* it is ended after so long; 0: never */
};

struct prof_timed_run {
  uint64_t wall_ns, cpu_ns; /* of the program and the children that it waited for */
  int wait_status;
  bool timed_out;
};

/* argv[0] is looked up in PATH; executable: run instead of it, NULL: none.  PROF_NOT_FOUND, PROF_IO: not started. */
prof_status prof_timed_run(const char *executable, char *const *argv, const struct prof_timed_streams *,
                           struct prof_timed_run *, struct prof_diag *) PROF_MUST_CHECK;

#endif
