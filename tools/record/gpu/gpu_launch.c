/*
 * tools/record/gpu/gpu_launch.c - see gpu_launch.h.
 */
#include "record/gpu/gpu_launch.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "control.h"
#include "gpu.h"
#include "source/elf_file.h"

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
  return setenv(PROF_ENV_INJECTION, collector, 0) == 0 && setenv(PROF_ENV_NVTX, collector, 0) == 0;
}

uint32_t prof_gpu_launch_flags(const struct prof_gpu_options *options) {
  return (options->whole_graphs ? PROF_CONTROL_GPU_WHOLE_GRAPHS : 0) |
         (options->metrics ? PROF_CONTROL_GPU_METRICS : 0) | (options->lines ? PROF_CONTROL_GPU_LINES : 0);
}

/* Does the program contain GPU code, or is it linked with CUDA? */
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
