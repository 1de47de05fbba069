/*
 * tools/record/inject/injectable.h - what forbids to bring the runtime into a process, and what the user can do.
 *
 * In: a process of the same user that runs.  Out: a diagnostic.  Nothing is done to the process.
 */
#ifndef PROF_RECORD_INJECTABLE_H
#define PROF_RECORD_INJECTABLE_H

#include "prof_status.h"
#include "record/inject/target.h"

/* Before the process's files are read.  PROF_USAGE, PROF_UNSUPPORTED: forbidden. */
prof_status prof_injectable_check(pid_t, struct prof_diag *) PROF_MUST_CHECK;
/* The files that it has mapped, and the runtime's, as it sees it. */
prof_status prof_injectable_check_files(const struct prof_target *, const char *runtime,
                                        struct prof_diag *) PROF_MUST_CHECK;
/* ptrace was refused with this errno. */
prof_status prof_injectable_explain_refusal(pid_t, int error, struct prof_diag *);

#endif
