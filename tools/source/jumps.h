/*
 * tools/source/jumps.h - where a search for an address in a sorted array begins.
 *
 * In: items sorted by address, which each begins with.  Out: for each stretch of addresses the first item, so that a
 * search touches one or two lines of the cache instead of twenty.  About four bytes per item.
 */
#ifndef PROF_SOURCE_JUMPS_H
#define PROF_SOURCE_JUMPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct prof_jumps { /* zeroed: none, searches go over the whole array */
  uint64_t low;     /* the first item's address */
  uint32_t *first;  /* per stretch: the first item that is not before it; then the number of items */
  size_t stretches;
  unsigned shift; /* a stretch has 2^shift addresses */
};

/* Make it anew when items change.  False: no memory; searches then work without it. */
bool prof_jumps_make(struct prof_jumps *, const void *items, size_t count, size_t item_bytes);
void prof_jumps_fini(struct prof_jumps *);

/* How many of `count` items have addresses up to `address`: the last of these may hold it. */
size_t prof_jumps_upto(const struct prof_jumps *, const void *items, size_t count, size_t item_bytes, uint64_t address);

#endif
