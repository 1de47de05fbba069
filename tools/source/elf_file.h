/*
 * tools/source/elf_file.h - one opened ELF file: its sections by name, its build id.
 *
 * In: a path.  Out: borrowed bytes, which live until prof_elf_close.  libelf reads sections with pread (not mapped: a
 * file that is cut while we read must not kill us).  Not shared between threads.
 */
#ifndef PROF_SOURCE_ELF_FILE_H
#define PROF_SOURCE_ELF_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "prof_status.h"

struct prof_elf;

#define PROF_BUILD_ID_BYTES 20

struct prof_elf_section {
  const uint8_t *bytes;
  size_t size;
  uint64_t address; /* link-time; 0 when not loaded */
};

/* PROF_NOT_FOUND, PROF_IO; PROF_UNSUPPORTED: no ELF file, or of another class, byte order or machine.  *out: NULL then.
 */
prof_status prof_elf_open(const char *path, struct prof_diag *, struct prof_elf **out) PROF_MUST_CHECK;
/* A GPU program in memory, which must outlive it.  PROF_UNSUPPORTED: it isn't one. */
prof_status prof_elf_open_cubin(const uint8_t *bytes, size_t byte_count, struct prof_diag *,
                                struct prof_elf **out) PROF_MUST_CHECK;
void prof_elf_close(struct prof_elf *); /* NULL: nothing */

/* Reads all of it now and gives the descriptor back: for files that are many.  It stays open where that fails. */
void prof_elf_detach(struct prof_elf *);

const char *prof_elf_path(const struct prof_elf *);

/* False: no such section, or it can't be read.  A compressed section is unpacked. */
bool prof_elf_section(struct prof_elf *, const char *name, struct prof_elf_section *out);

/* The same for ".debug_x", which older tools wrote compressed as ".zdebug_x". */
bool prof_elf_debug_section(struct prof_elf *, const char *name, struct prof_elf_section *out);

/* All sections of this name, one behind the other: an object may have several.  A copy each time. */
bool prof_elf_joined_sections(struct prof_elf *, const char *name, struct prof_elf_section *out);

/* The next section of instructions as link-time addresses, also where a debug file has left out its bytes.  *at begins
 * as 0.  False: no more. */
bool prof_elf_code_next(struct prof_elf *, size_t *at, uint64_t *low, uint64_t *high);

/* There is a section whose name begins so. */
bool prof_elf_has_prefix(struct prof_elf *, const char *prefix);

/* Loaded code or data at a link-time address, up to the end of its section; NULL: there is none. */
const uint8_t *prof_elf_bytes_at(struct prof_elf *, uint64_t address, size_t *byte_count);

/* The string at a link-time address of loaded data, up to its NUL; NULL: there is none, or no NUL. */
const char *prof_elf_string_at(struct prof_elf *, uint64_t address);

/* Loads .symtab, else .dynsym, with its strings; false: neither is there. */
bool prof_elf_symbol_sections(struct prof_elf *, struct prof_elf_section *symbols, struct prof_elf_section *strings);

/* Copies at most PROF_BUILD_ID_BYTES; returns how many, 0: it has none. */
uint32_t prof_elf_build_id(struct prof_elf *, uint8_t *out);

/* The next loaded segment of instructions.  *at begins as 0.  False: no more. */
struct prof_elf_load {
  uint64_t offset, address, bytes; /* in the file; link-time; in the file */
};
bool prof_elf_load_next(struct prof_elf *, size_t *at, struct prof_elf_load *out);
/* The first loaded segment, of instructions or not: it has the lowest address.  False: there is none. */
bool prof_elf_load_first(struct prof_elf *, struct prof_elf_load *out);

/* It has a program interpreter or is a shared library: the dynamic linker can load more into it. */
bool prof_elf_is_dynamic(struct prof_elf *);

#endif
