/*
 * tools/command/symbols_warn.h - warns of missing debug information of modules.
 */
#ifndef PROF_COMMAND_SYMBOLS_WARN_H
#define PROF_COMMAND_SYMBOLS_WARN_H

#include "study/symbols.h"

/* Prints a line on stderr for each queried module that lacks information, with a remedy. */
void prof_symbols_warn(struct prof_symbols *);

#endif
