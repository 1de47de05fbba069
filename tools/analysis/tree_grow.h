/*
 * tools/analysis/tree_grow.h - a tree in the making: children found by function, then cut, sorted and laid out.
 *
 * For tree.c and callers.c, which add up ticks under paths of functions; what leaves is a struct prof_tree.
 */
#ifndef PROF_ANALYSIS_TREE_GROW_H
#define PROF_ANALYSIS_TREE_GROW_H

#include "analysis/tree.h"
#include "base/vec.h"

struct prof_growing_node {
  uint32_t parent, function, depth;
  uint64_t calls, total_ticks, self_ticks;
  struct prof_off_cpu off, self_off; /* of these ticks */
};

struct prof_growing {
  PROF_VEC(struct prof_growing_node) nodes; /* [0] is above the roots */
  uint32_t *table;                          /* open addressing over (parent, function); 0: free */
  uint32_t table_bits;
};

bool prof_growing_init(struct prof_growing *);
void prof_growing_fini(struct prof_growing *);

/* The child of `parent` for `function`, made if needed; 0: no memory. */
uint32_t prof_growing_child(struct prof_growing *, uint32_t parent, uint32_t function);

/* What a node of the profile did not run, for one that gets its times; the total's part only with `total`.  split NULL,
 * or one of zeroes: nothing is known. */
void prof_growing_add_split(struct prof_growing_node *, const struct prof_cpu_split *, uint32_t node, bool total);

/* Nodes within the limits, depth-first, siblings by total. */
prof_status prof_growing_finish(const struct prof_growing *, const struct prof_profile *,
                                const struct prof_tree_limits *, struct prof_diag *,
                                struct prof_tree *out) PROF_MUST_CHECK;

#endif
