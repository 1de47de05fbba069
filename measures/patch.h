/* patch.h - puts wrappers into the slots of loaded objects. */
#ifndef PROF_MEASURES_PATCH_H
#define PROF_MEASURES_PATCH_H

#include <stdbool.h>
#include <stddef.h>

#include "wrapped.h"

#define PROF_WRAPPED_MOST 256 /* functions */

/* Finds the real definitions, by this library's own slots.  Call it once, then add each table.  Of
 * rows with the same name the first one holds. */
bool prof_patch_init(void);
void prof_patch_add(struct prof_wrapped *rows);
/* Patches the objects that were loaded since the last call.  Returns how many slots could not be written. */
size_t prof_patch_new(void);

#endif
