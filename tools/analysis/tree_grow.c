/*
 * tools/analysis/tree_grow.c - see tree_grow.h.
 */
#include "analysis/tree_grow.h"

#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/order.h"

bool prof_growing_init(struct prof_growing *growing) {
  memset(growing, 0, sizeof *growing);
  struct prof_growing_node top = {.parent = PROF_NONE, .function = PROF_NONE};
  return prof_vec_push(&growing->nodes, top);
}

void prof_growing_fini(struct prof_growing *growing) {
  prof_vec_fini(&growing->nodes);
  prof_index_fini(&growing->known);
}

uint32_t prof_growing_child(struct prof_growing *growing, uint32_t parent, uint32_t function) {
  const struct prof_growing_node *nodes = growing->nodes.items;
  const struct prof_growing_node node = {.parent = parent, .function = function, .depth = nodes[parent].depth + 1};
  uint32_t child = prof_index_meet(&growing->known, &growing->nodes, prof_index_hash(parent, function), i,
                                   nodes[i].parent == parent && nodes[i].function == function, node);
  return child != UINT32_MAX ? child : 0;
}

uint32_t prof_growing_top(struct prof_growing *growing, const struct prof_tree_limits *limits, uint32_t thread) {
  uint32_t group = prof_frame_of_group(limits->groups, thread);
  if (group == PROF_NONE)
    return 0;
  uint32_t top = prof_growing_child(growing, 0, group);
  return top ? top : PROF_NONE;
}

void prof_growing_add(struct prof_growing_node *to, const struct prof_profile *profile, const struct prof_node *node,
                      enum prof_time_kind time, bool total) {
  if (profile && profile->estimated_nodes)
    prof_bounds_add(&to->bounds, &profile->estimated_nodes[node - profile->nodes], node->calls);
  to->calls += node->calls;
  to->self_ticks += prof_node_self(node, time);
  to->self_elapsed_ticks += node->self_ticks;
  prof_off_add(&to->self_off, &node->self_off);
  if (!total)
    return;
  to->total_ticks += prof_node_total(node, time);
  to->elapsed_ticks += node->total_ticks;
  prof_off_add(&to->off, &node->off);
}

struct order {
  const struct prof_growing_node *nodes;
  uint32_t *sorted; /* indices: by parent, then total descending, then function */
  uint32_t count;
};

static int by_total(const void *a, const void *b, void *context) {
  const struct prof_growing_node *nodes = context;
  const struct prof_growing_node *left = &nodes[*(const uint32_t *)a], *right = &nodes[*(const uint32_t *)b];
  int order = prof_order(left->parent, right->parent) ?: prof_order(right->total_ticks, left->total_ticks);
  return order ?: prof_order(left->function, right->function);
}

/*
 * Chooses nodes whose whole path is within the limits; parents come before children.  Returns how many were too small.
 */
static uint64_t choose(struct order *order, uint32_t count, const struct prof_tree_limits *limits, uint8_t *chosen) {
  double least = limits->min_share * (double)order->nodes[0].total_ticks;
  uint64_t hidden = 0;
  chosen[0] = 1;
  for (uint32_t i = 1; i < count; i++) {
    const struct prof_growing_node *node = &order->nodes[i];
    if (!chosen[node->parent] || (limits->depth && node->depth > limits->depth))
      continue;
    if ((double)node->total_ticks < least) {
      hidden++;
      continue;
    }
    chosen[i] = 1;
    order->sorted[order->count++] = i;
  }
  return hidden;
}

static struct prof_tree_node convert(const struct order *order, uint32_t node, const prof_trace *trace) {
  const struct prof_growing_node *from = &order->nodes[node];
  double all = (double)order->nodes[0].total_ticks;
  struct prof_tree_node out = {.parent = PROF_NONE,
                               .first_child = PROF_NONE,
                               .next_sibling = PROF_NONE,
                               .function = from->function,
                               .depth = from->depth,
                               .calls = from->calls,
                               .total_ns = prof_trace_ns(trace, from->total_ticks),
                               .self_ns = prof_trace_ns(trace, from->self_ticks),
                               .total = prof_time_split(trace, from->elapsed_ticks, &from->off),
                               .self = prof_time_split(trace, from->self_elapsed_ticks, &from->self_off),
                               .share = all > 0 ? (double)from->total_ticks / all : 0};
  struct prof_bounds_shown shown = prof_bounds_show(&from->bounds, from->calls, from->self_elapsed_ticks);
  out.estimated = from->bounds.what != 0;
  out.calls_estimated = shown.calls_estimated;
  out.total_estimated = shown.total_estimated;
  out.self_estimated = shown.self_estimated;
  out.has_calls_high = shown.has_calls_high;
  out.calls_low = shown.calls_low;
  out.calls_high = shown.calls_high;
  out.self_low_ns = prof_trace_ns(trace, shown.self_low_ticks);
  out.self_high_ns = prof_trace_ns(trace, shown.self_high_ticks);
  return out;
}

/* Depth-first.  children[i]: index in `sorted` of node i's first child; place: per node its index in the output. */
static void lay_out(const struct order *order, const uint32_t *children, uint32_t *place, const prof_trace *trace,
                    struct prof_tree *out) {
  uint32_t at = 0, at_growing = 0, next = children[0], last = PROF_NONE; /* last: the previous child */
  out->nodes[0] = convert(order, 0, trace);
  out->count = 1;
  for (;;) {
    if (next < order->count && order->nodes[order->sorted[next]].parent == at_growing) {
      uint32_t node = out->count++;
      at_growing = order->sorted[next];
      out->nodes[node] = convert(order, at_growing, trace);
      out->nodes[node].parent = at;
      *(last == PROF_NONE ? &out->nodes[at].first_child : &out->nodes[last].next_sibling) = node;
      place[node] = next;
      at = node;
      last = PROF_NONE;
      next = children[at_growing];
    } else if (at == 0) {
      return;
    } else {
      last = at;
      next = place[at] + 1;
      at = out->nodes[at].parent;
      at_growing = order->nodes[at_growing].parent;
    }
  }
}

prof_status prof_growing_finish(const struct prof_growing *growing, const prof_trace *trace,
                                const struct prof_tree_limits *limits, struct prof_diag *diag, struct prof_tree *out) {
  uint32_t count = (uint32_t)growing->nodes.count;
  struct order order = {.nodes = growing->nodes.items, .sorted = malloc(count * sizeof *order.sorted)};
  uint8_t *chosen = calloc(count, 1);
  uint32_t *children = malloc(count * sizeof *children), *place = malloc(count * sizeof *place);
  memset(out, 0, sizeof *out);
  out->nodes = malloc(count * sizeof *out->nodes);
  bool done = order.sorted && chosen && children && place && out->nodes;
  if (done) {
    out->hidden = choose(&order, count, limits, chosen);
    qsort_r(order.sorted, order.count, sizeof *order.sorted, by_total, growing->nodes.items);
    for (uint32_t i = 0; i < count; i++)
      children[i] = UINT32_MAX;
    for (uint32_t i = order.count; i > 0; i--)
      children[order.nodes[order.sorted[i - 1]].parent] = i - 1;
    lay_out(&order, children, place, trace, out);
  } else {
    prof_tree_free(out);
  }
  free(order.sorted);
  free(chosen);
  free(children);
  free(place);
  return done ? PROF_OK : prof_diag_memory(diag);
}

void prof_tree_free(struct prof_tree *tree) {
  free(tree->nodes);
  memset(tree, 0, sizeof *tree);
}
