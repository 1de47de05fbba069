/*
 * tools/command/pack/pack_roots.h - which files may be packed: sources below the folders of the build only.
 *
 * Debug information may name any file of the user, and a packed recording is passed on.  So paths in the program's own
 * data are not trusted here.  In: the folders of the recording and its programs, folders that the user lists.  Out: yes
 * or no for each file, by its real path.
 */
#ifndef PROF_COMMAND_PACK_ROOTS_H
#define PROF_COMMAND_PACK_ROOTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/vec.h"

struct prof_pack_root {
  char *path;   /* without links or a final slash */
  bool flat;    /* only files directly in it */
  size_t files; /* that were accepted */
};

struct prof_pack_roots { /* a zeroed one is empty */
  PROF_VEC(struct prof_pack_root) list;
  size_t refused;
  char first_refused[512]; /* escaped */
};

/*
 * Adds a folder of the build with its project: the nearest folder around it with files of a version control, else the
 * furthest one with those of a build system.  A home or a folder in / is flat.  Ignores a missing folder.
 */
bool prof_pack_roots_add_build(struct prof_pack_roots *, const char *folder); /* false: no memory */
/* Adds a folder of the user or of system headers, without its project. */
bool prof_pack_roots_add_listed(struct prof_pack_roots *, const char *folder);

/* May the file at `real` (without links; NULL: unknown) be packed?  Counts the answer. */
bool prof_pack_roots_accept(struct prof_pack_roots *, const char *path, const char *real);

void prof_pack_roots_fini(struct prof_pack_roots *);

#endif
