/*
 * tools/command/time_info.h - how times of a recording came about, for `prof info`.
 */
#ifndef PROF_COMMAND_TIME_INFO_H
#define PROF_COMMAND_TIME_INFO_H

#include "output.h"
#include "trace/trace.h"
#include "view/table.h"

/* Two cells of a thread: the share of its CPU time that probes took, and what that means for its times. */
void prof_time_info_cells(const prof_trace *, uint32_t thread, struct prof_table *);

/*
 * What a report's header leaves out: which threads' times are without probe overhead, and the resolution.  With
 * --verbose the header of `prof report --verbose` too, which reads the whole recording.
 */
prof_status prof_time_info_print(const prof_trace *, const struct prof_output *, struct prof_diag *) PROF_MUST_CHECK;

#endif
