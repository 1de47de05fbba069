/*
 * tools/decide/run_parts.h - rows of a run within functions: loops and lines.  For run_read.c.
 */
#ifndef PROF_DECIDE_RUN_PARTS_H
#define PROF_DECIDE_RUN_PARTS_H

#include "decide/run.h"
#include "estimate/profile.h"
#include "study/recording.h"

/* The profile was folded with loops. */
prof_status prof_run_add_loops(struct prof_run *, const struct prof_recording *, const struct prof_profile *,
                               struct prof_diag *) PROF_MUST_CHECK;
/* Folds the recording anew, and reads its debug information. */
prof_status prof_run_add_lines(struct prof_run *, const struct prof_recording *, struct prof_diag *) PROF_MUST_CHECK;

#endif
