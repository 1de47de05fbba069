/*
 * tools/fold/node_order.h - a fold's nodes in the order of a profile: by parent, then by function or place.
 */
#ifndef PROF_FOLD_NODE_ORDER_H
#define PROF_FOLD_NODE_ORDER_H

#include "fold/core.h"

struct prof_node_child { /* a node to be placed under its parent */
  uint64_t key;          /* parent << 32 | function */
  uint32_t node;
};

/*
 * Nodes that were called, and those above them, sorted by parent and function; what was uncounted in others is so in
 * their parents then.  NULL: no memory.
 */
struct prof_node_child *prof_node_children_sort(struct prof_fold_core *, uint32_t *count);

/* Index of the first one of this parent, or where it would be. */
uint32_t prof_node_children_first(const struct prof_node_child *, uint32_t count, uint32_t parent);

#endif
