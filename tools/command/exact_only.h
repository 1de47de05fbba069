/*
 * tools/command/exact_only.h - the line above views of single calls, in a recording with a budget: calls are missing.
 */
#ifndef PROF_COMMAND_EXACT_ONLY_H
#define PROF_COMMAND_EXACT_ONLY_H

#include "output.h"
#include "proftrace.h"

/* Calls that windows counted have no times.  Prints nothing if every call of the recording is an event. */
void prof_exact_only(const prof_trace *, const struct prof_output *);

#endif
