/*
 * tools/source/jumps.c - see jumps.h.
 */
#include "source/jumps.h"
#include "base/order.h"

#include <stdlib.h>
#include <string.h>

static uint64_t address_of(const void *items, size_t index, size_t item_bytes) {
  uint64_t address;
  memcpy(&address, (const char *)items + index * item_bytes, sizeof address);
  return address;
}

bool prof_jumps_make(struct prof_jumps *jumps, const void *items, size_t count, size_t item_bytes) {
  prof_jumps_fini(jumps);
  if (count == 0 || count > UINT32_MAX)
    return true;
  jumps->low = address_of(items, 0, item_bytes);
  uint64_t span = address_of(items, count - 1, item_bytes) - jumps->low;
  while (span >> jumps->shift >= count)
    jumps->shift++;
  jumps->stretches = (size_t)(span >> jumps->shift) + 1;
  jumps->first = malloc((jumps->stretches + 1) * sizeof *jumps->first);
  if (jumps->first == NULL)
    return false;
  size_t stretch = 0;
  for (size_t i = 0; i < count; i++)
    for (uint64_t own = (address_of(items, i, item_bytes) - jumps->low) >> jumps->shift; stretch <= own; stretch++)
      jumps->first[stretch] = (uint32_t)i;
  jumps->first[jumps->stretches] = (uint32_t)count;
  return true;
}

void prof_jumps_fini(struct prof_jumps *jumps) {
  free(jumps->first);
  *jumps = (struct prof_jumps){0};
}

size_t prof_jumps_upto(const struct prof_jumps *jumps, const void *items, size_t count, size_t item_bytes,
                       uint64_t address) {
  size_t low = 0, high = count;
  if (jumps->first != NULL) {
    uint64_t stretch = (address - jumps->low) >> jumps->shift;
    if (address < jumps->low)
      return 0;
    if (stretch >= jumps->stretches)
      return count;
    low = jumps->first[stretch];
    high = jumps->first[stretch + 1];
  }
  return prof_search(low, high, middle, address_of(items, middle, item_bytes) <= address);
}
