/*
 * candidate.h - a function that may be instrumented, as a backend describes it.
 *
 * Filled by the backend for one function at a time; all strings are borrowed and live as long as the call.
 */
#ifndef PROF_PLUGIN_CANDIDATE_H
#define PROF_PLUGIN_CANDIDATE_H

#include <stdbool.h>
#include <stdint.h>

#include "row.h"

/* Reasons against probes that only the compiler knows; select.c has their order and texts. */
#define PROF_OBSTACLE_NAKED 0x1u
#define PROF_OBSTACLE_RESOLVER 0x2u /* of an ifunc: runs before relocation */
#define PROF_OBSTACLE_NO_INSTRUMENT 0x4u

#define PROF_FUNCTION_NAMES 4

struct prof_candidate {
  const char *anchor;                     /* symbol of a function in the same text section: itself, or a fixed one */
  const char *assembler_name;             /* as the symbol table has it */
  const char *source_name;                /* if it differs from the assembler name (wire/row.h); else NULL */
  const char *names[PROF_FUNCTION_NAMES]; /* other names for globs; NULL: none */
  const char *file;                       /* as given to the compiler, for globs and the listing; "" unknown */
  const char *recorded_file;              /* the same after -ffile-prefix-map, for the facts */
  const char *unit;                       /* main source file of its translation unit; "" unknown */
  uint32_t line;                          /* of its declaration; 0 unknown */
  uint32_t statements;
  uint32_t flags; /* PROF_FUNCTION_ */
  enum prof_language language;
  uint32_t obstacles; /* PROF_OBSTACLE_ */
  bool annotated;     /* has the attribute prof_probe */
  bool wants_times;   /* has the attribute prof_lines */
  bool in_group;      /* in a COMDAT group: the linker may drop this copy */
};

#endif
