/*
 * tools/source/dwarf/debug_find.h - where the debug information of a module lies, if not in the module.
 *
 * In: a module, its build id.  Out: opened files, which are the caller's.  A file is taken only if it is known to
 * belong to the module: by its build id, or by the checksum in the link to it.
 */
#ifndef PROF_SOURCE_DEBUG_FIND_H
#define PROF_SOURCE_DEBUG_FIND_H

#include "source/elf_file.h"

struct prof_build_id {
  uint8_t bytes[PROF_BUILD_ID_BYTES];
  uint32_t count; /* 0: none */
};

/* ROOT/.build-id/xx/rest.debug; NULL: none that has this build id and debug information. */
struct prof_elf *prof_debug_find_by_id(const char *const *roots, const struct prof_build_id *);

/* By .gnu_debuglink: beside the module, in .debug/ beside it, and under the roots; NULL: none. */
struct prof_elf *prof_debug_find_by_link(const char *const *roots, struct prof_elf *module);

/* The file with the parts that several debug files share (dwz).  NULL: none; *named: the debug file names one. */
struct prof_elf *prof_debug_find_alternate(const char *const *roots, struct prof_elf *debug, bool *named);

#endif
