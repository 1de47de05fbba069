/*
 * tools/command/command_rows.h - decides when `prof report` shows a row per command without --by.
 *
 * Sums over functions of many different programs mean little, so each program gets a row.  In: an opened recording with
 * its filter.  Out: the decision, and the next command for the user.
 */
#ifndef PROF_COMMAND_ROWS_H
#define PROF_COMMAND_ROWS_H

#include "analysis/functions.h"
#include "output.h"
#include "reader.h"

/* Processes with events that the filter shows. */
size_t prof_command_rows_processes(const struct prof_reader *);

/* Are there many such processes, of more than one program? */
bool prof_command_rows_wanted(const struct prof_reader *);

/* Prints the line below such a table: how to see functions. */
void prof_command_rows_next(const struct prof_reader *, const struct prof_function_rows *, const struct prof_output *);

#endif
