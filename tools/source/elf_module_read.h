/*
 * tools/source/elf_module_read.h - reads the sites, functions and loops of a program or shared library.
 *
 * In: its path.  Out: one immutable description, which owns its strings.
 */
#ifndef PROF_SOURCE_ELF_MODULE_READ_H
#define PROF_SOURCE_ELF_MODULE_READ_H

#include "source/elf_module.h"

/* As prof_elf_open; PROF_EMPTY: it has no rows (see no_probes.h); PROF_CORRUPT: more rows than an id can number. */
prof_status prof_elf_module_read(const char *path, struct prof_diag *, struct prof_elf_module **out) PROF_MUST_CHECK;
void prof_elf_module_free(struct prof_elf_module *); /* NULL: nothing */

#endif
