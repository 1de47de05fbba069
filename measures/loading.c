/*
 * loading.c - wraps what loads objects, so that later ones are patched too.
 *
 * dlopen and dlsym act for the object that calls them ($ORIGIN, RTLD_NEXT), which they tell by their return address: so
 * the wrappers end in jumps.  A library that dlopen loaded is patched when a module attaches, else at the next of these
 * calls: at the latest at the dlsym that finds its functions.
 */
#include <dlfcn.h>

#include "patch.h"

static void *wrap_dlopen(const char *file, int mode) {
  prof_patch_new();
  return dlopen(file, mode);
}

static void *wrap_dlsym(void *handle, const char *name) {
  prof_patch_new();
  return dlsym(handle, name);
}

static void *wrap_dlvsym(void *handle, const char *name, const char *version) {
  prof_patch_new();
  return dlvsym(handle, name, version);
}

struct prof_wrapped prof_wrapped_loading[] = {
    {"dlopen", wrap_dlopen, NULL},
    {"dlsym", wrap_dlsym, NULL},
    {"dlvsym", wrap_dlvsym, NULL},
    {0},
};
