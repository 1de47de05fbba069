/*
 * tools/analysis/tree.h - where in the call tree did the time go?
 *
 * Job: the calling context tree merged over threads, the small parts left out, the biggest first.  In: a profile.
 * Out: a tree that the caller frees.
 */
#ifndef PROF_ANALYSIS_TREE_H
#define PROF_ANALYSIS_TREE_H

#include "analysis/lines/line_leaves.h"
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

/* leaves: own times split among lines, these nodes of their own; of the same kind of time.  NULL: not split. */
prof_status prof_tree_select(const struct prof_profile *, const struct prof_line_leaves *leaves,
                             const struct prof_tree_limits *, struct prof_diag *,
                             struct prof_tree *out) PROF_MUST_CHECK;
void prof_tree_free(struct prof_tree *);

#endif
