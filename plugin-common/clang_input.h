/*
 * clang_input.h - does this Clang compile intermediate code, where plugins of its front end don't run?
 */
#ifndef PROF_PLUGIN_CLANG_INPUT_H
#define PROF_PLUGIN_CLANG_INPUT_H

/* Prints a warning to standard error if so; prof can then put no probes in.  Reads this process's command line. */
void prof_clang_input_check(void);

#endif
