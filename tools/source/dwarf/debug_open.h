/*
 * tools/source/dwarf/debug_open.h - an opened module behind debug.h; for debug_open.c, which opens it, and
 * debug_look.c, which asks.
 */
#ifndef PROF_SOURCE_DEBUG_OPEN_H
#define PROF_SOURCE_DEBUG_OPEN_H

#include "source/dwarf/debug.h"
#include "source/dwarf/debug_unit.h"
#include "source/symbols.h"

struct prof_debug {
  char *path;                   /* of the module */
  struct prof_elf *module;      /* NULL: gone, or it is the file with the debug information */
  struct prof_dwarf_file *file; /* with the debug information; NULL: none */
  struct prof_dwarf_file *alternate;
  enum prof_debug_origin origin;
  bool alternate_missing;
  bool symbols_read;
  struct prof_elf_symbols symbols;
  struct prof_intervals code;   /* sections of instructions */
  struct prof_intervals owners; /* values are indices of units */
  struct prof_debug_unit *units;
  uint32_t unit_count;
  struct prof_dwarf_splits splits;
  struct prof_source_paths paths;
  PROF_VEC(struct prof_debug_frame) frames; /* of the last look-up */
};

#endif
