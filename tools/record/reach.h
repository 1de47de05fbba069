/*
 * tools/record/reach.h - joins a program that runs already, and leaves it again (wire/standby.h).
 *
 * In: a process, and our region.  Out: its sites write into the region, or why they can't.  A process that was not
 * started with PROF_STANDBY=1 is prepared once (inject/inject.h); else no thread is ever stopped.
 */
#ifndef PROF_RECORD_REACH_H
#define PROF_RECORD_REACH_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "prof_status.h"
#include "record/region/region.h"

struct prof_reach {
  pid_t pid, tid;    /* tid: of its thread that waits for recorders */
  uint64_t pause_ns; /* for how long a thread was stopped to make that one; 0: it was there */
};

/* PROF_NOT_FOUND: no such process.  PROF_USAGE, PROF_UNSUPPORTED, PROF_IO: it can't be recorded; the diagnostic says
 * why. */
prof_status prof_reach_find(pid_t, struct prof_reach *, struct prof_diag *) PROF_MUST_CHECK;
/* Asks it to join; waits for its answer.  PROF_USAGE, PROF_IO: it refuses, or gave none. */
prof_status prof_reach_join(const struct prof_reach *, const struct prof_region *, struct prof_diag *) PROF_MUST_CHECK;
/* All its processes leave.  Waits for them, but not for ever. */
void prof_reach_leave(const struct prof_reach *, const struct prof_region *);

/* CPU time of the process so far.  false: it has ended. */
bool prof_reach_cpu(pid_t, uint64_t *user_ns, uint64_t *system_ns);

#endif
