/*
 * tools/command/command_rows.h - when `prof report` shows a row per command without --by.
 *
 * Sums over functions of many different programs mean little, so each program gets a row.  In: an opened recording with
 * its filter.  Out: whether to do so, and what to type next.
 */
#ifndef PROF_COMMAND_ROWS_H
#define PROF_COMMAND_ROWS_H

#include "analysis/functions.h"
#include "output.h"
#include "reader.h"

/* Processes with events that the filter shows. */
size_t prof_command_rows_processes(const struct prof_reader *);

/* Whether there are many of them, of more than one program. */
bool prof_command_rows_wanted(const struct prof_reader *);

/* The line below such a table: how to see functions. */
void prof_command_rows_next(const struct prof_reader *, const struct prof_function_rows *, const struct prof_output *);

#endif
