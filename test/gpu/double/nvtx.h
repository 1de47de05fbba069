/*
 * test/gpu/double/nvtx.h - a double of NVTX 3's header for machines without CUDA's: loads $NVTX_INJECTION64_PATH at its
 * first call and calls what that has put into its tables.  With -DREAL_NVTX the real header is taken.
 */
#ifndef TEST_GPU_NVTX_H
#define TEST_GPU_NVTX_H

#ifdef REAL_NVTX
#include <nvtx3/nvToolsExt.h>
#else
#include <dlfcn.h>
#include <stdlib.h>

#include "../../../gpu/nvtx_abi.h"

enum { NVTX_DOUBLE_FUNCTIONS = 16, NVTX_DOUBLE_MODULES = 7 };
static nvtx_function nvtx_double[NVTX_DOUBLE_MODULES][NVTX_DOUBLE_FUNCTIONS];
static nvtx_function *nvtx_double_table[NVTX_DOUBLE_MODULES][NVTX_DOUBLE_FUNCTIONS];

static int nvtx_double_module(int module, nvtx_function ***table, unsigned *size) {
  for (int i = 0; i < NVTX_DOUBLE_FUNCTIONS; i++)
    nvtx_double_table[module][i] = &nvtx_double[module][i];
  *table = nvtx_double_table[module];
  *size = NVTX_DOUBLE_FUNCTIONS;
  return 1;
}

static const void *nvtx_double_get(unsigned table) {
  static const struct nvtx_callbacks callbacks = {sizeof callbacks, nvtx_double_module};
  return table == NVTX_TABLE_CALLBACKS ? &callbacks : NULL;
}

static nvtx_function nvtx_double_at(int module, int index) {
  static int begun;
  if (!begun++) {
    const char *path = getenv("NVTX_INJECTION64_PATH");
    void *handle = path != NULL ? dlopen(path, RTLD_LAZY) : NULL;
    int (*fill)(nvtx_get_table *) =
        handle != NULL ? (int (*)(nvtx_get_table *))dlsym(handle, "InitializeInjectionNvtx2") : NULL;
    if (fill != NULL)
      fill(nvtx_double_get);
  }
  return nvtx_double[module][index];
}

#define NVTX_DOUBLE(result, otherwise, name, module, index, parameters, arguments)                                     \
  static inline result name parameters {                                                                               \
    nvtx_function function = nvtx_double_at(module, index);                                                            \
    return function != NULL ? ((result(*) parameters)function)arguments : otherwise;                                   \
  }
NVTX_DOUBLE(int, -2, nvtxRangePushA, NVTX_CORE, NVTX_RANGE_PUSH, (const char *name), (name))
NVTX_DOUBLE(int, -2, nvtxRangePop, NVTX_CORE, NVTX_RANGE_POP, (void), ())
#define NVTX_DOUBLE_NAME(name, module, index, type)                                                                    \
  static inline void name(type thing, const char *text) {                                                              \
    nvtx_function function = nvtx_double_at(module, index);                                                            \
    if (function != NULL)                                                                                              \
      ((void (*)(type, const char *))function)(thing, text);                                                           \
  }
NVTX_DOUBLE_NAME(nvtxNameOsThreadA, NVTX_CORE, NVTX_NAME_THREAD, uint32_t)
NVTX_DOUBLE_NAME(nvtxNameCudaDeviceA, NVTX_CUDART, NVTX_NAME_CUDA_DEVICE, int)
NVTX_DOUBLE_NAME(nvtxNameCudaStreamA, NVTX_CUDART, NVTX_NAME_CUDA_STREAM, void *)
NVTX_DOUBLE(uint64_t, 0, nvtxRangeStartA, NVTX_CORE, NVTX_RANGE_START, (const char *name), (name))
static inline void nvtxRangeEnd(uint64_t number) {
  nvtx_function function = nvtx_double_at(NVTX_CORE, NVTX_RANGE_END);
  if (function != NULL)
    ((void (*)(uint64_t))function)(number);
}
#endif
#endif
