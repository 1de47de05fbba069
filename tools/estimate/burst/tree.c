/*
 * tools/estimate/burst/tree.c - see tree.h.
 */
#include "estimate/burst/tree.h"

#include <math.h>
#include <stdlib.h>

#include "base/order.h"
#include "base/whole.h"
#include "estimate/profile_build.h"

static uint32_t hash_of(uint32_t parent, uint32_t function) {
  return prof_index_hash(parent, function);
}

static uint32_t find(const struct prof_burst_tree *tree, uint32_t parent, uint32_t function) {
  const struct prof_burst_node *nodes = tree->nodes.items;
  return prof_index_find(&tree->children, hash_of(parent, function), i,
                         nodes[i].parent == parent && nodes[i].function == function);
}

static double square(double value) {
  return value * value;
}

static void take_bounds(struct prof_burst_node *node, const struct prof_node *from,
                        const struct prof_estimated *estimated) {
  node->estimated = estimated->what;
  node->calls_below2 = square((double)from->calls - (double)estimated->calls_low);
  node->calls_above2 = square((double)estimated->calls_high - (double)from->calls);
  node->self_below2 = square((double)estimated->self_below_ticks);
  node->self_above2 = square((double)estimated->self_above_ticks);
}

bool prof_burst_tree_init(struct prof_burst_tree *tree, struct prof_profile *profile,
                          const struct prof_zone_hosts *zones) {
  static const struct prof_zone_hosts none;
  const struct prof_node *nodes = profile->nodes;
  *tree = (struct prof_burst_tree){
      .profile = profile, .first_new = profile->node_count, .zones = zones != NULL ? zones : &none};
  for (uint32_t i = 0; i < profile->node_count; i++) {
    if (!prof_vec_push(&tree->nodes, ((struct prof_burst_node){
                                         .parent = nodes[i].parent,
                                         .function = nodes[i].function,
                                         .thread = nodes[i].thread,
                                         .total_ticks = (double)nodes[i].total_ticks,
                                     })))
      return false;
    if (profile->estimated_nodes)
      take_bounds(&tree->nodes.items[i], &nodes[i], &profile->estimated_nodes[i]);
    bool is_call = i > 0 && nodes[i].parent != 0 && !nodes[i].cold && !nodes[i].forker;
    if (is_call && find(tree, nodes[i].parent, nodes[i].function) == UINT32_MAX &&
        !prof_index_add(&tree->children, hash_of(nodes[i].parent, nodes[i].function), i))
      return false;
  }
  return true;
}

void prof_burst_tree_fini(struct prof_burst_tree *tree) {
  prof_vec_fini(&tree->nodes);
  prof_index_fini(&tree->children);
}

uint32_t prof_burst_tree_child(struct prof_burst_tree *tree, uint32_t parent, uint32_t function) {
  uint32_t child = find(tree, parent, function);
  if (child != UINT32_MAX)
    return child;
  child = (uint32_t)tree->nodes.count;
  struct prof_burst_node node = {.parent = parent,
                                 .function = function,
                                 .thread = tree->nodes.items[parent].thread,
                                 .estimated = PROF_ESTIMATED_CALLS | PROF_ESTIMATED_SELF | PROF_ESTIMATED_TOTAL};
  bool done = prof_vec_push(&tree->nodes, node) && prof_index_add(&tree->children, hash_of(parent, function), child);
  return done ? child : PROF_NONE;
}

bool prof_burst_tree_is_first(const struct prof_burst_tree *tree, uint32_t node) {
  return find(tree, tree->nodes.items[node].parent, tree->nodes.items[node].function) == node;
}

bool prof_burst_tree_is_open(const struct prof_burst_tree *tree, uint32_t node) {
  return node != 0 && (node >= tree->first_new || !tree->profile->nodes[node].cold) &&
         !prof_burst_tree_is_apart(tree, node);
}

bool prof_burst_tree_is_part(const struct prof_burst_tree *tree, uint32_t node) {
  uint32_t function = tree->nodes.items[node].function;
  return function != PROF_NONE &&
         (function >= tree->profile->function_count || prof_zone_hosts_is_zone(tree->zones, function));
}

