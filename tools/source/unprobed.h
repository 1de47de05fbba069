/*
 * tools/source/unprobed.h - units that were compiled with -flto and the plugin, and whose code was made without it.
 *
 * In: a program or library (struct prof_fact_lto in wire/row.h).  Out: how many such units, and the first one's source.
 */
#ifndef PROF_SOURCE_UNPROBED_H
#define PROF_SOURCE_UNPROBED_H

#include "source/elf_file.h"

#define PROF_ELF_UNPROBED_BYTES 256

struct prof_elf_unprobed {
  uint32_t units;                      /* 0: none */
  char first[PROF_ELF_UNPROBED_BYTES]; /* source file as the compiler was given it, cut when it is longer */
};

void prof_elf_unprobed_read(struct prof_elf *, struct prof_elf_unprobed *out);

/* The same of the file at `path`; false: it has none, or can't be read. */
bool prof_elf_unprobed_find(const char *path, struct prof_elf_unprobed *out);

#endif
