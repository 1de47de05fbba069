/*
 * tools/names/parallel.h - functions that a compiler made of a parallel region (OpenMP), by their names.
 *
 *   GCC        kernel._omp_fn.0    _Z6kerneli._omp_fn.0    __solver_MOD_dot._omp_fn.0
 *   Clang      kernel.omp_outlined     kernel.omp_outlined_debug__     .omp_outlined..1 (up to 15, without its
 * function)
 */
#ifndef PROF_NAMES_PARALLEL_H
#define PROF_NAMES_PARALLEL_H

#include <stdbool.h>
#include <stddef.h>

/* Is it one?  *owner_bytes: how long the linkage name of the function is that the region stands in; 0: not known. */
bool prof_name_is_parallel(const char *linkage_name, size_t *owner_bytes);

/* Writes "OWNER [parallel region, FILE:LINE]", FILE without its folders; what is not known ("", 0) is left out.
 * `out`: at least PROF_PARALLEL_BYTES more than the two names have. */
#define PROF_PARALLEL_BYTES 48
void prof_name_parallel_write(char *out, size_t out_bytes, const char *owner, const char *file, unsigned line);

#endif
