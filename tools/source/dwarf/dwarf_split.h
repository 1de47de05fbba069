/*
 * tools/source/dwarf/dwarf_split.h - units whose entries are in another file: MODULE.dwp, or a .dwo file for each.
 *
 * In: a skeleton unit.  Out: the unit that belongs to it, by the id that both have.  Files stay open until fini.
 */
#ifndef PROF_SOURCE_DWARF_SPLIT_H
#define PROF_SOURCE_DWARF_SPLIT_H

#include "source/dwarf/dwarf_unit.h"

struct prof_dwarf_splits { /* zeroed, but for the path: nothing opened yet */
  const char *module_path; /* borrowed */
  bool package_tried;
  struct prof_dwarf_file *package;            /* NULL: there is none */
  PROF_VEC(struct prof_dwarf_file *) objects; /* .dwo files */
};

/* The split unit of a skeleton, tied to it; NULL: not found. */
struct prof_dwarf_unit *prof_dwarf_split_find(struct prof_dwarf_splits *, const struct prof_dwarf_unit *skeleton);

void prof_dwarf_splits_fini(struct prof_dwarf_splits *);

#endif
