/*
 * tools/analysis/callers.c - see callers.h.
 */
#include "analysis/callers.h"

#include <stdlib.h>

#include "analysis/tree_grow.h"
#include "base/diag.h"

/* Callers further away are left out: in a deep recursion the paths would take memory by the square of its depth. */
#define LONGEST_PATH 256u

static uint32_t slot_of(const struct prof_profile *profile, const struct prof_node *node) {
  uint32_t unknown = (uint32_t)profile->function_count - 1;
  return node->function < unknown ? node->function : unknown; /* loops match nothing, either */
}

/* Adds one node's figures to its function's root and to each caller above it.  false: no memory. */
static bool add_path(struct prof_growing *growing, const struct prof_profile *profile, const struct prof_node *node,
                     enum prof_time_kind time, bool outermost, uint32_t levels) {
  const struct prof_node *step = node;
  for (uint32_t to = 0, level = 0; level < levels && step->parent != 0; level++, step = &profile->nodes[step->parent]) {
    to = prof_growing_child(growing, to, step->function);
    if (to == 0)
      return false;
    prof_growing_add(&growing->nodes.items[to], node, time, outermost);
  }
  return true;
}

/* inside: how often each function is on the path to the present node. */
static bool add_all(struct prof_growing *growing, const struct prof_profile *profile, const uint8_t *functions,
                    enum prof_time_kind time, uint32_t levels, uint32_t *inside) {
  uint32_t at = 0;
  for (uint32_t i = 1; i < profile->node_count; i++) {
    const struct prof_node *node = &profile->nodes[i];
    for (; at != node->parent; at = profile->nodes[at].parent)
      if (profile->nodes[at].parent != 0)
        inside[slot_of(profile, &profile->nodes[at])]--;
    at = i;
    if (node->parent == 0)
      continue;
    bool outermost = inside[slot_of(profile, node)]++ == 0;
    if (functions[slot_of(profile, node)] && !add_path(growing, profile, node, time, outermost, levels))
      return false;
  }
  return true;
}

prof_status prof_callers_find(const struct prof_profile *profile, const uint8_t *functions,
                              const struct prof_tree_limits *limits, struct prof_diag *diag, struct prof_tree *out) {
  struct prof_growing growing = {0};
  uint32_t *inside = calloc(profile->function_count, sizeof *inside);
  uint32_t levels = limits->depth && limits->depth < LONGEST_PATH ? limits->depth : LONGEST_PATH;
  prof_status status;
  if (inside && prof_growing_init(&growing) && add_all(&growing, profile, functions, limits->time, levels, inside)) {
    growing.nodes.items[0].total_ticks = prof_node_total(&profile->nodes[0], limits->time);
    status = prof_growing_finish(&growing, profile->trace, limits, diag, out);
  } else {
    status = prof_diag_memory(diag);
  }
  free(inside);
  prof_growing_fini(&growing);
  return status;
}
