/*
 * tools/analysis/arguments.h - calls by what they were given, or by what they returned: how many, and how long.
 *
 * In: a trace with arguments or returned values (`prof record --args --ret`), and a filter, which decides the calls
 * that count.  One walk; memory: 16 bytes for each such call, and the different texts.
 */
#ifndef PROF_ANALYSIS_ARGUMENTS_H
#define PROF_ANALYSIS_ARGUMENTS_H

#include "analysis/frames.h"
#include "base/arena.h"
#include "names/names.h"

struct prof_argument_rows {
  struct prof_frames rows; /* by total time; "find(key=12)", or "find() = 3"; without `slowest` */
  struct prof_arena texts; /* of their names */
};

/* returned: by returned values; else by arguments.  Free *out with prof_arguments_free.  PROF_EMPTY: there are none;
 * after a failure there is nothing to free. */
prof_status prof_arguments_find(const prof_trace *, struct prof_names *, const struct prof_filter *, bool returned,
                                struct prof_diag *, struct prof_argument_rows *out) PROF_MUST_CHECK;
void prof_arguments_free(struct prof_argument_rows *);

#endif
