/* tools/record/tables/module_points.h - the POINTS chunk of a module. */
#ifndef PROF_RECORD_MODULE_POINTS_H
#define PROF_RECORD_MODULE_POINTS_H

#include "source/elf_module.h"
#include "trace/write/write.h"

/* After the module's own chunk; nothing for a module without points, or NULL.  False: no memory. */
bool prof_module_points_write(prof_writer *, uint32_t module, const struct prof_elf_module *);

#endif
