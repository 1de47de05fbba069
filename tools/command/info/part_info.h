/*
 * tools/command/info/part_info.h - what `prof info` shows of a recording that is a part of a longer one; how long its
 * events are.
 */
#ifndef PROF_COMMAND_PART_INFO_H
#define PROF_COMMAND_PART_INFO_H

#include "base/json.h"
#include "command/output.h"
#include "proftrace.h"

void prof_part_info_print(const prof_trace *, const struct prof_output *); /* nothing of a whole recording */
void prof_part_info_json(const prof_trace *, struct prof_json *);          /* likewise */

/* From the first event to the last. */
uint64_t prof_info_span_ticks(const prof_trace *);

#endif
