/*
 * tools/tally/live_blocks.h - the blocks of a process that are not given back yet, by address.
 *
 * Open addressing with linear probing; a removed block's followers move up (D. E. Knuth, The Art of Computer
 * Programming 3, 6.4, algorithm R), so that no marks of removed ones pile up.
 */
#ifndef PROF_TALLY_LIVE_BLOCKS_H
#define PROF_TALLY_LIVE_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct prof_live_block {
  uint64_t address; /* 0: a free slot */
  uint64_t bytes;
  uint64_t born_ticks;
  uint32_t serial; /* of its thread's allocations, its lowest bits */
  uint32_t thread;
  uint32_t site; /* UINT32_MAX: not shown */
};

struct prof_live_blocks {        /* all zero: empty */
  struct prof_live_block *slots; /* to be read by everybody: those with an address */
  size_t capacity, count;
};

/* A block at the same address is replaced: *was gets it; its address 0: there was none.  False: no memory. */
bool prof_live_blocks_add(struct prof_live_blocks *, const struct prof_live_block *, struct prof_live_block *was);
/* NULL: it isn't there.  The pointer lives until the next change. */
const struct prof_live_block *prof_live_blocks_find(const struct prof_live_blocks *, uint64_t address);
/* False: it isn't there. */
bool prof_live_blocks_take(struct prof_live_blocks *, uint64_t address, struct prof_live_block *out);
void prof_live_blocks_fini(struct prof_live_blocks *);

#endif
