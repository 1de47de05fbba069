/*
 * tools/command/symbols_warn.h - what the debug information of modules could not answer.
 */
#ifndef PROF_COMMAND_SYMBOLS_WARN_H
#define PROF_COMMAND_SYMBOLS_WARN_H

#include "study/symbols.h"

/* One line on stderr for each module that was asked for and could not answer, and what to do. */
void prof_symbols_warn(struct prof_symbols *);

#endif
