/*
 * tools/study/line_source.h - from what source did the code at an address come?
 *
 * Job: the question that analyses of lines ask.  symbols.c answers it, from debug information or from what was packed.
 */
#ifndef PROF_STUDY_LINE_SOURCE_H
#define PROF_STUDY_LINE_SOURCE_H

#include <stdint.h>

#include "prof_status.h"

struct prof_line_frame {
  const char *function; /* shown name; NULL unknown */
  const char *file;     /* shown path; NULL unknown.  Equal files may have different pointers */
  uint32_t line;        /* 0 unknown */
};

struct prof_line_source {
  void *context;
  /*
   * The chain of inlined calls at a link-time address of a module (index into the trace's), innermost first: each but
   * the last was inlined into the next.  Texts live as long as the source, the array until the next call.
   * PROF_NOT_FOUND: nothing is known, *count is 0; PROF_NO_MEMORY.
   */
  prof_status (*find)(void *context, uint32_t module, uint64_t address, const struct prof_line_frame **frames,
                      uint32_t *count);
};

#endif