bool prof_burst_tree_is_apart(const struct prof_burst_tree *tree, uint32_t node) {
  uint32_t function = tree->nodes.items[node].function;
  return prof_zone_hosts_is_zone(tree->zones, function) &&
         !prof_zone_hosts_has(tree->zones, function, prof_burst_tree_caller(tree, node));
}

uint32_t prof_burst_tree_caller(const struct prof_burst_tree *tree, uint32_t node) {
  const struct prof_burst_node *nodes = tree->nodes.items;
  uint32_t at = nodes[node].parent;
  while (at != PROF_NONE && prof_burst_tree_is_part(tree, at))
    at = nodes[at].parent;
  return at == PROF_NONE ? PROF_NONE : nodes[at].function;
}

bool prof_burst_tree_insert(struct prof_burst_tree *tree, uint32_t node, const uint32_t *functions, size_t count) {
  const struct prof_node *from = &tree->profile->nodes[node];
  uint32_t outer = tree->nodes.items[node].parent, at = outer;
  for (size_t i = 0; i < count && at != PROF_NONE; i++)
    at = prof_burst_tree_child(tree, at, functions[i]);
  if (at == PROF_NONE)
    return false;
  tree->nodes.items[node].parent = at;
  for (; at != outer; at = tree->nodes.items[at].parent) {
    struct prof_burst_node *between = &tree->nodes.items[at];
    between->moved_ticks += (double)from->total_ticks;
    prof_off_add(&between->moved_off, &from->off);
    between->estimated |= PROF_ESTIMATED_TOTAL;
  }
  return true;
}

/* Nodes by depth, the deepest last.  NULL: no memory. */
static uint32_t *by_depth(const struct prof_burst_tree *tree) {
  uint32_t count = (uint32_t)tree->nodes.count, deepest = 0;
  const struct prof_burst_node *nodes = tree->nodes.items;
  uint32_t *depth = calloc(count, sizeof *depth), *order = malloc(count * sizeof *order);
  for (uint32_t i = 1; depth && i < count; i++) {
    uint32_t levels = 0, at = i;
    for (; at != 0 && depth[at] == 0; at = nodes[at].parent)
      levels++;
    levels += depth[at];
    deepest = levels > deepest ? levels : deepest;
    for (at = i; at != 0 && depth[at] == 0; at = nodes[at].parent)
      depth[at] = levels--;
  }
  uint32_t *first = depth ? calloc((size_t)deepest + 2, sizeof *first) : NULL;
  if (!first || !order) {
    free(order);
    order = NULL;
  }
  for (uint32_t i = 0; order && i < count; i++)
    first[depth[i] + 1]++;
  for (uint32_t i = 1; order && i <= deepest + 1; i++)
    first[i] += first[i - 1];
  for (uint32_t i = 0; order && i < count; i++)
    order[first[depth[i]]++] = i;
  free(depth);
  free(first);
  return order;
}

bool prof_burst_tree_sum_up(struct prof_burst_tree *tree) {
  struct prof_burst_node *nodes = tree->nodes.items;
  uint32_t *order = by_depth(tree);
  for (uint32_t i = 0; order && i < tree->nodes.count; i++) {
    nodes[i].total_ticks = nodes[i].gained_ticks + nodes[i].gained_preempted;
    nodes[i].taken_ticks = nodes[i].removed_ticks;
    nodes[i].preempted = nodes[i].gained_preempted;
  }
  for (size_t i = tree->nodes.count; order && i > 1; i--) {
    const struct prof_burst_node *node = &nodes[order[i - 1]];
    nodes[node->parent].total_ticks += node->total_ticks;
    nodes[node->parent].taken_ticks += node->taken_ticks;
    nodes[node->parent].preempted += node->preempted;
  }
  for (uint32_t i = 0; order && i < tree->nodes.count; i++)
    nodes[i].total_ticks +=
        nodes[i].moved_ticks + (i < tree->first_new ? (double)tree->profile->nodes[i].total_ticks : 0);
  free(order);
  return order != NULL;
}

/* ---- into the profile ---- */

struct place { /* of a node among its siblings */
  uint32_t parent, key, place, node;
};

