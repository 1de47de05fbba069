/*
 * tools/source/dwarf/dwarf_scope.h - functions of a unit that have code, and what was inlined into them.
 *
 * In: a unit.  Out: scopes with the addresses that each covers itself: of nested ones the innermost holds.
 */
#ifndef PROF_SOURCE_DWARF_SCOPE_H
#define PROF_SOURCE_DWARF_SCOPE_H

#include "source/dwarf/dwarf_unit.h"
#include "source/intervals.h"

#define PROF_DWARF_NO_SCOPE UINT32_MAX

struct prof_dwarf_scope {
  uint64_t entry;                /* offset in .debug_info */
  uint32_t parent;               /* what it was inlined into; PROF_DWARF_NO_SCOPE: it is a function, or not known */
  uint32_t call_file, call_line; /* of an inlined one; the file by its number in the unit's line table */
  uint16_t call_column;
  bool inlined, named;
  const char *name; /* once `named`; NULL: none is given */
};

struct prof_dwarf_scopes { /* zeroed: empty */
  PROF_VEC(struct prof_dwarf_scope) items;
  struct prof_intervals covers; /* values are indices of items */
};

/*
 * Reads the scopes whose code lies in `code`: what a linker threw away stands at address 0 or at the end of the address
 * space, or overlaps with something else there.  False: no memory.
 */
bool prof_dwarf_scopes_read(const struct prof_dwarf_unit *, const struct prof_intervals *code,
                            struct prof_dwarf_scopes *);
void prof_dwarf_scopes_fini(struct prof_dwarf_scopes *);

/*
 * The name of the function whose entry is at `offset`: the linker's name if there is one, else the source's; found by
 * way of the entries that it refers to.  NULL: none.
 */
const char *prof_dwarf_name(const struct prof_dwarf_file *, uint64_t offset);

#endif
