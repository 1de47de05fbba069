/*
 * tools/command/info/slice_info.h - which part of its time each process was recorded, for `prof info`.
 */
#ifndef PROF_COMMAND_SLICE_INFO_H
#define PROF_COMMAND_SLICE_INFO_H

#include "base/json.h"
#include "command/output.h"
#include "proftrace.h"

/* Print nothing if no process was bounded. */
void prof_slice_info_print(const prof_trace *, const struct prof_output *);
void prof_slice_info_json(const prof_trace *, struct prof_json *);

#endif
