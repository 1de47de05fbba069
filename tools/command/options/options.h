/*
 * tools/command/options/options.h - the options of a command, from its rows.
 */
#ifndef PROF_COMMAND_OPTIONS_H
#define PROF_COMMAND_OPTIONS_H

#include "command/command.h"

/*
 * Row `index` of a command: its own rows, then (with `filters`) the shared ones, then --help; NULL after the last.
 * *shared (may be NULL): it is a shared one.
 */
const struct prof_option *prof_option_at(const struct prof_command *, size_t index, bool *shared);

/*
 * Stores every option of argv (argv[0] is the command's name) in settings.  *first: index of the first argument that is
 * no option; argv is permuted so that the others come before it.  *help: --help was given; parsing stopped.
 * PROF_USAGE: unknown, ambiguous or malformed; the diagnostic has the remedy.
 */
prof_status prof_options_parse(const struct prof_command *, void *settings, int argc, char **argv, int *first,
                               bool *help, struct prof_diag *) PROF_MUST_CHECK;

/* Frees the lists of options' values. */
void prof_options_free(const struct prof_command *, void *settings);

#endif
