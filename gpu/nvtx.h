/*
 * gpu/nvtx.h - NVTX: ranges and names that a program gives to its own work.
 */
#ifndef PROF_GPU_NVTX_H
#define PROF_GPU_NVTX_H

#include <stdbool.h>

#include "library.h"
#include "nvtx_abi.h"

/* Puts our functions into the program's tables; false: the tables have an unknown form. */
bool prof_gpu_nvtx_fill(nvtx_get_table *);

/* Streams can be named from now on: this library gives their numbers. */
void prof_gpu_nvtx_set_library(const struct prof_gpu_library *);

/* Writes the open ranges, marked as open, so that the trace has them if the program ends in them. */
void prof_gpu_nvtx_look(void);

#endif
