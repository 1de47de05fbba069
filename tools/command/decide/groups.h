/*
 * tools/command/decide/groups.h - arguments into groups of runs.
 *
 *    A B              two recordings, or baselines
 *    A1 A2 -- B1 B2   two groups; globs in any word ('old.*')
 */
#ifndef PROF_COMMAND_GROUPS_H
#define PROF_COMMAND_GROUPS_H

#include "decide/diff.h"

/* The folder of named baselines, and the suffix of their files. */
#define PROF_BASELINE_FOLDER "prof.baselines"
#define PROF_BASELINE_SUFFIX ".baseline"

/* Reads every recording that the words name; `what` names the group in messages.  Free it in any case
 * (decide/baseline.h). */
prof_status prof_groups_read(char *const *words, size_t count, const struct prof_run_wanted *, const char *what,
                             struct prof_diag *, struct prof_run_group *out) PROF_MUST_CHECK;
/* The first recording or baseline that a word names.  Free *out, also after a failure. */
prof_status prof_groups_first(const char *word, struct prof_diag *, char **out) PROF_MUST_CHECK;
/* Adds one recording, or all runs of a baseline. */
prof_status prof_groups_add(const char *path, const struct prof_run_wanted *, struct prof_diag *,
                            struct prof_run_group *) PROF_MUST_CHECK;
/* Splits the words, and reads both groups. */
prof_status prof_groups_read_both(char *const *words, size_t count, const struct prof_run_wanted *, struct prof_diag *,
                                  struct prof_run_group out[2]) PROF_MUST_CHECK;

#endif
