/*
 * injection.c - the GPU collector for a program that was started without `prof record`: the CUDA driver and NVTX load
 * the libraries that the environment names.
 *
 * Runs once, in the start-up text, before main.  Variables that the user has set stay.
 */
#include <stdlib.h>
#include <string.h>

#include "beside.h"
#include "gpu.h"
#include "injection.h"
#include "module.h"

void prof_injection_set(const char *options) {
  char path[PROF_BESIDE_BYTES];
  if ((options && strstr(options, "--gpu=off")) || !prof_beside_find(PROF_GPU_FILE, "gpu", path))
    return;
  (void)setenv(PROF_ENV_INJECTION, path, 0);
  (void)setenv(PROF_ENV_NVTX, path, 0);
}
