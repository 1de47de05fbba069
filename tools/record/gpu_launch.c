/*
 * tools/record/gpu_launch.c - see gpu_launch.h.
 */
#define _GNU_SOURCE /* memmem */
#include "record/gpu_launch.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "elf/elf_file.h"
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

static bool set_number(const char *name, uint64_t number) {
  char text[24];
  snprintf(text, sizeof text, "%llu", (unsigned long long)number);
  return setenv(name, text, 1) == 0;
}

bool prof_gpu_launch_environment(const struct prof_gpu_options *options, const char *collector) {
  if (options->mode == PROF_GPU_OFF || *collector == 0)
    return true;
  return setenv(PROF_ENV_INJECTION, collector, 0) == 0 && setenv(PROF_ENV_NVTX, collector, 0) == 0 &&
         (!options->whole_graphs || setenv(PROF_ENV_GPU_GRAPHS, "whole", 1) == 0) &&
         (options->capture == NULL || setenv(PROF_ENV_GPU_CAPTURE, options->capture, 1) == 0) &&
         (!options->metrics || setenv(PROF_ENV_GPU_METRICS, "1", 1) == 0) &&
         (!options->lines || setenv(PROF_ENV_GPU_LINES, "1", 1) == 0) &&
         (options->delay_ms == 0 || set_number(PROF_ENV_GPU_DELAY, options->delay_ms)) &&
         (options->duration_ms == 0 || set_number(PROF_ENV_GPU_DURATION, options->duration_ms));
}

bool prof_gpu_launch_is_too_late(const struct prof_gpu_options *options) {
  return options->whole_graphs || options->metrics || options->lines || options->capture != NULL ||
         options->delay_ms != 0 || options->duration_ms != 0;
}

/* It has code for a GPU in it, or it is linked with CUDA. */
static bool uses_cuda(const char *program) {
  struct prof_elf *elf;
  struct prof_elf_section section;
  if (prof_elf_open(program, NULL, &elf) != PROF_OK)
    return false;
  bool uses = prof_elf_section(elf, ".nv_fatbin", &section);
  if (!uses && prof_elf_section(elf, ".dynstr", &section))
    uses = memmem(section.bytes, section.size, "libcudart.so", 12) != NULL ||
           memmem(section.bytes, section.size, "libcuda.so", 10) != NULL;
  prof_elf_close(elf);
  return uses;
}

static bool has_driver(void) {
  void *driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
  if (driver != NULL)
    dlclose(driver);
  return driver != NULL;
}

const char *prof_gpu_launch_why_not(const struct prof_gpu_options *options, const char *program,
                                    const char *collector) {
  if (options->mode == PROF_GPU_OFF || (options->mode == PROF_GPU_AUTO && !uses_cuda(program)))
    return NULL;
  if (*collector == 0)
    return "no GPU activity was recorded: " PROF_GPU_FILE " is missing beside the runtime; install prof whole";
  if (!has_driver())
    return "no GPU activity was recorded: there is no NVIDIA driver here (libcuda.so.1)";
  return "no GPU activity was recorded: the program did not initialise CUDA";
}
