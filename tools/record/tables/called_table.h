/*
 * tools/record/tables/called_table.h - functions that are found while they run (-finstrument-functions): their SITES
 * chunks.
 *
 * In: FUNCTION records of the log, and the file of each one's module.  Out: a number per function, the same in every
 * process and after each load of its module; names from the symbol table.  Used by module_table.c only.
 */
#ifndef PROF_RECORD_CALLED_TABLE_H
#define PROF_RECORD_CALLED_TABLE_H

#include "base/vec.h"
#include "source/symbols.h"
#include "trace/write/write.h"

struct prof_called_slot { /* a function */
  uint64_t address;       /* link-time */
  uint32_t file;          /* + 1; 0: the slot is free */
  uint32_t number;        /* of SITES */
};

struct prof_called_file {
  struct prof_elf *elf; /* NULL: unreadable */
  struct prof_elf_symbols symbols;
};

struct prof_called_table {
  PROF_VEC(struct prof_called_file) files;
  struct prof_called_slot *slots; /* open addressing, at most half full */
  size_t capacity, count;
};

/* Takes over `elf` (or NULL); *file: its number.  False: no memory, and `elf` is closed. */
bool prof_called_file_add(struct prof_called_table *, struct prof_elf *elf, uint32_t *file);

/* The function at link-time `address` of a file: its number, and whether that is new; then *name is its name, borrowed
 * from the file, "" if unknown.  False: no memory. */
bool prof_called_function(struct prof_called_table *, uint32_t file, uint64_t address, uint32_t *number, bool *is_new,
                          const char **name);

void prof_called_fini(struct prof_called_table *);

#endif
