/*
 * tools/source/zones.h - the zones of a module: ZONE facts, their names in the program's data.
 *
 * In: facts as the walk meets them.  Out: a function for each name, which its sites' keys lead to.  Names are bytes of
 * other people's programs.  Borrowed: strings point into the file's sections.
 *
 * Used by elf_module_read.c only.
 */
#ifndef PROF_SOURCE_ZONES_H
#define PROF_SOURCE_ZONES_H

#include "source/elf_file.h"
#include "source/elf_module.h"
#include "source/facts.h"

struct prof_elf_zone {
  struct prof_elf_function function;
  uint32_t index; /* among the module's functions, for the caller; PROF_ELF_NO_FUNCTION: none yet */
};

struct prof_elf_zones { /* a zeroed one is empty; free with prof_vec_fini */
  struct prof_elf_zone *items;
  size_t count, capacity;
};

/* Takes a ZONE fact; any other record, and a name that isn't there, is passed over.  False: no memory. */
bool prof_elf_zones_take(struct prof_elf_zones *, struct prof_elf *, const struct prof_fact_view *);

/* After the last fact, before finding. */
void prof_elf_zones_sort(struct prof_elf_zones *);

/* The zone of a probe's key: of all with this name that of the first file and line.  NULL: none. */
struct prof_elf_zone *prof_elf_zones_find(struct prof_elf_zones *, struct prof_elf *, uint64_t key);

#endif
