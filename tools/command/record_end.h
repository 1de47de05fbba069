/*
 * tools/command/record_end.h - the lines that `prof record` prints at its end: time, cost, contents of the trace, what
 * to do next.
 */
#ifndef PROF_COMMAND_RECORD_END_H
#define PROF_COMMAND_RECORD_END_H

#include <stdio.h>

#include "record/session.h"

void prof_record_end_print(FILE *, const struct prof_session_result *);

#endif
