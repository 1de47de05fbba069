/*
 * gpu/cubins.h - GPU programs, kept in memory until a sample lies in them, then written into the trace.
 *
 * Threads: any.
 */
#ifndef PROF_GPU_CUBINS_H
#define PROF_GPU_CUBINS_H

#include "library.h"

/* A copy is made of a program that was loaded. */
void prof_gpu_cubins_keep(const struct prof_gpu_library *, const void *bytes, size_t byte_count);

/* A sample lies in the program with this checksum: it is written, unless it has been; if it isn't here, counted. */
void prof_gpu_cubins_need(uint64_t cubin);

#endif
