/*
 * gpu/cubins.h - keeps GPU programs in memory, and writes those with samples into the trace.
 *
 * Threads: any.
 */
#ifndef PROF_GPU_CUBINS_H
#define PROF_GPU_CUBINS_H

#include "library.h"

/* Copies a loaded program. */
void prof_gpu_cubins_keep(const struct prof_gpu_library *, const void *bytes, size_t byte_count);

/* A sample lies in the program with this checksum: writes the program once; counts it if it isn't known. */
void prof_gpu_cubins_need(uint64_t cubin);

#endif
