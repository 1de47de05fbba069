/*
 * tools/record/inject/inject.h - brings the runtime into a running program that was not prepared for a recording.
 *
 * In: a process of the same user.  Out: its runtime stands by (wire/standby.h), as if it had been started with
 * PROF_STANDBY=1, until it ends.  One of its threads is stopped meanwhile, the others run on.
 */
#ifndef PROF_RECORD_INJECT_H
#define PROF_RECORD_INJECT_H

#include <stdint.h>
#include <sys/types.h>

#include "prof_status.h"

/*
 * *pause_ns: for how long the thread was stopped.  PROF_USAGE, PROF_UNSUPPORTED, PROF_NOT_FOUND: it can't be done; the
 * process runs as before.  PROF_IO: the runtime could not begin there.
 */
prof_status prof_inject(pid_t, uint64_t *pause_ns, struct prof_diag *) PROF_MUST_CHECK;

#endif
