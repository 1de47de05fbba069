/*
 * tools/command/annotate/annotate_target.h - finds what `prof annotate WORD` names: functions, a file, or lines.
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
      *places; /* call sites that the function was inlined at; NULL: a called function, or a file */
  size_t place_count;
};

struct prof_annotate_targets {
  PROF_VEC(struct prof_annotate_target) list;
  struct prof_inlined_list inlined; /* owns what targets point to */
};

/* A function by its index; false: its source lines are not known. */
bool prof_annotate_target_of(const struct prof_reader *, struct prof_symbols *, uint32_t function,
                             struct prof_annotate_target *out);
/* Fills the diagnostic for a function that wasn't called, or whose source lines aren't known; PROF_NOT_FOUND. */
prof_status prof_annotate_not_known(const struct prof_reader *, const struct prof_profile *, uint32_t function,
                                    struct prof_diag *);

/*
 * FILE or FILE:LINE, where FILE is a path, or its last components, of a line with a cost.  Or a function by name or
 * glob, also one that was inlined everywhere; a glob finds only inlined functions with a cost.  PROF_USAGE with a
 * diagnostic: none of these.  PROF_NOT_FOUND: a function without known source.
 */
prof_status prof_annotate_targets_find(const char *word, const struct prof_reader *, const struct prof_profile *,
                                       const struct prof_line_rows *, struct prof_symbols *, struct prof_diag *,
                                       struct prof_annotate_targets *) PROF_MUST_CHECK;
void prof_annotate_targets_fini(struct prof_annotate_targets *);

#endif