static int by_place(const void *left, const void *right) {
  const struct place *a = left, *b = right;
  return prof_order(a->parent, b->parent) ?: prof_order(a->key, b->key) ?: prof_order(a->place, b->place) ?:
         prof_order(a->node, b->node);
}

static struct place place_of(const struct prof_burst_tree *tree, uint32_t node) {
  const struct prof_node *from = node < tree->first_new ? &tree->profile->nodes[node] : NULL;
  const struct prof_burst_node *at = &tree->nodes.items[node];
  uint32_t unknown = (uint32_t)tree->profile->function_count - 1;
  uint32_t key = at->parent == 0 ? 0 : at->function == PROF_NONE ? unknown : at->function;
  if (from && from->cold)
    key = PROF_NONE;
  else if (from && from->forker)
    key |= 0x80000000u;
  return (struct place){at->parent, key, from ? from->place : PROF_NONE, node};
}

static uint64_t rounded(double ticks) {
  return prof_whole(ticks + 0.5);
}

/* Rounding makes no time shorter than its parts. */
static void fit(uint64_t *ticks, const struct prof_off_ticks *off) {
  uint64_t least = off->waiting + off->preempted;
  *ticks = *ticks > least ? *ticks : least;
}

/* The node as it is in the profile from now on, but for its links. */
static struct prof_node made(const struct prof_burst_tree *tree, uint32_t node) {
  const struct prof_burst_node *from = &tree->nodes.items[node];
  struct prof_node out = {.function = from->function, .thread = from->thread, .place = PROF_NONE};
  if (node < tree->first_new)
    out = tree->profile->nodes[node];
  if (from->gained_ticks != 0 || from->gained_preempted != 0 || from->calls != 0) {
    out.calls += rounded(from->calls);
    out.self_ticks = rounded((double)out.self_ticks + from->gained_ticks + from->gained_preempted);
    out.self_off.preempted = rounded((double)out.self_off.preempted + from->gained_preempted);
    fit(&out.self_ticks, &out.self_off);
  }
  out.taken_ticks += rounded(from->taken_ticks);
  out.total_ticks = rounded(from->total_ticks);
  prof_off_add(&out.off, &from->moved_off);
  out.off.preempted = rounded((double)out.off.preempted + from->preempted);
  fit(&out.total_ticks, &out.off);
  return out;
}

static struct prof_estimated bounds_of(const struct prof_burst_node *from, const struct prof_node *node) {
  double calls = (double)node->calls;
  return (struct prof_estimated){.what = from->estimated,
                                 .calls_low = rounded(calls - sqrt(from->calls_below2)),
                                 .calls_high = rounded(calls + sqrt(from->calls_above2)),
                                 .self_below_ticks = rounded(sqrt(from->self_below2)),
                                 .self_above_ticks = rounded(sqrt(from->self_above2))};
}

struct walk { /* from the tree to the profile */
  const struct prof_burst_tree *tree;
  struct place *places; /* of all nodes but node 0, by parent */
  uint32_t *next;       /* by node: its next child among these */
  uint32_t *last;       /* by node: the child that was placed last; PROF_NONE: none was */
  uint32_t *moved;      /* by node: its number in the profile */
};

/* Depth first. */
static void place_all(struct walk *walk, struct prof_node *out, struct prof_estimated *estimates) {
  const struct prof_burst_node *nodes = walk->tree->nodes.items;
  uint32_t count = (uint32_t)walk->tree->nodes.count, at = 0, placed = 1;
  out[0] = made(walk->tree, 0);
  out[0].first_child = PROF_NONE;
  walk->moved[0] = 0;
  while (at != PROF_NONE) {
    if (walk->next[at] == count - 1 || walk->places[walk->next[at]].parent != at) {
      at = nodes[at].parent;
      continue;
    }
    uint32_t from = walk->places[walk->next[at]++].node, to = placed++;
    out[to] = made(walk->tree, from);
    out[to].parent = walk->moved[at];
    out[to].first_child = out[to].next_sibling = PROF_NONE;
    *(walk->last[at] == PROF_NONE ? &out[walk->moved[at]].first_child : &out[walk->last[at]].next_sibling) = to;
    walk->last[at] = to;
    walk->moved[from] = to;
    estimates[to] = bounds_of(&nodes[from], &out[to]);
    at = from;
  }
}

