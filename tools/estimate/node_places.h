/*
 * tools/estimate/node_places.h - nodes of a fold's core, in the order and with the names of a profile's.
 */
#ifndef PROF_ESTIMATE_NODE_PLACES_H
#define PROF_ESTIMATE_NODE_PLACES_H

#include "estimate/profile.h"
#include "fold/node_order.h"
#include "fold/piece.h"

struct prof_node_order {
  struct prof_node *nodes;              /* out: room for as many as the core has */
  const struct prof_call_place *places; /* NULL: calls are not distinguished by place */
  uint32_t unknown;                     /* index of functions that aren't known */
};

/* Depth-first: placed_at[i] becomes where node i of the core stands.  false: no memory. */
bool prof_nodes_place(const struct prof_node_order *, const struct prof_node_child *children, uint32_t count,
                      const struct prof_fold_core *, uint32_t *placed_at) PROF_MUST_CHECK;

/* How many marks a worker has. */
size_t prof_nodes_mark_count(const struct prof_fold_worker *);
/* Marks of the core's nodes become those of the profile's. */
void prof_nodes_place_marks(const struct prof_fold_worker *, const uint32_t *placed_at);
/* Time of frames that are no calls; before anything changes the nodes' totals. */
void prof_nodes_place_opens(struct prof_node *, const struct prof_fold_core *, const uint32_t *placed_at);

#endif
