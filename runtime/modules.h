/* modules.h - attaches and detaches programs and libraries. */
#ifndef PROF_RUNTIME_MODULES_H
#define PROF_RUNTIME_MODULES_H

#include "loaded.h"
#include "module.h"
#include "rows.h"

/* Site ids for `count` rows; 0: the recording has used all up. */
uint32_t prof_sites_take(size_t count);
/* Writes a module's log record.  module: its record; NULL: it has no trampolines. */
void prof_module_log(uint32_t kind, const struct prof_loaded *, const struct prof_attached_module *,
                     uint32_t first_site, size_t count, uint32_t skipped);
void prof_module_attach(const struct prof_module_start *);
void prof_module_detach(const struct prof_module_start *);

#endif
