/*
 * tools/tally/live_blocks.c - see live_blocks.h.
 */
#include "tally/live_blocks.h"

#include <stdlib.h>

#define FIRST_CAPACITY ((size_t)64) /* there may be thousands of processes */

static size_t home(const struct prof_live_blocks *blocks, uint64_t address) {
  return ((address >> 3) * 0x9e3779b97f4a7c15ull) >> 20 & (blocks->capacity - 1);
}

/* The block's slot, or the free one where it belongs. */
static size_t find(const struct prof_live_blocks *blocks, uint64_t address) {
  size_t at = home(blocks, address);
  while (blocks->slots[at].address && blocks->slots[at].address != address)
    at = (at + 1) & (blocks->capacity - 1);
  return at;
}

static bool grow(struct prof_live_blocks *blocks) {
  struct prof_live_blocks larger = {.capacity = blocks->capacity ? 2 * blocks->capacity : FIRST_CAPACITY,
                                    .count = blocks->count};
  larger.slots = calloc(larger.capacity, sizeof *larger.slots);
  if (!larger.slots)
    return false;
  for (size_t i = 0; i < blocks->capacity; i++) {
    const struct prof_live_block *block = &blocks->slots[i];
    if (block->address)
      larger.slots[find(&larger, block->address)] = *block;
  }
  free(blocks->slots);
  *blocks = larger;
  return true;
}

bool prof_live_blocks_add(struct prof_live_blocks *blocks, const struct prof_live_block *block,
                          struct prof_live_block *was) {
  if (2 * (blocks->count + 1) > blocks->capacity && !grow(blocks))
    return false;
  size_t at = find(blocks, block->address);
  *was = blocks->slots[at];
  blocks->count += was->address == 0;
  blocks->slots[at] = *block;
  return true;
}

const struct prof_live_block *prof_live_blocks_find(const struct prof_live_blocks *blocks, uint64_t address) {
  const struct prof_live_block *found =
      blocks->count > 0 && address != 0 ? &blocks->slots[find(blocks, address)] : NULL;
  return found && found->address ? found : NULL;
}

bool prof_live_blocks_take(struct prof_live_blocks *blocks, uint64_t address, struct prof_live_block *out) {
  if (blocks->count == 0 || address == 0)
    return false;
  const size_t mask = blocks->capacity - 1;
  size_t hole = find(blocks, address);
  if (!blocks->slots[hole].address)
    return false;
  *out = blocks->slots[hole];
  blocks->count--;
  for (size_t at = (hole + 1) & mask; blocks->slots[at].address; at = (at + 1) & mask) {
    size_t wanted = home(blocks, blocks->slots[at].address);
    if (((at - wanted) & mask) < ((at - hole) & mask))
      continue; /* it may not stand before its home */
    blocks->slots[hole] = blocks->slots[at];
    hole = at;
  }
  blocks->slots[hole] = (struct prof_live_block){0};
  return true;
}

void prof_live_blocks_fini(struct prof_live_blocks *blocks) {
  free(blocks->slots);
  *blocks = (struct prof_live_blocks){0};
}