struct path { /* of functions: its nodes differ by their places */
  uint32_t outer, function;
  uint64_t calls;
};

/*
 * Frames that were left and entered again, as a state changed, are the same calls.  Where calls are distinguished by
 * place they are nodes beside those of the calls: nothing tells their places.
 */
static bool join_entered_again(struct prof_node *nodes, uint32_t count) {
  PROF_VEC(struct path) paths = {0};
  struct prof_index_map known = {0};
  uint32_t *of = calloc(count, sizeof *of);
  bool done = of && prof_vec_push(&paths, (struct path){0});
  for (uint32_t i = 1; i < count && done; i++) {
    const struct path path = {of[nodes[i].parent], nodes[i].parent == 0 ? nodes[i].thread : nodes[i].function, 0};
    bool is_call = !nodes[i].cold && !nodes[i].forker;
    of[i] = prof_index_meet(&known, &paths, hash_of(path.outer, path.function), at,
                            at != 0 && paths.items[at].outer == path.outer && paths.items[at].function == path.function,
                            path);
    done = of[i] != UINT32_MAX;
    if (done && is_call)
      paths.items[of[i]].calls += nodes[i].calls;
  }
  for (uint32_t i = 1; i < count && done; i++)
    if (!nodes[i].cold && !nodes[i].forker && paths.items[of[i]].calls)
      nodes[i].open_share = 0;
  prof_vec_fini(&paths);
  prof_index_fini(&known);
  free(of);
  return done;
}

static bool make_walk(struct walk *walk, const struct prof_burst_tree *tree) {
  uint32_t count = (uint32_t)tree->nodes.count;
  *walk = (struct walk){.tree = tree,
                        .places = malloc(count * sizeof *walk->places),
                        .next = malloc(count * sizeof *walk->next),
                        .last = malloc(count * sizeof *walk->last),
                        .moved = malloc(count * sizeof *walk->moved)};
  if (!walk->places || !walk->next || !walk->last || !walk->moved)
    return false;
  for (uint32_t i = 1; i < count; i++)
    walk->places[i - 1] = place_of(tree, i);
  if (count > 1)
    qsort(walk->places, count - 1, sizeof *walk->places, by_place);
  for (uint32_t i = 0; i < count; i++) {
    walk->next[i] = count - 1;
    walk->last[i] = PROF_NONE;
  }
  for (uint32_t i = count - 1; i > 0; i--)
    walk->next[walk->places[i - 1].parent] = i - 1;
  return true;
}

static void free_walk(struct walk *walk) {
  free(walk->places);
  free(walk->next);
  free(walk->last);
  free(walk->moved);
}

void prof_burst_move(struct prof_samples *samples, const uint32_t *moved) {
  struct prof_sample *items = prof_samples_items_of(samples);
  struct prof_pause *pauses = prof_samples_pauses_of(samples);
  for (size_t i = 0; i < samples->count; i++)
    if (items[i].node != PROF_NONE)
      items[i].node = moved[items[i].node];
  for (size_t i = 0; i < samples->pause_count; i++)
    if (pauses[i].node != PROF_NONE)
      pauses[i].node = moved[pauses[i].node];
}

bool prof_burst_tree_settle(struct prof_burst_tree *tree, struct prof_samples *samples) {
  uint32_t count = (uint32_t)tree->nodes.count;
  struct walk walk;
  struct prof_node *nodes = malloc(count * sizeof *nodes);
  struct prof_estimated *estimates = calloc(count, sizeof *estimates);
  bool done = make_walk(&walk, tree) && nodes && estimates;
  if (done) {
    place_all(&walk, nodes, estimates);
    done = join_entered_again(nodes, count);
  }
  if (done) {
    prof_burst_move(samples, walk.moved);
    prof_profile_take_nodes(tree->profile, nodes, count, estimates);
  } else {
    free(nodes);
    free(estimates);
  }
  free_walk(&walk);
  return done;
}
