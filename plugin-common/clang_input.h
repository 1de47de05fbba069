/*
 * clang_input.h - warns if this Clang compiles intermediate code, for which its front end's plugins don't run.
 */
#ifndef PROF_PLUGIN_CLANG_INPUT_H
#define PROF_PLUGIN_CLANG_INPUT_H

/* Prints a warning to standard error if so.  Reads this process's command line. */
void prof_clang_input_check(void);

#endif
