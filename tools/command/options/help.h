/*
 * tools/command/options/help.h - help texts, made from the rows.  Each returns an exit status.
 */
#ifndef PROF_COMMAND_HELP_H
#define PROF_COMMAND_HELP_H

#include <stdio.h>

#include "command/command.h"

extern const char prof_version[]; /* "0.1.0" */

int prof_help_overview(FILE *);                             /* prof --help */
int prof_help_command(FILE *, const struct prof_command *); /* prof CMD --help */

/*
 * prof --dump-options: one line per option for tests and generators, separated by tabs: command, letter (with a
 * dash, or empty), long name (with dashes), argument (or empty), "own" or "shared", help.
 */
int prof_help_dump(FILE *);

/*
 * prof --dump-lists: lists that man pages hold, separated by tabs: "commands", or a command and its option whose
 * values are named rows; a name; what it is.
 */
int prof_help_lists(FILE *);

#endif
