/*
 * tools/source/cubin.h - file and line of places in a GPU program (cubin).
 *
 * In: the bytes of an ELF file for NVIDIA's GPUs, made by anybody, as nvcc -lineinfo or -G makes them; a function and
 * an offset in it.  Out: texts that live until prof_cubin_close.  Damaged information costs answers, never more.  Not
 * shared between threads.
 */
#ifndef PROF_SOURCE_CUBIN_H
#define PROF_SOURCE_CUBIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "prof_status.h"

struct prof_cubin;

struct prof_cubin_place {
  const char *file; /* equal pointers mean equal files within a cubin */
  uint32_t line;
};

/* The bytes must outlive it.  PROF_UNSUPPORTED: that is no such file; PROF_NO_MEMORY. */
prof_status prof_cubin_open(const uint8_t *bytes, size_t byte_count, struct prof_diag *,
                            struct prof_cubin **out) PROF_MUST_CHECK;
void prof_cubin_close(struct prof_cubin *); /* NULL: nothing */

/* It was compiled with line information. */
bool prof_cubin_has_lines(const struct prof_cubin *);

/* Where the instruction at `offset` of a function (linkage name) came from; false: not known. */
bool prof_cubin_find(struct prof_cubin *, const char *function, uint64_t offset, struct prof_cubin_place *out);

/* The lowest and highest line of a function's code in the file that it begins in; false: not known. */
bool prof_cubin_extent(struct prof_cubin *, const char *function, struct prof_cubin_place *first, uint32_t *last_line);

#endif
