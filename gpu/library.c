/*
 * gpu/library.c - see library.h.
 */
#include "library.h"

#include <dlfcn.h>
#include <glob.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu.h"

static const char *const names[] = {"libcupti.so.13", "libcupti.so.12", "libcupti.so.11.8", "libcupti.so"};
enum { NAMES = sizeof names / sizeof *names };
static const char *const below[] = {"lib64", "extras/CUPTI/lib64", "lib", "targets/x86_64-linux/lib"};

static void *open_in(const char *folder, char *tried, size_t tried_bytes) {
  for (int i = 0; i < NAMES; i++) {
    snprintf(tried, tried_bytes, "%s/%s", folder, names[i]);
    void *handle = dlopen(tried, RTLD_NOW | RTLD_LOCAL);
    if (handle != NULL)
      return handle;
  }
  return NULL;
}

static void *open_below(const char *prefix) {
  char folder[4096], tried[4200];
  for (size_t i = 0; prefix != NULL && *prefix != 0 && i < sizeof below / sizeof *below; i++) {
    snprintf(folder, sizeof folder, "%s/%s", prefix, below[i]);
    void *handle = open_in(folder, tried, sizeof tried);
    if (handle != NULL)
      return handle;
  }
  return NULL;
}

/* Python packages have CUDA in site-packages/nvidia/PART/lib: CUPTI is a part beside the loaded one. */
static int open_beside(struct dl_phdr_info *info, size_t bytes, void *out) {
  (void)bytes;
  const char *part = info->dlpi_name != NULL ? strstr(info->dlpi_name, "/nvidia/") : NULL;
  char pattern[4096], tried[4200];
  if (part == NULL)
    return 0;
  snprintf(pattern, sizeof pattern, "%.*s/nvidia/*/lib", (int)(part - info->dlpi_name), info->dlpi_name);
  glob_t found;
  if (glob(pattern, GLOB_NOSORT, NULL, &found) != 0)
    return 0;
  for (size_t i = 0; i < found.gl_pathc && *(void **)out == NULL; i++)
    if (strstr(found.gl_pathv[i], "cupti") != NULL || strstr(found.gl_pathv[i], "/cu1") != NULL)
      *(void **)out = open_in(found.gl_pathv[i], tried, sizeof tried);
  globfree(&found);
  return *(void **)out != NULL;
}

static void *find(void) {
  void *handle = NULL;
  for (int i = 0; i < NAMES && handle == NULL; i++)
    handle = dlopen(names[i], RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
  for (int i = 0; i < NAMES && handle == NULL; i++)
    handle = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
  const char *const prefixes[] = {secure_getenv("CUDA_HOME"), secure_getenv("CUDA_PATH"), "/usr/local/cuda"};
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes && handle == NULL; i++)
    handle = open_below(prefixes[i]);
  if (handle == NULL)
    dl_iterate_phdr(open_beside, &handle);
  return handle;
}

/* The first necessary function that is missing; NULL: none. */
static const char *resolve(struct prof_gpu_library *library) {
  const char *missing = NULL;
#define RESOLVE(name, optional, parameters)                                                                            \
  library->name = (int(*) parameters)dlsym(library->handle, #name);                                                    \
  if (library->name == NULL && !(optional) && missing == NULL)                                                         \
    missing = #name;
  ABI_FUNCTIONS(RESOLVE)
#undef RESOLVE
  return missing;
}

bool prof_gpu_library_open(struct prof_gpu_library *library, char *why, size_t why_bytes) {
  const char *wanted = secure_getenv(PROF_ENV_CUPTI);
  bool only = wanted != NULL && *wanted != 0;
  struct link_map *map = NULL;
  *library = (struct prof_gpu_library){.handle = only ? dlopen(wanted, RTLD_NOW | RTLD_LOCAL) : find()};
  if (library->handle == NULL && only)
    snprintf(why, why_bytes,
             "GPU activity is not recorded: %s is no CUPTI library; let " PROF_ENV_CUPTI " name one, or unset it",
             wanted);
  else if (library->handle == NULL)
    snprintf(why, why_bytes,
             "GPU activity is not recorded: no libcupti.so found; install the CUDA toolkit or set " PROF_ENV_CUPTI);
  if (library->handle == NULL)
    return false;
  if (dlinfo(library->handle, RTLD_DI_LINKMAP, &map) == 0)
    snprintf(library->path, sizeof library->path, "%s", map->l_name);
  const char *missing = resolve(library);
  if (missing != NULL) {
    snprintf(why, why_bytes, "GPU activity is not recorded: %.300s has no %s; it takes CUPTI 11.8 or later",
             library->path, missing);
    return false;
  }
  library->cuptiGetVersion(&library->version);
  return true;
}

const char *prof_gpu_library_text(const struct prof_gpu_library *library, int result) {
  const char *text = NULL;
  if (library->cuptiGetResultString != NULL)
    library->cuptiGetResultString(result, &text);
  return text != NULL ? text : "";
}

uint32_t prof_gpu_driver_version(void) {
  void *driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL | RTLD_NOLOAD);
  int (*version)(int *) = driver != NULL ? (int (*)(int *))dlsym(driver, "cuDriverGetVersion") : NULL;
  int value = 0;
  if (version != NULL && version(&value) != 0)
    value = 0;
  if (driver != NULL)
    dlclose(driver);
  return (uint32_t)value;
}
