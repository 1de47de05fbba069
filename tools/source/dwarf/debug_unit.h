/*
 * tools/source/dwarf/debug_unit.h - functions and lines of a compile unit, read when an address of it is looked up.
 */
#ifndef PROF_SOURCE_DEBUG_UNIT_H
#define PROF_SOURCE_DEBUG_UNIT_H

#include "source/dwarf/dwarf_line.h"
#include "source/dwarf/dwarf_scope.h"
#include "source/dwarf/dwarf_split.h"
#include "source/source_path.h"

struct prof_debug_unit {                 /* zeroed, but for the unit: not read yet */
  struct prof_dwarf_unit *unit;          /* in the main file */
  const struct prof_dwarf_unit *entries; /* where its functions are: itself, or its split unit */
  bool ready;
  bool split_missing;
  struct prof_dwarf_scopes scopes;
  struct prof_dwarf_lines lines;
  const char **paths; /* of the files, by index; NULL: not asked for yet */
};

/* Reads functions and lines.  False: no memory. */
bool prof_debug_unit_read(struct prof_debug_unit *, const struct prof_intervals *code, struct prof_dwarf_splits *);
void prof_debug_unit_fini(struct prof_debug_unit *);

/* The name of a function of the unit; NULL: none. */
const char *prof_debug_unit_name(struct prof_debug_unit *, struct prof_dwarf_scope *);

/* The path of the file with this number in the line table; NULL: none, or no memory. */
const char *prof_debug_unit_path(struct prof_debug_unit *, struct prof_source_paths *, uint64_t number);

#endif
