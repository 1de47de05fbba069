/*
 * tools/command/pack/pack_roots.h - which files may be packed: sources below the folders of the build only.
 *
 * Debug information may name any file of the user, and a packed recording is passed on.  So paths in the program's own
 * data are not trusted here.  In: where the recording and its programs lie, folders that the user
 * lists.  Out: yes or no for each file, by where it really lies.
 */
#ifndef PROF_COMMAND_PACK_ROOTS_H
#define PROF_COMMAND_PACK_ROOTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/vec.h"

struct prof_pack_root {
  char *path;   /* without links, without a slash at its end */
  bool flat;    /* only files that lie in it, not those in its folders */
  size_t files; /* that were accepted */
};

struct prof_pack_roots { /* a zeroed one is empty */
  PROF_VEC(struct prof_pack_root) list;
  size_t refused;
  char first_refused[512]; /* escaped */
};

/*
 * A folder of the build, and the project that it is a part of: the nearest folder around it with a version control's
 * files, else the furthest one with a build system's.  A home or a folder in / is taken flat.  One that isn't there:
 * nothing.
 */
bool prof_pack_roots_add_build(struct prof_pack_roots *, const char *folder); /* false: no memory */
/* One that the user lists, or one of the system's headers: as it is. */
bool prof_pack_roots_add_listed(struct prof_pack_roots *, const char *folder);

/* May the file that lies at `real` (no links in it; NULL: not known) be packed?  Counted either way. */
bool prof_pack_roots_accept(struct prof_pack_roots *, const char *path, const char *real);

void prof_pack_roots_fini(struct prof_pack_roots *);

#endif
