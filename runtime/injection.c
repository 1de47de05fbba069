/*
 * injection.c - the GPU collector for a program that was started without `prof record`: the CUDA driver and NVTX load
 * the libraries that the environment names.
 *
 * Runs once, in the start-up text, before main.  Variables that the user has set stay.
 */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gpu.h"
#include "injection.h"
#include "module.h"

#define PATH_BYTES 4096

/* Beside the runtime, or where a build tree has it.  NULL: it isn't there. */
static const char *find(char out[PATH_BYTES]) {
  static const char *const beside[] = {"/" PROF_GPU_FILE, "/../gpu/" PROF_GPU_FILE};
  Dl_info own;
  const char *slash = dladdr((void *)(uintptr_t)prof_injection_set, &own) ? strrchr(own.dli_fname, '/') : NULL;
  for (size_t i = 0; slash && i < sizeof beside / sizeof *beside; i++) {
    size_t folder_bytes = (size_t)(slash - own.dli_fname), bytes = strlen(beside[i]) + 1;
    if (folder_bytes + bytes > PATH_BYTES)
      return NULL;
    memcpy(out, own.dli_fname, folder_bytes);
    memcpy(out + folder_bytes, beside[i], bytes);
    if (access(out, R_OK) == 0)
      return out;
  }
  return NULL;
}

void prof_injection_set(const char *options) {
  char path[PATH_BYTES];
  if ((options && strstr(options, "--gpu=off")) || !find(path))
    return;
  (void)setenv(PROF_ENV_INJECTION, path, 0);
  (void)setenv(PROF_ENV_NVTX, path, 0);
}
