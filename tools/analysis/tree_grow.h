/*
 * tools/analysis/tree_grow.h - a tree in the making: children found by function, then cut, sorted and laid out.
 *
 * For all that add up ticks under paths of functions; what leaves is a struct prof_tree.
 */
#ifndef PROF_ANALYSIS_TREE_GROW_H
#define PROF_ANALYSIS_TREE_GROW_H

#include "base/index_map.h"
#include "base/vec.h"
#include "estimate/profile.h"
#include "names/process_groups.h"
#include "prof_study.h"

/* Depth-first, siblings by total, biggest first.  Node 0 is above the roots; its total is the time of all threads. */
struct prof_tree {
  struct prof_tree_node *nodes;
  uint32_t count;
  uint64_t hidden; /* nodes left out because they were too small */
};

struct prof_tree_limits {
  enum prof_time_kind time;                 /* what nodes are measured by and sorted by */
  double min_share;                         /* 0 to 1; smaller nodes and all beneath them are left out */
  uint32_t depth;                           /* 0: no limit */
  const struct prof_process_groups *groups; /* the first level of the tree; NULL or none: no such level */
};

void prof_tree_free(struct prof_tree *);

struct prof_growing_node {
  uint32_t parent, function, depth;
  uint64_t calls;
  uint64_t total_ticks, self_ticks; /* of the kind of time of the limits */
  uint64_t elapsed_ticks, self_elapsed_ticks;
  struct prof_off_ticks off, self_off; /* of elapsed times */
};

struct prof_growing {
  PROF_VEC(struct prof_growing_node) nodes; /* [0] is above the roots */
  struct prof_index_map known;              /* by parent and function; not [0] */
};

bool prof_growing_init(struct prof_growing *);
void prof_growing_fini(struct prof_growing *);

/* The child of `parent` for `function`, made if needed; 0: no memory. */
uint32_t prof_growing_child(struct prof_growing *, uint32_t parent, uint32_t function);

/* Where a thread's paths begin: node 0, or its group's node.  PROF_NONE: no memory. */
uint32_t prof_growing_top(struct prof_growing *, const struct prof_tree_limits *, uint32_t thread);

/* Adds a node's calls and times; its total only with `total`. */
void prof_growing_add(struct prof_growing_node *, const struct prof_node *, enum prof_time_kind, bool total);

/* Nodes within the limits, depth-first, siblings by total. */
prof_status prof_growing_finish(const struct prof_growing *, const prof_trace *, const struct prof_tree_limits *,
                                struct prof_diag *, struct prof_tree *out) PROF_MUST_CHECK;

#endif
