/*
 * tools/command/info/burst_info.h - the budget of a recording, and what it recorded of dense functions, for `prof
 * info`.
 */
#ifndef PROF_COMMAND_BURST_INFO_H
#define PROF_COMMAND_BURST_INFO_H

#include "base/json.h"
#include "command/output.h"
#include "proftrace.h"

/* Print nothing of a recording without a budget. */
void prof_burst_info_print(const prof_trace *, const struct prof_output *);
void prof_burst_info_json(const prof_trace *, struct prof_json *);

#endif
