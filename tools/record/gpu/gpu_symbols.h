/*
 * tools/record/gpu/gpu_symbols.h - names of functions for frames of uninstrumented programs.
 *
 * In: a file and an address in it.  Out: the linker's name, or file and address.  Used by gpu_batch.
 */
#ifndef PROF_RECORD_GPU_SYMBOLS_H
#define PROF_RECORD_GPU_SYMBOLS_H

#include <stdint.h>

#include "base/vec.h"
#include "source/symbols.h"

struct prof_gpu_module {
  char *path;
  struct prof_elf *elf; /* NULL: unreadable */
  struct prof_elf_symbols symbols;
};

struct prof_gpu_symbols { /* all zero: empty */
  PROF_VEC(struct prof_gpu_module) modules;
};

/* Writes the name into out, as "main" or "libx.so+0x1234". */
void prof_gpu_symbols_name(struct prof_gpu_symbols *, const char *path, uint64_t address, char *out, size_t out_bytes);
void prof_gpu_symbols_fini(struct prof_gpu_symbols *);

#endif
