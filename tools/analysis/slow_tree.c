/*
 * tools/analysis/slow_tree.c - see slow_tree.h.
 */
#include "analysis/slow_tree.h"

#include <stdlib.h>
#include <string.h>

#include "base/order.h"

static uint32_t node_of(struct prof_slow_tree *call, uint32_t parent, uint32_t function) {
  const struct prof_slow_node *nodes = call->nodes.items;
  const uint32_t hash = prof_index_hash(parent, function);
  if (parent == PROF_NONE)
    return PROF_NONE;
  if (call->nodes.count >= PROF_SLOW_NODES)
    return prof_index_find(&call->known, hash, i, nodes[i].parent == parent && nodes[i].function == function);
  const struct prof_slow_node node = {.parent = parent, .function = function, .depth = nodes[parent].depth + 1};
  return prof_index_meet(&call->known, &call->nodes, hash, i,
                         nodes[i].parent == parent && nodes[i].function == function, node);
}

bool prof_slow_begin(struct prof_slow_builder *builder, struct prof_slow_tree *tree) {
  const struct prof_slow_node whole = {
      .parent = PROF_NONE, .function = tree->function, .calls = 1, .total_ns = tree->duration_ns};
  builder->tree = tree;
  builder->stack.count = 0;
  return prof_vec_push(&tree->nodes, whole);
}

static bool enter(struct prof_slow_builder *builder, const struct prof_walk_event *event) {
  struct prof_slow_tree *tree = builder->tree;
  const uint32_t parent = builder->stack.count ? builder->stack.items[builder->stack.count - 1].node : 0;
  const bool full = tree->nodes.count >= PROF_SLOW_NODES;
  const uint32_t node = node_of(tree, parent, event->function);
  if (node == PROF_NONE && parent != PROF_NONE && !full)
    return false; /* no memory */
  tree->omitted += node == PROF_NONE;
  return prof_vec_push(&builder->stack, (struct prof_slow_open){node, event->time_ns});
}

static void leave(struct prof_slow_builder *builder, uint64_t piece_ns, bool goes_on) {
  const uint32_t node = builder->stack.items[--builder->stack.count].node;
  if (node == PROF_NONE)
    return;
  builder->tree->nodes.items[node].calls += !goes_on;
  builder->tree->nodes.items[node].total_ns += piece_ns;
}

bool prof_slow_take(struct prof_slow_builder *builder, const struct prof_walk_event *event) {
  if (!builder->tree)
    return true;
  if (event->kind == PROF_WALK_ENTER)
    return enter(builder, event);
  if (event->kind == PROF_WALK_LEAVE && builder->stack.count)
    leave(builder, event->piece_ns, event->goes_on); /* else a call around it has ended */
  return true;
}

void prof_slow_end(struct prof_slow_builder *builder, uint64_t time_ns) {
  while (builder->tree && builder->stack.count)
    leave(builder, time_ns - builder->stack.items[builder->stack.count - 1].begin_ns, false);
  builder->tree = NULL;
}

void prof_slow_builder_fini(struct prof_slow_builder *builder) {
  prof_vec_fini(&builder->stack);
}

/* ---- the order of nodes ---- */

static int by_total(const void *left, const void *right, void *context) {
  const struct prof_slow_node *nodes = context;
  uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
  return prof_order(nodes[a].parent, nodes[b].parent) ?: prof_order(nodes[b].total_ns, nodes[a].total_ns)
                                                       ?: prof_order(a, b);
}

/* Depth first.  sorted: nodes by parent, the root apart; begin[i]: where those of parent i begin in it. */
static void lay_out(const struct prof_slow_tree *call, const uint32_t *sorted, const uint32_t *begin, uint32_t *stack,
                    struct prof_slow_node *out) {
  const struct prof_slow_node *nodes = call->nodes.items;
  const uint32_t count = (uint32_t)call->nodes.count;
  uint32_t depth = 0, done = 0;
  stack[depth++] = 0;
  while (depth > 0) {
    const uint32_t index = stack[--depth];
    out[done++] = nodes[index];
    uint32_t end = begin[index];
    while (end < count && nodes[sorted[end]].parent == index)
      end++;
    for (uint32_t i = end; i-- > begin[index];) /* the first is on top */
      stack[depth++] = sorted[i];
  }
}

bool prof_slow_tree_sort(struct prof_slow_tree *call) {
  const uint32_t count = (uint32_t)call->nodes.count;
  uint32_t *sorted = malloc((count + 1) * sizeof *sorted), *begin = malloc((count + 1) * sizeof *begin),
           *stack = malloc((count + 1) * sizeof *stack);
  struct prof_slow_node *out = malloc((count + 1) * sizeof *out);
  const bool done = sorted && begin && stack && out;
  if (done && count > 0) {
    for (uint32_t i = 0; i < count; i++) {
      sorted[i] = i;
      begin[i] = count;
    }
    qsort_r(sorted, count, sizeof *sorted, by_total, call->nodes.items);
    for (uint32_t i = count; i-- > 0;)
      if (call->nodes.items[sorted[i]].parent != PROF_NONE)
        begin[call->nodes.items[sorted[i]].parent] = i;
    lay_out(call, sorted, begin, stack, out);
    memcpy(call->nodes.items, out, count * sizeof *out);
  }
  free(sorted);
  free(begin);
  free(stack);
  free(out);
  prof_index_fini(&call->known);
  return done;
}

/* ---- the longest ---- */

void prof_slow_tree_fini(struct prof_slow_tree *tree) {
  prof_vec_fini(&tree->nodes);
  prof_index_fini(&tree->known);
}

void prof_slow_insert(struct prof_slow_tree *items, size_t *count, size_t most, const struct prof_slow_tree *tree) {
  size_t at = prof_search(0, *count, middle, items[middle].duration_ns >= tree->duration_ns);
  if (at == most)
    return;
  *count += *count < most;
  memmove(items + at + 1, items + at, (*count - at - 1) * sizeof *items);
  items[at] = *tree;
}
