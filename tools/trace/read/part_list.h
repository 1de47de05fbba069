/*
 * tools/trace/read/part_list.h - the parts of a recording in several, or its snapshots, newest first.
 */
#ifndef PROF_TRACE_PART_LIST_H
#define PROF_TRACE_PART_LIST_H

#include "base/vec.h"

struct prof_part_entry {
  uint32_t number;
  char name[24]; /* of the folder in the recording's */
};

struct prof_part_list {
  PROF_VEC(struct prof_part_entry) parts;
};

/*
 * Those in folder `path` whose trace has begun.  None: the folder has a trace of its own, or isn't one that can be
 * read.  false: no memory.  The caller frees the list in any case.
 */
bool prof_part_list_read(struct prof_part_list *, const char *path);
void prof_part_list_fini(struct prof_part_list *);

#endif
