/*
 * tools/source/elf_unpack.h - compressed sections: zlib by libelf, zstd by libzstd (libelf before 0.189 lacks it).
 *
 * A size that the packed bytes can hardly hold is refused before any memory is asked for.
 */
#ifndef PROF_SOURCE_ELF_UNPACK_H
#define PROF_SOURCE_ELF_UNPACK_H

#include <libelf.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * For a section with SHF_COMPRESSED.  zlib: libelf's data of the section are plain from now on, *bytes is NULL.  zstd:
 * *bytes is malloc'd and holds *size plain bytes.  False: damaged, of an unknown kind, or no memory.
 */
bool prof_elf_unpack(Elf_Scn *, void **bytes, size_t *size);

/* The form before SHF_COMPRESSED ("ZLIB", the size, the bytes): libelf's data are plain from now on.  May be called
 * again. */
bool prof_elf_unpack_old(Elf_Scn *);

#endif
