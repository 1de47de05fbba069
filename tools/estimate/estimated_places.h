/*
 * tools/estimate/estimated_places.h - which places made a node's estimated calls.
 */
#ifndef PROF_ESTIMATE_ESTIMATED_PLACES_H
#define PROF_ESTIMATE_ESTIMATED_PLACES_H

#include "estimate/profile.h"

/* Their number; 0: the node's place is known, or no window tells.  Shares sum to 1. */
size_t prof_estimated_places_of(const struct prof_profile *, uint32_t node, const struct prof_estimated_place **first);

/* A node's calls and times, divided among places.  Zeroed, then one after another: they sum to the node's. */
struct prof_place_part {
  double share; /* of all so far */
  uint64_t calls, total_ticks;
  struct prof_off_ticks off;
};
/* The next place's part. */
struct prof_place_part prof_place_part_next(struct prof_place_part *all, const struct prof_node *, double share);

/* Whether a node's calls or its inclusive time are estimates. */
static inline bool prof_node_is_estimated(const struct prof_profile *profile, uint32_t node) {
  const uint8_t asked = PROF_ESTIMATED_CALLS | PROF_ESTIMATED_TOTAL | PROF_ESTIMATED_UNKNOWN;
  return profile->estimated_nodes && (profile->estimated_nodes[node].what & asked);
}

#endif
