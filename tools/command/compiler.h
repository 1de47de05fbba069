/*
 * tools/command/compiler.h - identifies the compiler that a command runs.
 */
#ifndef PROF_COMMAND_COMPILER_H
#define PROF_COMMAND_COMPILER_H

#include <stdbool.h>

#include "prof_status.h"

struct prof_compiler {
  const char *family; /* "gcc" or "clang" */
  unsigned major;
};

/* Runs `command --version`.  PROF_NOT_FOUND: can't be run; PROF_UNSUPPORTED: its output is unknown. */
prof_status prof_compiler_identify(struct prof_compiler *, const char *command, struct prof_diag *) PROF_MUST_CHECK;

/* Parses the first line of that output; false: neither GCC nor Clang. */
bool prof_compiler_parse(struct prof_compiler *, const char *line);

#endif
