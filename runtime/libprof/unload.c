/*
 * runtime/libprof/unload.c - wraps dlclose, after which other functions may lie at known addresses.
 *
 * Objects compiled with -finstrument-functions have no destructor of ours.
 */
#include <dlfcn.h>
#include <stddef.h>

#include "libprof.h"

__attribute__((visibility("default"))) int dlclose(void *library) {
  static int (*next)(void *);
  if (!next)
    next = (int (*)(void *))(uintptr_t)dlsym(RTLD_NEXT, "dlclose");
  int result = next ? next(library) : -1;
  if (prof_libprof.unloaded)
    prof_libprof.unloaded();
  return result;
}
