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
/* Keeps what later recordings need to know of a module: they can't ask the loader. */
void prof_module_keep(const struct prof_module_start *);
/* A recording of the kept modules begins and ends: their log records, counters and, the first time, trampolines. */
void prof_modules_join(void);
void prof_modules_leave(void);
/* Attached modules are kept from now on: after prof_modules_leave they wait for the next recorder.  Not in standby yet,
 * under the lock.  False: no memory. */
bool prof_modules_keep_attached(void);
void prof_module_detach(const struct prof_module_start *);

#endif
