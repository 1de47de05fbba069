/*
 * tools/estimate/node_places.c - see node_places.h.
 */
#include "estimate/node_places.h"

#include <stdlib.h>

static void fill_node(struct prof_node *nodes, uint32_t index, uint32_t parent, const struct prof_fold_node *from,
                      const struct prof_node_order *order) {
  bool thread = parent == 0, cold = from->function == PROF_FOLD_OTHER;
  bool forker = !thread && prof_fold_is_forker(from->function), placed = order->places && !thread && !cold && !forker;
  uint32_t function = placed ? order->places[from->function].function : cold ? PROF_NONE : from->function;
  function = forker ? function - PROF_FOLD_FORKER : function;
  nodes[index] = (struct prof_node){.parent = parent,
                                    .first_child = PROF_NONE,
                                    .next_sibling = PROF_NONE,
                                    .function = thread || function == order->unknown ? PROF_NONE : function,
                                    .place = placed ? from->function : PROF_NONE,
                                    .forker = forker,
                                    .cold = cold,
                                    .thread = thread ? from->function : nodes[parent].thread,
                                    .calls = from->calls,
                                    .total_ticks = from->total,
                                    .own_events = 2 * from->uncounted};
  if (nodes[parent].first_child == PROF_NONE)
    nodes[parent].first_child = index;
}

/* `at` walks down to the first child not yet placed, and up when there is none. */
bool prof_nodes_place(const struct prof_node_order *order, const struct prof_node_child *children, uint32_t count,
                      const struct prof_fold_core *core, uint32_t *placed_at) {
  struct prof_node *nodes = order->nodes;
  struct step {
    uint32_t next, last_placed; /* into children; node placed last under this parent */
  } *steps = malloc(((size_t)count + 1) * sizeof *steps);
  uint32_t *origin = malloc(((size_t)count + 1) * sizeof *origin); /* of each placed node, in the core */
  if (steps && origin) {
    nodes[0] = (struct prof_node){.parent = PROF_NONE,
                                  .first_child = PROF_NONE,
                                  .next_sibling = PROF_NONE,
                                  .function = PROF_NONE,
                                  .place = PROF_NONE,
                                  .thread = PROF_NONE};
    origin[0] = placed_at[0] = 0;
    steps[0] = (struct step){prof_node_children_first(children, count, 0), PROF_NONE};
    uint32_t at = 0, placed = 1;
    while (at != PROF_NONE) {
      uint32_t next = steps[at].next;
      if (next == count || children[next].key >> 32 != origin[at]) {
        at = nodes[at].parent;
        continue;
      }
      uint32_t node = placed++;
      fill_node(nodes, node, at, &core->nodes[children[next].node], order);
      if (steps[at].last_placed != PROF_NONE)
        nodes[steps[at].last_placed].next_sibling = node;
      steps[at] = (struct step){next + 1, node};
      origin[node] = children[next].node;
      placed_at[origin[node]] = node;
      steps[node] = (struct step){prof_node_children_first(children, count, origin[node]), PROF_NONE};
      at = node;
    }
  }
  bool done = steps && origin;
  free(steps);
  free(origin);
  return done;
}

/* Marks in calls that didn't count (too short to be shown) lie in the nearest one that did. */
static uint32_t place_of(const struct prof_fold_worker *worker, const uint32_t *placed_at, uint32_t node) {
  while (placed_at[node] == PROF_NONE)
    node = worker->core.nodes[node].parent;
  return placed_at[node] ? placed_at[node] : PROF_NONE;
}

size_t prof_nodes_mark_count(const struct prof_fold_worker *worker) {
  size_t thread_count;
  prof_trace_threads(worker->trace, &thread_count);
  return worker->marks ? worker->marks->first[thread_count] : 0;
}

void prof_nodes_place_marks(const struct prof_fold_worker *worker, const uint32_t *placed_at) {
  for (size_t i = 0; i < prof_nodes_mark_count(worker); i++) {
    struct prof_fold_mark *mark = &worker->marks->items[i];
    bool seen = mark->state != PROF_MARK_UNSEEN;
    mark->node = place_of(worker, placed_at, seen ? mark->node : 0);
    mark->charged = place_of(worker, placed_at, seen ? mark->charged : 0);
  }
  for (size_t i = 0; i < worker->options.count; i++)
    worker->options.items[i].node = place_of(worker, placed_at, worker->options.items[i].node);
}

void prof_nodes_place_opens(struct prof_node *nodes, const struct prof_fold_core *core, const uint32_t *placed_at) {
  for (size_t i = 0; i < core->opens.count; i++) {
    const struct prof_fold_open *open = &core->opens.items[i];
    struct prof_node *node = &nodes[placed_at[open->node] == PROF_NONE ? 0 : placed_at[open->node]];
    double share = node->total_ticks ? (double)open->ticks / (double)node->total_ticks : 0;
    node->open_share = node->calls ? (float)((double)node->open_share + share) : 1;
  }
}
