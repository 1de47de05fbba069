/*
 * tools/record/tables/module_units.h - the functions, loops and zones of a module, as matchers and the governor want
 * them: tables by site and by unit.
 *
 * In: a module's file as read.  Out: the tables of its entry.  Used by module_table.c only.
 */
#ifndef PROF_RECORD_MODULE_UNITS_H
#define PROF_RECORD_MODULE_UNITS_H

#include <stdbool.h>

#include "record/governor/hints.h"
#include "record/tables/module_entry.h"
#include "source/elf_module.h"

/* file: NULL: its sites stay unknown.  hints: NULL: none.  False: no memory; free the tables all the same. */
bool prof_module_units_keep(struct prof_module_entry *, const struct prof_elf_module *file, struct prof_hints *hints);
void prof_module_units_free(struct prof_module_entry *);

#endif
