/*
 * tools/command/info/machine_info.h - what `prof info` shows of the machine and of the processes' use of it.
 */
#ifndef PROF_COMMAND_MACHINE_INFO_H
#define PROF_COMMAND_MACHINE_INFO_H

#include "base/json.h"
#include "command/output.h"
#include "proftrace.h"

/* Facts: faults, context switches, memory, if they are known; carbon: grams per kWh, 0: not asked for. */
void prof_usage_info_print(const prof_trace *, double carbon, const struct prof_output *);
/* A table of the readings. */
prof_status prof_machine_info_print(const prof_trace *, const struct prof_output *, struct prof_diag *) PROF_MUST_CHECK;
prof_status prof_machine_info_json(const prof_trace *, double carbon, struct prof_json *,
                                   struct prof_diag *) PROF_MUST_CHECK;

#endif
