/*
 * gpu/grow.h - makes room for one more item in an array.
 */
#ifndef PROF_GPU_GROW_H
#define PROF_GPU_GROW_H

#include <stdbool.h>
#include <stdlib.h>

enum { PROF_GPU_GROW_FIRST = 64 }; /* items */

/* items: NULL as long as capacity is 0.  False: no memory, nothing changed. */
static inline bool prof_gpu_grow(void **items, size_t *capacity, size_t count, size_t item_bytes) {
  if (count < *capacity)
    return true;
  size_t wanted = *capacity != 0 ? 2 * *capacity : PROF_GPU_GROW_FIRST;
  void *grown = realloc(*items, wanted * item_bytes);
  if (grown == NULL)
    return false;
  *items = grown;
  *capacity = wanted;
  return true;
}

#endif
