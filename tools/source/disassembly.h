/*
 * tools/source/disassembly.h - the instructions of a stretch of code, as objdump (binutils) writes them.
 */
#ifndef PROF_SOURCE_DISASSEMBLY_H
#define PROF_SOURCE_DISASSEMBLY_H

#include <stdint.h>

#include "base/arena.h"
#include "base/vec.h"
#include "prof_status.h"

struct prof_instruction {
  uint64_t address, next; /* link-time; next: of the instruction behind it, or the end of the stretch */
  const char *text;       /* in the arena */
};

struct prof_instructions {
  PROF_VEC(struct prof_instruction) list;
  struct prof_arena arena;
};

/* Adds the instructions in [low, high) of the file.  PROF_NOT_FOUND: there is no objdump; PROF_IO: it failed. */
prof_status prof_disassemble(const char *path, uint64_t low, uint64_t high, struct prof_diag *,
                             struct prof_instructions *) PROF_MUST_CHECK;
void prof_instructions_fini(struct prof_instructions *);

#endif
