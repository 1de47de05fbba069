/*
 * tools/trace/read/number_map.h - numbers of a trace (modules, processes, threads) to indices.
 *
 * A zeroed map is empty.  Open addressing, at most half full.
 */
#ifndef PROF_TRACE_NUMBER_MAP_H
#define PROF_TRACE_NUMBER_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct prof_number_slot {
  uint32_t number, index_plus_1; /* 0: free */
};
struct prof_number_map {
  struct prof_number_slot *slots;
  size_t capacity, count;
};

uint32_t prof_number_find(const struct prof_number_map *, uint32_t number); /* UINT32_MAX: not there */
bool prof_number_add(struct prof_number_map *, uint32_t number,
                     uint32_t index); /* must not be there; false: no memory */
void prof_number_fini(struct prof_number_map *);

#endif
