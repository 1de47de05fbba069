/*
 * tools/command/info/time_info.h - threads of a recording, and how their times were computed, for `prof info`.
 */
#ifndef PROF_COMMAND_TIME_INFO_H
#define PROF_COMMAND_TIME_INFO_H

#include "command/output.h"
#include "trace/read/trace.h"
#include "view/table.h"

/* A row per thread.  NULL: no memory. */
struct prof_table *prof_time_info_threads(const prof_trace *);

/*
 * Prints which threads' times exclude probe overhead, and the resolution.  With --verbose also the header of `prof
 * report --verbose`, for which it reads the whole recording.
 */
prof_status prof_time_info_print(const prof_trace *, const struct prof_output *, struct prof_diag *) PROF_MUST_CHECK;

#endif
