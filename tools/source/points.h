/*
 * tools/source/points.h - the points of a module: POINT facts, their texts in the program's data.
 *
 * In: facts as the walk meets them.  Out: points of different kind, name or unit, and the point of each site.  Texts
 * are bytes of other people's programs.  Borrowed: strings point into the file's sections.
 *
 * Used by elf_module_read.c only.
 */
#ifndef PROF_SOURCE_POINTS_H
#define PROF_SOURCE_POINTS_H

#include "base/arena.h"
#include "source/elf_file.h"
#include "source/elf_module.h"
#include "source/facts.h"

struct prof_elf_point_fact {
  struct prof_elf_point point;
  uint64_t sled;
};

struct prof_elf_points { /* a zeroed one is empty; free with prof_vec_fini */
  struct prof_elf_point_fact *items;
  size_t count, capacity;
};

/* Takes a POINT fact; any other record, and a name that isn't there, is passed over.  False: no memory. */
bool prof_elf_points_take(struct prof_elf_points *, struct prof_elf *, const struct prof_fact_view *);

/* After the last fact: fills in the module's points and each site's.  by_address: sites in this order.  False: no
 * memory. */
bool prof_elf_points_join(struct prof_elf_points *, struct prof_elf_module *, const uint32_t *by_address,
                          struct prof_arena *);

#endif
