/*
 * tools/source/loops.h - the loops of a module: LOOP facts, joined to sites, functions and each other by key.
 *
 * In: facts as the walk meets them, then the module with its functions and sites.  Out: the module's loops.  A loop may
 * have several facts, or none though a probe names its key; parents may be missing, or form a circle.
 *
 * Used by elf_module_read.c only.
 */
#ifndef PROF_SOURCE_LOOPS_H
#define PROF_SOURCE_LOOPS_H

#include "base/arena.h"
#include "base/vec.h"
#include "source/elf_module.h"
#include "source/facts.h"

struct prof_elf_loop_fact {
  struct prof_elf_loop loop;
  uint64_t function_key, parent_key;
};

struct prof_elf_loops { /* a zeroed one is empty; free with prof_vec_fini */
  struct prof_elf_loop_fact *items;
  size_t count, capacity;
};

/* Takes a LOOP fact; any other record is passed over.  False: no memory. */
bool prof_elf_loops_take(struct prof_elf_loops *, const struct prof_fact_view *);

/* Fills in the module's loops and its sites' `loop`.  False: no memory. */
bool prof_elf_loops_join(struct prof_elf_loops *, struct prof_elf_module *, struct prof_arena *);

#endif
