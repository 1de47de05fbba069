/*
 * tools/study/source_text.h - a source file, where it can be found, and whether it is still what was compiled.
 */
#ifndef PROF_STUDY_SOURCE_TEXT_H
#define PROF_STUDY_SOURCE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "study/symbols.h"

struct prof_source_text {
  char *bytes; /* the whole file, a NUL behind it; NULL: not found */
  size_t byte_count;
  size_t *begins; /* where each line begins; one more for the end */
  uint32_t line_count;
  bool newer;       /* it was changed after the program was built, or after it was recorded */
  int64_t changed;  /* when, ns since 1970 */
  char *real;       /* where the file lies, links followed; NULL: it was packed, or not known */
  char tried[1024]; /* where it was looked for, if it wasn't found */
};

/*
 * Reads the source with this path (shown, as of symbols.h): what was packed, else the file; a relative one is also
 * looked for in the folder of the recorded program's start.  `built`: when the program was built, ns since 1970;
 * INT64_MAX: not known.  A file that can't be found is no failure.  PROF_NO_MEMORY.
 */
prof_status prof_source_text_read(const struct prof_symbols *, const char *path, int64_t built, struct prof_diag *,
                                  struct prof_source_text *out) PROF_MUST_CHECK;
void prof_source_text_free(struct prof_source_text *);

/* A line from 1 on without its end; *bytes gets its length.  NULL: there is no such line. */
const char *prof_source_text_line(const struct prof_source_text *, uint32_t line, size_t *bytes);

#endif
