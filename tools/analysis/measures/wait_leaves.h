/*
 * tools/analysis/measures/wait_leaves.h - each call path's waiting time by what it waited for.
 *
 * Job: for flamegraphs of waiting time with the reason as leaf.  In: a profile, and its trace that was recorded with
 * --locks.  Out: leaves per node of the profile, as those of lines (lines/line_leaves.h); a leaf is "[mutex queue]",
 * "[sleep at app.c:12]", "[poll at net.c:40]", ...
 *
 * Where waits last longer than the path's own waiting time (a thread that spun), they are cut to it in proportion. What
 * no measured wait covers stays the function's own.
 */
#ifndef PROF_ANALYSIS_WAIT_LEAVES_H
#define PROF_ANALYSIS_WAIT_LEAVES_H

#include "analysis/lines/line_leaves.h"
#include "study/symbols.h"

/* Without such waits there are no leaves: out->count is 0.  samples of a leaf: its waits.  Free it with
 * prof_line_leaves_free.  PROF_NO_MEMORY with a diagnostic. */
prof_status prof_wait_leaves_make(const struct prof_profile *, const struct prof_filter *, struct prof_names *,
                                  struct prof_symbols *, struct prof_diag *,
                                  struct prof_line_leaves *out) PROF_MUST_CHECK;

#endif
