/*
 * tools/decide/run_parts.h - rows of a run within functions: loops, lines; and of memory.  For run_read.c.
 */
#ifndef PROF_DECIDE_RUN_PARTS_H
#define PROF_DECIDE_RUN_PARTS_H

#include "decide/run.h"
#include "estimate/profile.h"
#include "study/recording.h"

/* The profile was folded with loops. */
prof_status prof_run_add_loops(struct prof_run *, const struct prof_recording *, const struct prof_profile *,
                               struct prof_diag *) PROF_MUST_CHECK;

/* A line's name: its distance from the first line of its function, or its file and number.  Returns out. */
#define PROF_RUN_LINE_NAME_BYTES 4352
const char *prof_run_line_name(const struct prof_recording *, const char *function, const char *file, uint32_t line,
                               char out[PROF_RUN_LINE_NAME_BYTES]);
/* Folds the recording anew, and reads its debug information. */
prof_status prof_run_add_lines(struct prof_run *, const struct prof_recording *, struct prof_diag *) PROF_MUST_CHECK;
/* What was allocated, if the recording has it (--memory): in all, by functions and, if wanted, by lines. */
prof_status prof_run_add_memory(struct prof_run *, const struct prof_recording *, bool lines,
                                struct prof_diag *) PROF_MUST_CHECK;

#endif
