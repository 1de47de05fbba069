/*
 * tools/estimate/burst/chains.h - chains of functions, loops and zones, each once.
 *
 * Job: what a sample's callers are once their addresses are looked up; so they mean the same later, when other files
 * are mapped, and other functions in bursts.  A chain is a link and the chain around it.  In: links, the outermost
 * first.  Out: a number for each chain.
 */
#ifndef PROF_ESTIMATE_BURST_CHAINS_H
#define PROF_ESTIMATE_BURST_CHAINS_H

#include "base/index_map.h"
#include "base/vec.h"
#include "fold/summary/bursts.h"

struct prof_burst_link {
  uint32_t frame; /* number of a function; of LINK_OUTSIDE PROF_NONE */
  uint8_t kind;   /* enum prof_summary_link_kind */
};

struct prof_burst_chain {
  uint32_t around; /* number; 0: none */
  struct prof_burst_link link;
};

struct prof_burst_chains {                 /* zeroed: none */
  PROF_VEC(struct prof_burst_chain) items; /* number n is item n - 1 */
  struct prof_index_map known;
};

/* The number of a link in a chain, which is added if need be.  0: no memory. */
uint32_t prof_burst_chains_add(struct prof_burst_chains *, uint32_t around, struct prof_burst_link);
void prof_burst_chains_fini(struct prof_burst_chains *);

/* NULL: number 0, or of a damaged file. */
static inline const struct prof_burst_chain *prof_burst_chains_at(const struct prof_burst_chains *chains,
                                                                  uint32_t number) {
  return number > 0 && number <= chains->items.count ? &chains->items.items[number - 1] : NULL;
}

#endif
