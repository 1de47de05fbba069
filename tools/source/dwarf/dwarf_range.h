/*
 * tools/source/dwarf/dwarf_range.h - the addresses that an entry covers.
 *
 * In: what its attributes say.  Out: ranges, as written: also empty ones, and those of code that the linker threw away.
 */
#ifndef PROF_SOURCE_DWARF_RANGE_H
#define PROF_SOURCE_DWARF_RANGE_H

#include "source/dwarf/dwarf_unit.h"

/* False: stop, which prof_dwarf_ranges_walk then returns. */
typedef bool prof_dwarf_range_visit(void *context, uint64_t low, uint64_t high);

/* Walks the list that a DW_AT_ranges with this value names.  What is damaged ends the list. */
bool prof_dwarf_ranges_walk(const struct prof_dwarf_unit *, const struct prof_dwarf_value *, prof_dwarf_range_visit *,
                            void *context);

#endif
