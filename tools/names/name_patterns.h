/*
 * tools/names/name_patterns.h - which functions a user means by patterns.
 *
 * A pattern is a glob (fnmatch without flags) on the linkage name, and on the demangled name with and without its
 * parameters and its template arguments, and on the short name; a match of any counts.  A name as it was shown is one
 * pattern, whatever brackets it has.  With its suffix behind it, as zones are shown, it means zones alone.  With a file
 * or module behind it, as functions of one name are shown (apart.h), it means those of that place: "init (a.c)",
 * "init (src/a.c:20)".
 */
#ifndef PROF_NAMES_NAME_PATTERNS_H
#define PROF_NAMES_NAME_PATTERNS_H

#include <stdbool.h>
#include <stddef.h>

#include "names/demangle.h"
#include "names/near_miss.h"
#include "proftrace.h"

/* The forms of one function's name; all but the first may be equal to another. */
enum prof_name_form {
  PROF_NAME_LINKAGE,
  PROF_NAME_FULL,
  PROF_NAME_WITHOUT_PARAMETERS,
  PROF_NAME_WITHOUT_TEMPLATES,
  PROF_NAME_SHORT,
  PROF_NAME_FORMS
};

struct prof_name_forms { /* zeroed at first, then used for one function after another */
  const char *names[PROF_NAME_FORMS];
  struct prof_name_buffer buffers[PROF_NAME_FORMS];
  const char *suffix;        /* of a zone as it is shown; else NULL */
  const char *file, *module; /* paths; "": unknown */
  uint32_t line;             /* 0: unknown */
};

/* Of a function's name, language, file, line and whether it is a zone; and of the path of its module.  The paths are
 * borrowed.  false: no memory. */
bool prof_name_forms_make(struct prof_name_forms *, const struct prof_function *, const char *module);
void prof_name_forms_free(struct prof_name_forms *);

bool prof_name_forms_match(const struct prof_name_forms *, const char *pattern);
/* Offers what a user may have meant. */
void prof_name_forms_offer(const struct prof_name_forms *, struct prof_near_miss *);

/* Does a pattern match a path, or its last part? */
bool prof_path_matches(const char *path, const char *pattern);

#endif
