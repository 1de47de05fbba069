/*
 * tools/record/gpu_launch.c - see gpu_launch.h.
 */
#include "record/gpu_launch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gpu.h"

bool prof_gpu_launch_find(const char *runtime, char out[PATH_MAX]) {
  static const char *const beside[] = {"", "../gpu/"};
  const char *slash = strrchr(runtime, '/');
  char path[PATH_MAX + 64];
  for (size_t i = 0; slash != NULL && i < sizeof beside / sizeof *beside; i++) {
    snprintf(path, sizeof path, "%.*s%s%s", (int)(slash + 1 - runtime), runtime, beside[i], PROF_GPU_FILE);
    if (access(path, R_OK) == 0 && realpath(path, out) != NULL)
      return true;
  }
  *out = 0;
  return false;
}

bool prof_gpu_launch_environment(const struct prof_gpu_options *options, const char *collector) {
  if (options->mode == PROF_GPU_OFF || *collector == 0)
    return true;
  return setenv(PROF_ENV_INJECTION, collector, 0) == 0 &&
         (!options->whole_graphs || setenv(PROF_ENV_GPU_GRAPHS, "whole", 1) == 0);
}
