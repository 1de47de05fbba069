/*
 * tools/analysis/tree.c - see tree.h.
 */
#include "analysis/tree.h"

#include <stdlib.h>

#include "base/diag.h"

/* Adds the leaves of a node to its merged node. */
static bool add_leaves(const struct prof_line_leaves *leaves, uint32_t node, uint32_t merged,
                       struct prof_growing *growing) {
  for (uint32_t i = leaves->begin[node]; i < leaves->begin[node + 1]; i++) {
    const struct prof_line_leaf *leaf = &leaves->items[i];
    uint32_t line = leaf->under == PROF_NONE ? merged : prof_growing_child(growing, merged, leaf->under);
    uint32_t child = line ? prof_growing_child(growing, line, leaf->number) : 0;
    if (child == 0)
      return false;
    if (line != merged)
      growing->nodes.items[line].total_ticks += leaf->ticks;
    growing->nodes.items[child].calls += leaf->samples;
    growing->nodes.items[child].total_ticks += leaf->ticks;
    growing->nodes.items[child].self_ticks += leaf->ticks;
    growing->nodes.items[merged].self_ticks -= leaf->ticks;
  }
  return true;
}

/* A group's calls are all calls made in it; loops don't count. */
static void count_in_group(const struct prof_profile *profile, const struct prof_node *node,
                           const struct prof_tree_limits *limits, struct prof_growing *growing) {
  bool is_call = node->function == PROF_NONE || node->function < profile->function_count;
  if (is_call && prof_frame_of_group(limits->groups, node->thread) != PROF_NONE)
    growing->nodes.items[prof_growing_top(growing, limits, node->thread)].calls += node->calls;
}

/* Merges nodes with the same path of all threads.  merged: per node its merged node. */
static bool merge_threads(const struct prof_profile *profile, const struct prof_line_leaves *leaves,
                          const struct prof_tree_limits *limits, uint32_t *merged, struct prof_growing *growing) {
  merged[0] = 0;
  for (uint32_t i = 1; i < profile->node_count; i++) {
    const struct prof_node *node = &profile->nodes[i];
    if (node->parent == 0) { /* a thread's figures are the sums of its outermost calls */
      merged[i] = prof_growing_top(growing, limits, node->thread);
      if (merged[i] == PROF_NONE)
        return false;
      if (merged[i])
        prof_growing_add(&growing->nodes.items[merged[i]], profile, node, limits->time, true);
      continue;
    }
    merged[i] = prof_growing_child(growing, merged[node->parent], node->function);
    if (merged[i] == 0)
      return false;
    prof_growing_add(&growing->nodes.items[merged[i]], profile, node, limits->time, true);
    count_in_group(profile, node, limits, growing);
    if (leaves && !add_leaves(leaves, i, merged[i], growing))
      return false;
  }
  growing->nodes.items[0].total_ticks = prof_node_total(&profile->nodes[0], limits->time);
  return true;
}

prof_status prof_tree_select(const struct prof_profile *profile, const struct prof_line_leaves *leaves,
                             const struct prof_tree_limits *limits, struct prof_diag *diag, struct prof_tree *out) {
  struct prof_growing growing = {0};
  uint32_t *merged = malloc(profile->node_count * sizeof *merged);
  prof_status status = PROF_NO_MEMORY;
  if (merged && prof_growing_init(&growing) && merge_threads(profile, leaves, limits, merged, &growing))
    status = prof_growing_finish(&growing, profile->trace, limits, diag, out);
  else
    status = prof_diag_memory(diag);
  free(merged);
  prof_growing_fini(&growing);
  return status;
}
