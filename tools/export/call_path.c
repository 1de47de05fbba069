/*
 * tools/export/call_path.c - the calls beneath one node of the profile, depth first, each with its path.
 */
#include "call_path.h"

#include <stdlib.h>

#include "base/vec.h"

static bool enter(struct prof_call_path *path, uint32_t node) {
  uint32_t *grown = prof_vec_grow(path->functions, &path->capacity, path->count + 1, sizeof *grown);
  if (!grown) {
    path->failed = true;
    return false;
  }
  path->functions = grown;
  grown[path->count++] = path->profile->nodes[node].function;
  path->node = node;
  return true;
}

bool prof_call_path_begin(struct prof_call_path *path, uint32_t top) {
  uint32_t first = path->profile->nodes[top].first_child;
  path->top = top;
  path->count = 0;
  return first != PROF_NONE && enter(path, first);
}

static bool is_cut(const struct prof_call_path *path) {
  return path->limit && path->count >= path->limit && path->profile->nodes[path->node].first_child != PROF_NONE;
}

uint64_t prof_call_path_self_ticks(const struct prof_call_path *path) {
  const struct prof_node *node = &path->profile->nodes[path->node];
  return is_cut(path) ? node->total_ticks : node->self_ticks;
}

bool prof_call_path_next(struct prof_call_path *path) {
  const struct prof_node *nodes = path->profile->nodes;
  uint32_t node = path->node;
  if (is_cut(path))
    path->too_deep++;
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
