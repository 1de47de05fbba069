/*
 * tools/record/session.h - one recording from start to end.
 *
 * In: the user's options.  Out: a folder with a trace, and figures for the user.  Connects region, writer, pump and
 * program; prints nothing.
 */
#ifndef PROF_RECORD_SESSION_H
#define PROF_RECORD_SESSION_H

#include <sys/types.h>

#include "record/session_options.h"

/*
 * Starts the program `arguments` (ends in NULL) and records it until it ends.  PROF_OK: it ran (see wait_status), even
 * if the trace is incomplete (see written).  Else it was never started: PROF_NOT_FOUND: no such program (or no
 * runtime); PROF_IO: it can't be executed, or the folder can't be made; PROF_USAGE, PROF_NO_MEMORY.  in_program: the
 * program caused the error.
 */
prof_status prof_session_record(const struct prof_session_options *, char *const *arguments, struct prof_diag *,
                                bool *in_program, struct prof_session_result *) PROF_MUST_CHECK;

/* Serves the running program `program`, whose runtime asked for it (wire/module.h): writes the ring's path or an error
 * to descriptor `answer`, and records until all its processes are gone. */
prof_status prof_session_serve(const struct prof_session_options *, int answer, pid_t program,
                               struct prof_diag *) PROF_MUST_CHECK;

/* Records the running program `pid` (record/reach.h) until it ends, a signal comes or bounds.duration_ns are over.
 * PROF_OK: it was recorded, and runs on.  Else it was never touched; statuses as of prof_reach_find and
 * prof_session_record. */
prof_status prof_session_join(const struct prof_session_options *, pid_t pid, struct prof_diag *,
                              struct prof_session_result *) PROF_MUST_CHECK;

#endif
