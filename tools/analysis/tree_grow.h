/*
 * tools/analysis/tree_grow.h - builds a tree: finds children by function, then cuts, sorts and lays out.
 *
 * For everything that sums ticks of paths of functions.  Out: a struct prof_tree.
 */
#ifndef PROF_ANALYSIS_TREE_GROW_H
#define PROF_ANALYSIS_TREE_GROW_H

#include "analysis/bounds.h"
#include "base/index_map.h"
#include "base/vec.h"
#include "estimate/profile.h"
#include "names/process_groups.h"
#include "prof_study.h"

/* Depth-first, siblings by total, the largest first.  Node 0 is the parent of the roots; its total is the time of all
 * threads. */
struct prof_tree {
  struct prof_tree_node *nodes;
  uint32_t count;
  uint64_t hidden; /* nodes left out because they were too small */
};

struct prof_tree_limits {
  enum prof_time_kind time;                 /* the kind of time that counts and sorts */
  double min_share;                         /* 0 to 1; smaller nodes and their descendants are left out */
  uint32_t depth;                           /* 0: no limit */
  const struct prof_process_groups *groups; /* become the first level of the tree; NULL or empty: no such level */
};

void prof_tree_free(struct prof_tree *);

struct prof_growing_node {
  uint32_t parent, function, depth;
  uint64_t calls;
  uint64_t total_ticks, self_ticks; /* of the limits' kind of time */
  uint64_t elapsed_ticks, self_elapsed_ticks;
  struct prof_off_ticks off, self_off; /* parts of the elapsed times */
  struct prof_bounds bounds;           /* of calls and self_elapsed_ticks */
};

struct prof_growing {
  PROF_VEC(struct prof_growing_node) nodes; /* [0] is the parent of the roots */
  struct prof_index_map known;              /* by parent and function; not [0] */
};

bool prof_growing_init(struct prof_growing *);
void prof_growing_fini(struct prof_growing *);

/* The child of `parent` for `function`, made if needed; 0: no memory. */
uint32_t prof_growing_child(struct prof_growing *, uint32_t parent, uint32_t function);

/* The node above a thread's paths: node 0, or its group's.  PROF_NONE: no memory. */
uint32_t prof_growing_top(struct prof_growing *, const struct prof_tree_limits *, uint32_t thread);

/* Adds the calls and times of a node of the profile, or, without one, of exact figures; its total only if `total`. */
void prof_growing_add(struct prof_growing_node *, const struct prof_profile *, const struct prof_node *,
                      enum prof_time_kind, bool total);

/* Nodes within the limits, depth-first, siblings by total. */
prof_status prof_growing_finish(const struct prof_growing *, const prof_trace *, const struct prof_tree_limits *,
                                struct prof_diag *, struct prof_tree *out) PROF_MUST_CHECK;

#endif
