/*
 * tools/source/symbols.h - which function covers an address, by the symbol table.
 *
 * In: an opened ELF file.  Out: names borrowed from it.  Used where a module's facts are missing.
 */
#ifndef PROF_SOURCE_SYMBOLS_H
#define PROF_SOURCE_SYMBOLS_H

#include <stdint.h>

#include "source/elf_file.h"

struct prof_elf_symbol {
  uint64_t address, size;
  const char *name;
  bool weak; /* of aliases, the others are named first */
};

struct prof_elf_symbols { /* functions by address; zeroed: none */
  struct prof_elf_symbol *items;
  uint32_t *by_name; /* their indices by name */
  size_t count;
};

/* Whether some symbol has that name, of any version.  undefined: only one that the file needs from another at run time;
 * then the dynamic symbols alone are read, which are few. */
bool prof_elf_has_symbol(struct prof_elf *, const char *name, bool undefined);
#define PROF_HOOK_SYMBOL "__cyg_profile_func_enter" /* needed by code compiled with -finstrument-functions */

/* Fills `out`; an unreadable or missing table gives none.  False: no memory. */
bool prof_elf_symbols_read(struct prof_elf *, struct prof_elf_symbols *out);
void prof_elf_symbols_free(struct prof_elf_symbols *);

/* The symbol that covers `address`; NULL: none. */
const struct prof_elf_symbol *prof_elf_symbols_cover(const struct prof_elf_symbols *, uint64_t address);

/*
 * The function that covers `address`; NULL: none.  For a part that the compiler split off (`f.cold`), the function that
 * it was split from if there is exactly one of that name.
 */
const struct prof_elf_symbol *prof_elf_symbols_find(const struct prof_elf_symbols *, uint64_t address);

#endif
