/*
 * gpu/nvtx.h - NVTX: ranges and names that a program gives to its own work.
 */
#ifndef PROF_GPU_NVTX_H
#define PROF_GPU_NVTX_H

#include <stdbool.h>

#include "library.h"
#include "nvtx_abi.h"

/* Puts our functions into the program's tables; false: they are of an unknown form. */
bool prof_gpu_nvtx_fill(nvtx_get_table *);

/* Streams can be named from here on: their numbers are asked of this library. */
void prof_gpu_nvtx_set_library(const struct prof_gpu_library *);

/* Writes the ranges that are open, marked so: what the program ends in the middle of is in the trace, too. */
void prof_gpu_nvtx_look(void);

#endif
