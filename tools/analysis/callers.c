/*
 * tools/analysis/callers.c - see callers.h.
 */
#include "analysis/callers.h"

#include <stdlib.h>

#include "analysis/tree_grow.h"
#include "base/diag.h"

/* Limit of a list of callers: in a deep recursion the paths would take memory by the square of its depth. */
#define LONGEST_PATH 256u

static uint32_t slot_of(const struct prof_profile *profile, const struct prof_node *node) {
  uint32_t unknown = (uint32_t)profile->function_count - 1;
  return node->function < unknown ? node->function : unknown; /* loops match nothing, either */
}

/* Adds one node's figures to its function's root and to each caller above it.  false: no memory. */
static bool add_path(struct prof_growing *growing, const struct prof_profile *profile, const struct prof_node *node,
                     const struct prof_tree_limits *limits, bool outermost, uint32_t top) {
  const struct prof_node *step = node;
  uint32_t levels = limits->depth && limits->depth < LONGEST_PATH ? limits->depth : LONGEST_PATH;
  for (uint32_t to = top, level = 0; level < levels && step->parent != 0;
       level++, step = &profile->nodes[step->parent]) {
    to = prof_growing_child(growing, to, step->function);
    if (to == 0)
      return false;
    prof_growing_add(&growing->nodes.items[to], profile, node, limits->time, outermost);
  }
  return true;
}

/* Adds a call to its group's node, if there are groups: nested calls of such functions count once.  PROF_NONE: no
 * memory. */
static uint32_t add_to_group(struct prof_growing *growing, const struct prof_profile *profile,
                             const struct prof_node *node, const struct prof_tree_limits *limits, bool outermost) {
  uint32_t top = prof_growing_top(growing, limits, node->thread);
  if (top && top != PROF_NONE)
    prof_growing_add(&growing->nodes.items[top], profile, node, limits->time, outermost);
  return top;
}

/* inside: how often each function is on the path to the current node. */
static bool add_all(struct prof_growing *growing, const struct prof_profile *profile, const uint8_t *functions,
                    const struct prof_tree_limits *limits, uint32_t *inside) {
  uint32_t at = 0, asked = 0; /* asked: how many requested functions are on the path */
  for (uint32_t i = 1; i < profile->node_count; i++) {
    const struct prof_node *node = &profile->nodes[i];
    for (; at != node->parent; at = profile->nodes[at].parent)
      if (profile->nodes[at].parent != 0 && !profile->nodes[at].forker) {
        inside[slot_of(profile, &profile->nodes[at])]--;
        asked -= functions[slot_of(profile, &profile->nodes[at])];
      }
    at = i;
    if (node->parent == 0 || (node->forker && node->self_ticks == 0))
      continue;
    uint32_t slot = slot_of(profile, node);
    bool outermost = inside[slot] == 0, group = asked == 0;
    inside[slot] += !node->forker;
    bool is_apart = node->cold && profile->cold && !(limits->groups && limits->groups->count);
    if (!functions[slot] || is_apart)
      continue;
    asked += !node->forker;
    uint32_t top = add_to_group(growing, profile, node, limits, group);
    if (top == PROF_NONE || !add_path(growing, profile, node, limits, outermost, top))
      return false;
  }
  return true;
}

/* Adds calls of cold paths, which are known by function only: one node stands for all their callers.  Not used with
 * groups.  false: no memory. */
static bool add_cold(struct prof_growing *growing, const struct prof_profile *profile, const uint8_t *functions,
                     const struct prof_tree_limits *limits) {
  bool wanted = profile->cold && !(limits->groups && limits->groups->count);
  for (uint32_t i = 0; wanted && i < profile->function_count; i++) {
    const struct prof_cold_figures *cold = &profile->cold[i];
    if (!functions[i] || !(cold->calls || cold->total_ticks))
      continue;
    struct prof_node node = {.calls = cold->calls,
                             .total_ticks = cold->total_ticks,
                             .self_ticks = prof_cold_self(0, cold->self_ticks),
                             .off = cold->off,
                             .self_off = cold->self_off};
    uint32_t root = prof_growing_child(growing, 0, i + 1 < profile->function_count ? i : PROF_NONE);
    uint32_t other = root ? prof_growing_child(growing, root, PROF_NONE) : 0;
    if (!other)
      return false;
    prof_growing_add(&growing->nodes.items[root], NULL, &node, limits->time, true);
    prof_growing_add(&growing->nodes.items[other], NULL, &node, limits->time, true);
  }
  return true;
}

prof_status prof_callers_find(const struct prof_profile *profile, const uint8_t *functions,
                              const struct prof_tree_limits *limits, struct prof_diag *diag, struct prof_tree *out) {
  struct prof_growing growing = {0};
  uint32_t *inside = calloc(profile->function_count, sizeof *inside);
  prof_status status;
  if (inside && prof_growing_init(&growing) && add_all(&growing, profile, functions, limits, inside) &&
      add_cold(&growing, profile, functions, limits)) {
    growing.nodes.items[0].total_ticks = prof_node_total(&profile->nodes[0], limits->time);
    status = prof_growing_finish(&growing, profile->trace, limits, diag, out);
  } else {
    status = prof_diag_memory(diag);
  }
  free(inside);
  prof_growing_fini(&growing);
  return status;
}
