/*
 * tools/analysis/reverse.c - see reverse.h.
 *
 * All branches grow at once, level by level; small branches are dropped before their callers are read.  So memory is
 * bounded by the profile's nodes and the branches shown, not by the sum of all depths.
 */
#include "analysis/reverse.h"

#include <stdlib.h>

#include "analysis/tree_grow.h"
#include "base/diag.h"

struct climber {  /* self time of a node or leaf that moves up to its callers */
  uint32_t from;  /* the node */
  uint32_t above; /* the next caller */
  uint32_t at;    /* its place in the growing tree */
  uint64_t ticks;
};

struct climb {
  const struct prof_profile *profile;
  const struct prof_tree_limits *limits;
  struct prof_growing growing;
  struct climber *climbers;
  uint32_t count;
};

/* Makes the leaves' roots and their first step.  Returns the rest of the node's self time; UINT64_MAX: no memory. */
static uint64_t start_leaves(struct climb *climb, const struct prof_line_leaves *leaves, uint32_t node, uint32_t top) {
  uint64_t left = prof_node_self(&climb->profile->nodes[node], climb->limits->time);
  for (uint32_t i = leaves->begin[node]; i < leaves->begin[node + 1]; i++) {
    const struct prof_line_leaf *leaf = &leaves->items[i];
    uint32_t at = prof_growing_child(&climb->growing, top, leaf->number);
    if (!at)
      return UINT64_MAX;
    climb->growing.nodes.items[at].calls += leaf->samples;
    climb->growing.nodes.items[at].total_ticks += leaf->ticks;
    if (leaf->under != PROF_NONE) {
      at = prof_growing_child(&climb->growing, at, leaf->under);
      if (!at)
        return UINT64_MAX;
      climb->growing.nodes.items[at].total_ticks += leaf->ticks;
    }
    climb->climbers[climb->count++] = (struct climber){node, node, at, leaf->ticks};
    left -= leaf->ticks;
  }
  return left;
}

/* Adds self times of cold paths, which are known by function, for all callers together.  They add up to the times of
 * these paths' nodes.  Returns their sum; UINT64_MAX: no memory. */
static uint64_t add_cold(struct climb *climb) {
  const struct prof_profile *profile = climb->profile;
  bool wanted = profile->cold && !(climb->limits->groups && climb->limits->groups->count);
  uint64_t all = 0;
  size_t loops;
  prof_trace_loops(profile->trace, &loops);
  size_t count = profile->function_count + (profile->loops ? loops : 0), unknown = profile->function_count - 1;
  for (uint32_t i = 0; wanted && i < count; i++) {
    const struct prof_cold_figures *cold = &profile->cold[i];
    uint64_t own = prof_time_part(climb->limits->time, prof_cold_self(0, cold->self_ticks), &cold->self_off);
    if (!own)
      continue;
    uint32_t root = prof_growing_child(&climb->growing, 0, i != unknown ? i : PROF_NONE);
    uint32_t other = root ? prof_growing_child(&climb->growing, root, PROF_NONE) : 0;
    if (!other)
      return UINT64_MAX;
    uint32_t path[] = {root, other};
    for (int j = 0; j < 2; j++) {
      climb->growing.nodes.items[path[j]].calls += cold->calls;
      climb->growing.nodes.items[path[j]].total_ticks += own;
    }
    climb->growing.nodes.items[other].self_ticks += own;
    all += own;
  }
  return all;
}

static bool start(struct climb *climb, const struct prof_line_leaves *leaves) {
  const struct prof_node *nodes = climb->profile->nodes;
  uint64_t all = 0;
  for (uint32_t i = 1; i < climb->profile->node_count; i++) {
    uint64_t own = prof_node_self(&nodes[i], climb->limits->time);
    bool is_apart = nodes[i].cold && climb->profile->cold && !(climb->limits->groups && climb->limits->groups->count);
    if (nodes[i].parent == 0 || !own || is_apart)
      continue;
    uint32_t top = prof_growing_top(&climb->growing, climb->limits, nodes[i].thread);
    uint64_t ticks = top == PROF_NONE ? UINT64_MAX : leaves ? start_leaves(climb, leaves, i, top) : own;
    if (ticks == UINT64_MAX)
      return false;
    if (ticks > 0)
      climb->climbers[climb->count++] = (struct climber){.from = i, .above = i, .at = top, .ticks = ticks};
    if (top) {
      climb->growing.nodes.items[top].calls += nodes[i].calls;
      climb->growing.nodes.items[top].total_ticks += own;
    }
    all += own;
  }
  uint64_t cold = add_cold(climb);
  climb->growing.nodes.items[0].total_ticks = all + cold;
  return cold != UINT64_MAX;
}

/* Moves every climber up one caller. */
static bool step(struct climb *climb) {
  const struct prof_node *nodes = climb->profile->nodes;
  for (uint32_t i = 0; i < climb->count; i++) {
    struct climber *climber = &climb->climbers[i];
    const struct prof_node *from = &nodes[climber->from];
    climber->at = prof_growing_child(&climb->growing, climber->at, nodes[climber->above].function);
    if (!climber->at)
      return false;
    climber->above = nodes[climber->above].parent;
    struct prof_growing_node *to = &climb->growing.nodes.items[climber->at];
    to->calls += from->calls;
    to->total_ticks += climber->ticks;
    if (nodes[climber->above].parent == 0) /* a thread: no further caller */
      to->self_ticks += climber->ticks;
  }
  return true;
}

/* Keeps climbers that have more callers and are on a branch that will be shown. */
static void drop(struct climb *climb, const struct prof_tree_limits *limits) {
  const struct prof_node *nodes = climb->profile->nodes;
  const struct prof_growing_node *grown = climb->growing.nodes.items;
  double least = limits->min_share * (double)grown[0].total_ticks;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < climb->count; i++) {
    const struct climber *climber = &climb->climbers[i];
    bool at_end = nodes[climber->above].parent == 0 || (limits->depth && grown[climber->at].depth >= limits->depth);
    if (!at_end && (double)grown[climber->at].total_ticks >= least)
      climb->climbers[kept++] = *climber;
  }
  climb->count = kept;
}

prof_status prof_reverse_select(const struct prof_profile *profile, const struct prof_line_leaves *leaves,
                                const struct prof_tree_limits *limits, struct prof_diag *diag, struct prof_tree *out) {
  size_t most = (size_t)profile->node_count + (leaves ? leaves->begin[profile->node_count] : 0);
  struct climb climb = {.profile = profile, .limits = limits, .climbers = malloc(most * sizeof *climb.climbers)};
  bool done = climb.climbers && prof_growing_init(&climb.growing) && start(&climb, leaves);
  while (done && climb.count) {
    done = step(&climb);
    drop(&climb, limits);
  }
  prof_status status =
      done ? prof_growing_finish(&climb.growing, profile->trace, limits, diag, out) : prof_diag_memory(diag);
  free(climb.climbers);
  prof_growing_fini(&climb.growing);
  return status;
}
