/*
 * gpu/library.h - CUPTI, found and loaded at run time.
 */
#ifndef PROF_GPU_LIBRARY_H
#define PROF_GPU_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

#include "cupti_abi.h"

struct prof_gpu_library {
  void *handle;
  char path[4096];
  uint32_t version;                                               /* from cuptiGetVersion */
#define MEMBER(name, optional, parameters) int(*name) parameters; /* NULL: optional and missing */
  ABI_FUNCTIONS(MEMBER)
#undef MEMBER
};

/*
 * Looks for CUPTI: only $PROF_CUPTI if it is set; else a loaded copy; else by the loader's rules, newest version first;
 * else below $CUDA_HOME, $CUDA_PATH and CUDA's usual prefix, and in Python's packages beside loaded CUDA libraries.
 * false: `why` has the fault and what to do, in one line.
 */
bool prof_gpu_library_open(struct prof_gpu_library *, char *why, size_t why_bytes);

/* The library's text for a result; never NULL. */
const char *prof_gpu_library_text(const struct prof_gpu_library *, int result);

/* The loaded driver's version, from cuDriverGetVersion; 0: not known. */
uint32_t prof_gpu_driver_version(void);

#endif
