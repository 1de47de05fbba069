/*
 * tools/names/parallel.h - recognises the functions that a compiler makes of parallel regions (OpenMP), by their names.
 *
 *   GCC        kernel._omp_fn.0    _Z6kerneli._omp_fn.0    __solver_MOD_dot._omp_fn.0
 *   Clang      kernel.omp_outlined     kernel.omp_outlined_debug__     .omp_outlined..1 (up to 15, without function)
 */
#ifndef PROF_NAMES_PARALLEL_H
#define PROF_NAMES_PARALLEL_H

#include <stdbool.h>
#include <stddef.h>

/* Is it one?  *owner_bytes: length of the linkage name of the function with the region; 0: not known. */
bool prof_name_is_parallel(const char *linkage_name, size_t *owner_bytes);

/* Writes "OWNER [parallel region, FILE:LINE]", FILE without its folders, unknown parts ("", 0) omitted.  `out`: at
 * least PROF_PARALLEL_BYTES more than the two names have. */
#define PROF_PARALLEL_BYTES 48
void prof_name_parallel_write(char *out, size_t out_bytes, const char *owner, const char *file, unsigned line);

#endif
