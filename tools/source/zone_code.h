/*
 * tools/source/zone_code.h - where the sleds of a module's zones lie: in which function, inside of which other zone,
 * which zone an end by line ends.  So the recorder knows which zones can be switched, and with what.
 *
 * In: the module with its sites and functions.  Out: sites' `host`, the `function` of ends by line, functions'
 * `is_kept`, `is_apart` and `by_name`, the module's ties.  A zone can be switched if the code of each function that
 * begins it ends it too: then one without an event has neither begin nor end.  The line of an end by line is a constant
 * that the instruction before its sled loads, where the compiler knew it; else the end is any zone's of that function.
 *
 * Used by elf_module_read.c only.
 */
#ifndef PROF_SOURCE_ZONE_CODE_H
#define PROF_SOURCE_ZONE_CODE_H

#include "base/arena.h"
#include "source/elf_file.h"
#include "source/elf_module.h"
#include "source/unwind/frame_header.h"

struct prof_elf_zone_code {
  struct prof_elf *file;
  struct prof_elf_module *module; /* sites have their functions already */
  const uint32_t *by_address;     /* its sites' indices, by address */
  const struct prof_frame_header *header;
  struct prof_arena *arena; /* of the module */
};

/* Does nothing for a module without zones.  False: no memory. */
bool prof_elf_zone_code_find(const struct prof_elf_zone_code *);

#endif
