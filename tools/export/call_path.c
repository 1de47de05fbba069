/*
 * tools/export/call_path.c - iterates over the calls below a node of the profile, depth first, each with its path.
 */
#include "call_path.h"

#include <stdlib.h>

#include "base/vec.h"

static bool push(struct prof_call_path *path, uint32_t number) {
  uint32_t *grown = prof_vec_grow(path->functions, &path->capacity, path->count + 1, sizeof *grown);
  if (!grown) {
    path->failed = true;
    return false;
  }
  path->functions = grown;
  grown[path->count++] = number;
  return true;
}

static bool enter(struct prof_call_path *path, uint32_t node) {
  path->node = node;
  return push(path, path->profile->nodes[node].function);
}

bool prof_call_path_begin(struct prof_call_path *path, uint32_t top) {
  uint32_t first = path->profile->nodes[top].first_child;
  path->top = top;
  path->count = 0;
  path->leaf = path->leaf_depth = 0;
  uint32_t group = prof_frame_of_group(path->groups, path->profile->nodes[top].thread);
  path->has_group = group != PROF_NONE;
  if (first != PROF_NONE && path->has_group && !push(path, group))
    return false;
  return first != PROF_NONE && enter(path, first);
}

static bool at_limit(const struct prof_call_path *path) {
  return path->limit && path->count - path->leaf_depth - path->has_group >= path->limit;
}

static bool is_cut(const struct prof_call_path *path) {
  return at_limit(path) && path->profile->nodes[path->node].first_child != PROF_NONE;
}

/* At the limit a node's leaves are not visited: they are deeper. */
static bool has_leaves(const struct prof_call_path *path) {
  return path->leaves && !at_limit(path) && path->leaves->begin[path->node] < path->leaves->begin[path->node + 1];
}

uint64_t prof_call_path_self_ticks(const struct prof_call_path *path) {
  const struct prof_node *node = &path->profile->nodes[path->node];
  if (is_cut(path))
    return prof_node_total(node, path->time);
  if (path->leaf)
    return path->leaves->items[path->leaf - 1].ticks;
  uint64_t left = prof_node_self(node, path->time);
  if (has_leaves(path))
    for (uint32_t i = path->leaves->begin[path->node]; i < path->leaves->begin[path->node + 1]; i++)
      left -= path->leaves->items[i].ticks;
  return left;
}

/* Moves to the node's next leaf; false: there is none, and the path ends in the node again. */
static bool next_leaf(struct prof_call_path *path) {
  if (!has_leaves(path))
    return false;
  uint32_t next = path->leaf ? path->leaf : path->leaves->begin[path->node];
  path->count -= path->leaf_depth;
  path->leaf = next < path->leaves->begin[path->node + 1] ? next + 1 : 0;
  path->leaf_depth = 0;
  if (!path->leaf)
    return false;
  const struct prof_line_leaf *leaf = &path->leaves->items[next];
  bool has_room = !path->limit || path->count - path->has_group + 2 <= path->limit;
  path->leaf_depth = leaf->under != PROF_NONE && has_room ? 2 : 1;
  return (path->leaf_depth == 1 || push(path, leaf->under)) && push(path, leaf->number);
}

bool prof_call_path_next(struct prof_call_path *path) {
  const struct prof_node *nodes = path->profile->nodes;
  uint32_t node = path->node;
  if (is_cut(path))
    path->too_deep++;
  else if (next_leaf(path))
    return true;
  else if (path->failed)
    return false;
  else if (nodes[node].first_child != PROF_NONE)
    return enter(path, nodes[node].first_child);
  while (nodes[node].next_sibling == PROF_NONE) {
    path->count--;
    node = nodes[node].parent;
    if (node == path->top)
      return false;
  }
  path->count--;
  return enter(path, nodes[node].next_sibling);
}

void prof_call_path_fini(struct prof_call_path *path) {
  free(path->functions);
  *path = (struct prof_call_path){0};
}
