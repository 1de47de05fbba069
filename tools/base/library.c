/*
 * tools/base/library.c - see library.h.
 */
#include "base/library.h"

#include <dlfcn.h>
#include <string.h>

bool prof_library_load(const char *soname, const struct prof_library_function *functions, void *into) {
  void *library = dlopen(soname, RTLD_NOW | RTLD_LOCAL);
  bool has_all = library != NULL;
  for (; has_all && functions->name != NULL; functions++) {
    void *address = dlsym(library, functions->name);
    memcpy((char *)into + functions->member, &address, sizeof address);
    has_all = address != NULL;
  }
  return has_all;
}
