/* twice.c - see twice.h.  The names are those that GCC knows (special_function_p in calls.cc), with its prefixes. */
#include "twice.h"

#include <stddef.h>
#include <string.h>

bool prof_name_returns_twice(const char *name) {
  static const char *const prefixes[] = {"__x", "__", "_", "", NULL};
  static const char *const names[] = {"setjmp", "sigsetjmp", "vfork", "getcontext", "savectx", NULL};
  for (const char *const *prefix = prefixes; *prefix; prefix++) {
    size_t length = strlen(*prefix);
    if (strncmp(name, *prefix, length))
      continue;
    for (const char *const *known = names; *known; known++)
      if (!strcmp(name + length, *known))
        return true;
  }
  return false;
}
