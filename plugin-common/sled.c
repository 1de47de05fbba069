/* sled.c - the table of targets: PROF_TARGETS has a PROF_TARGET(name) for each sled_<name>.c; see sled.h. */
#include "sled.h"

#include <stddef.h>
#include <string.h>

#define PROF_TARGET(name) extern const struct prof_arch prof_arch_##name;
PROF_TARGETS
#undef PROF_TARGET
#define PROF_TARGET(name) &prof_arch_##name,
static const struct prof_arch *const archs[] = {PROF_TARGETS};

const struct prof_arch *prof_arch_find(const char *name) {
  for (size_t i = 0; i < sizeof archs / sizeof *archs; i++)
    if (!strcmp(archs[i]->name, name))
      return archs[i];
  return NULL;
}
