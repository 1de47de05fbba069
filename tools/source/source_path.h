/*
 * tools/source/source_path.h - the paths of source files, each kept once.
 *
 * In: directory and name as a line table gives them.  Out: one pointer per path, so that equal pointers mean equal
 * files.  Paths are texts: no file is looked at, and `a/..` is dropped even where `a` may be a link.
 */
#ifndef PROF_SOURCE_SOURCE_PATH_H
#define PROF_SOURCE_SOURCE_PATH_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

#define PROF_SOURCE_PATH_BYTES 4096 /* the longest, its NUL included */

struct prof_source_paths { /* zeroed: empty */
  struct prof_arena arena;
  const char **slots;
  size_t slot_count, count;
};

/*
 * Joins up to three parts, of which each but the first counts only if no later one is absolute; NULL and empty parts
 * are left out.  Drops `.`, doubled slashes, and `..` with what stands before it.  False: longer than a path may be.
 */
bool prof_source_path_join(char out[PROF_SOURCE_PATH_BYTES], const char *folder, const char *directory,
                           const char *name);

/* The one copy of this text; NULL: no memory. */
const char *prof_source_path_keep(struct prof_source_paths *, const char *path);

void prof_source_paths_fini(struct prof_source_paths *);

#endif
