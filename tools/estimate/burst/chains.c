/*
 * tools/estimate/burst/chains.c - see chains.h.
 */
#include "estimate/burst/chains.h"

uint32_t prof_burst_chains_add(struct prof_burst_chains *chains, uint32_t around, struct prof_burst_link link) {
  const struct prof_burst_chain *items = chains->items.items;
  uint32_t at = prof_index_meet(
      &chains->known, &chains->items, prof_index_hash((uint64_t)around << 32 | link.frame, link.kind), i,
      items[i].around == around && items[i].link.frame == link.frame && items[i].link.kind == link.kind,
      ((struct prof_burst_chain){around, link}));
  return at == UINT32_MAX ? 0 : at + 1;
}

void prof_burst_chains_fini(struct prof_burst_chains *chains) {
  prof_vec_fini(&chains->items);
  prof_index_fini(&chains->known);
}
