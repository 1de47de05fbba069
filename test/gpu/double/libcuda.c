/*
 * test/gpu/double/libcuda.c - a double of libcuda.so.1: loads $CUDA_INJECTION64_PATH in cuInit, as the driver does, and
 * has the driver calls that the tests need.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda.h"
#include "cupti_abi.h"
#include "double.h"

struct double_hooks double_hooks;

int cuDriverGetVersion(int *version);

static char the_context;

void double_resource(uint32_t id, void *descriptor) {
  if (double_hooks.resource != NULL)
    double_hooks.resource(id, &(struct abi_resource){.context = &the_context, .descriptor = descriptor});
}

/* $GPU_DOUBLE_CUBIN is a file with a GPU program that the only module is. */
static void load_module(void) {
  const char *path = getenv("GPU_DOUBLE_CUBIN");
  FILE *file = path != NULL ? fopen(path, "rb") : NULL;
  static char bytes[1 << 22];
  if (file == NULL)
    return;
  struct abi_module module = {.id = 1, .bytes = fread(bytes, 1, sizeof bytes, file), .cubin = bytes};
  fclose(file);
  double_resource(ABI_MODULE_LOADED, &module);
}

void gpu_double_replay(void) {
  if (double_hooks.replay != NULL)
    double_hooks.replay();
}

static void initialize(void) {
  const char *path = getenv("CUDA_INJECTION64_PATH");
  void *handle = path != NULL && *path != 0 ? dlopen(path, RTLD_NOW) : NULL;
  int (*injection)(void) = handle != NULL ? (int (*)(void))dlsym(handle, "InitializeInjection") : NULL;
  if (path != NULL && *path != 0 && injection == NULL)
    fprintf(stderr, "double: cannot inject %s: %s\n", path, dlerror());
  if (injection != NULL)
    injection();
  double_resource(ABI_CONTEXT_CREATED, NULL);
  load_module();
}

int cuInit(unsigned flags) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  (void)flags;
  pthread_once(&once, initialize);
  return 0;
}

int cuDriverGetVersion(int *version) {
  const char *wanted = getenv("GPU_DOUBLE_DRIVER");
  *version = wanted != NULL ? atoi(wanted) : 13000;
  return 0;
}

uint32_t double_enter(int domain, uint32_t id, const char *name) {
  cuInit(0);
  return double_hooks.enter != NULL ? double_hooks.enter(domain, id, name) : 0;
}

void double_leave(int domain, uint32_t id, const char *name, uint32_t correlation, int result) {
  if (double_hooks.leave != NULL)
    double_hooks.leave(domain, id, name, correlation, result);
}

void double_work(uint32_t correlation, const struct double_work *work) {
  if (double_hooks.work != NULL)
    double_hooks.work(correlation, work);
}

void double_launch_within(uint32_t outer, const struct double_work *work) {
  uint32_t inner = double_enter(ABI_DRIVER_API, 307, "cuLaunchKernel");
  const char *whose = getenv("GPU_DOUBLE_LAUNCH");
  double_work(whose != NULL && strcmp(whose, "inner") == 0 ? inner : outer, work);
  double_leave(ABI_DRIVER_API, 307, "cuLaunchKernel", inner, 0);
}

int cuModuleGetFunction(void **function, void *module, const char *name) {
  (void)module;
  *function = strdup(name);
  return *function != NULL ? 0 : 2;
}

int cuLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                   unsigned shared, cudaStream_t stream, void **arguments, void **extra) {
  struct double_work work = {.kind = ABI_CONCURRENT_KERNEL,
                             .name = function,
                             .grid = {gx, gy, gz},
                             .block = {bx, by, bz},
                             .shared = shared,
                             .stream = stream != NULL ? *(const uint32_t *)stream : 7};
  (void)arguments, (void)extra;
  uint32_t correlation = double_enter(ABI_DRIVER_API, 307, "cuLaunchKernel");
  double_work(correlation, &work);
  double_leave(ABI_DRIVER_API, 307, "cuLaunchKernel", correlation, 0);
  return 0;
}
