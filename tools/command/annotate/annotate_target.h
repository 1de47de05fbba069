/*
 * tools/command/annotate/annotate_target.h - what `prof annotate WORD` means: functions, a file, or the lines around
 * one.
 */
#ifndef PROF_COMMAND_ANNOTATE_TARGET_H
#define PROF_COMMAND_ANNOTATE_TARGET_H

#include "analysis/lines/lines.h"
#include "base/vec.h"
#include "command/reader.h"
#include "estimate/profile.h"
#include "study/inlined.h"
#include "study/symbols.h"

struct prof_annotate_target {
  const char *function; /* shown name; NULL: a file */
  const char *file;     /* as rows name it */
  uint32_t first, last; /* lines; last 0: to the end */
  uint32_t module;      /* index; PROF_NONE: not known */
  uint64_t address;     /* of the function's code, when module is known */
  const struct prof_inlined_place
      *places; /* where its code is, of one that was inlined; NULL: it was called, or a file */
  size_t place_count;
};

struct prof_annotate_targets {
  PROF_VEC(struct prof_annotate_target) list;
  struct prof_inlined_list inlined; /* what targets may point into */
};

/*
 * FILE, FILE:LINE (FILE: a path or its end from a slash on, of a line that cost something) or a function by name or
 * glob, also one that was inlined everywhere: of a glob only those whose lines cost something.  PROF_USAGE with a
 * diagnostic when it is none of them; PROF_NOT_FOUND when it is a function whose source isn't known.
 */
prof_status prof_annotate_targets_find(const char *word, const struct prof_reader *, const struct prof_profile *,
                                       const struct prof_line_rows *, struct prof_symbols *, struct prof_diag *,
                                       struct prof_annotate_targets *) PROF_MUST_CHECK;
void prof_annotate_targets_fini(struct prof_annotate_targets *);

#endif
