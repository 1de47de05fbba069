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
  uint32_t version;                                               /* as cuptiGetVersion says it */
#define MEMBER(name, optional, parameters) int(*name) parameters; /* NULL: an optional one that isn't there */
  ABI_FUNCTIONS(MEMBER)
#undef MEMBER
};

/*
 * Looks for CUPTI: $PROF_CUPTI and no other; else a copy that is loaded already; else by the loader's rules, newest
 * version first; else below $CUDA_HOME and $CUDA_PATH, below CUDA's usual prefix, in the folders of Python's packages
 * beside the CUDA libraries that are loaded.  false: `why` says what is wrong and what to do, in one line.
 */
bool prof_gpu_library_open(struct prof_gpu_library *, char *why, size_t why_bytes);

/* The library's words for a result; never NULL. */
const char *prof_gpu_library_text(const struct prof_gpu_library *, int result);

/* Version of the driver that is loaded, as cuDriverGetVersion says it; 0: not known. */
uint32_t prof_gpu_driver_version(void);

#endif
