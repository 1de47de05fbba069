/* sled.c - the table of targets; see sled.h. */
#include "sled.h"

#include <stddef.h>
#include <string.h>

static const struct prof_arch *const archs[] = {&prof_arch_x86_64};

const struct prof_arch *prof_arch_find(const char *name) {
  for (size_t i = 0; i < sizeof archs / sizeof *archs; i++)
    if (!strcmp(archs[i]->name, name))
      return archs[i];
  return NULL;
}
