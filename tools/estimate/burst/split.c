/*
 * tools/estimate/burst/split.c - see split.h.
 */
#include "estimate/burst/split.h"

#include <math.h>
#include <stdlib.h>

#include "base/order.h"
#include "estimate/interval.h"

struct spot { /* a node that may have calls */
  uint32_t thread, function, node;
};

struct splitting {
  struct prof_burst_tree *tree;
  const struct prof_burst_calls *calls;
  PROF_VEC(struct spot) spots; /* in order */
  PROF_VEC(uint32_t) left;     /* edges that have no node yet */
};

static int by_function(const void *left, const void *right) {
  const struct spot *a = left, *b = right;
  return prof_order(a->thread, b->thread) ?: prof_order(a->function, b->function) ?: prof_order(a->node, b->node);
}

static bool is_call(const struct prof_burst_tree *tree, uint32_t node) {
  const struct prof_node *from = node < tree->first_new ? &tree->profile->nodes[node] : NULL;
  const struct prof_burst_node *at = &tree->nodes.items[node];
  return at->parent != PROF_NONE && at->parent != 0 && at->function < tree->profile->function_count &&
         !(from && (from->cold || from->forker));
}

static bool find_spots(struct splitting *splitting) {
  splitting->spots.count = 0;
  for (uint32_t i = 1; i < splitting->tree->nodes.count; i++) {
    const struct prof_burst_node *node = &splitting->tree->nodes.items[i];
    if (is_call(splitting->tree, i) &&
        !prof_vec_push(&splitting->spots, ((struct spot){node->thread, node->function, i})))
      return false;
  }
  prof_vec_sort(&splitting->spots, by_function);
  return true;
}

/* The first spot of a function in a thread; those that follow it may be of the same. */
static size_t first_spot(const struct splitting *splitting, uint32_t thread, uint32_t function) {
  const struct spot *spots = splitting->spots.items;
  return prof_search(0, splitting->spots.count, i,
                     (prof_order(spots[i].thread, thread) ?: prof_order(spots[i].function, function)) < 0);
}

static bool is_spot(const struct splitting *splitting, size_t at, uint32_t thread, uint32_t function) {
  return at < splitting->spots.count && splitting->spots.items[at].thread == thread &&
         splitting->spots.items[at].function == function;
}

/* PROF_NONE: the function has no node in the thread. */
static uint32_t heaviest(const struct splitting *splitting, uint32_t thread, uint32_t function) {
  const struct prof_burst_node *nodes = splitting->tree->nodes.items;
  uint32_t best = PROF_NONE;
  for (size_t i = first_spot(splitting, thread, function); is_spot(splitting, i, thread, function); i++) {
    uint32_t node = splitting->spots.items[i].node;
    if (best == PROF_NONE || nodes[node].total_ticks > nodes[best].total_ticks)
      best = node;
  }
  return best;
}

/* A part of an edge's calls, into a node.  chance: how far the part may be off. */
static void give(struct prof_burst_node *node, const struct prof_burst_estimate *of, double part,
                 struct prof_interval chance) {
  double below = (of->calls - of->low) * part, above = (of->high - of->calls) * part;
  double lower = of->calls * (part - chance.low), higher = of->calls * (chance.high - part);
  node->calls += of->calls * part;
  node->calls_below2 += below * below + lower * lower;
  node->calls_above2 += above * above + higher * higher;
  node->estimated |= PROF_ESTIMATED_CALLS;
}

struct asked { /* which nodes an edge's calls may go to */
  uint32_t thread, function, caller;
  enum { FROM_CALLER, FROM_NOBODY, FROM_ANY } how;
};

static bool has_edge(const struct splitting *splitting, uint32_t thread, uint32_t function, uint32_t caller) {
  const struct prof_burst_edge *edges = splitting->calls->edges.items;
  size_t at = prof_search(0, splitting->calls->edges.count, i,
                          (prof_order(edges[i].thread, thread) ?: prof_order(edges[i].frame, function)
                           ?: prof_order(edges[i].caller, caller)) < 0);
  return at < splitting->calls->edges.count && edges[at].thread == thread && edges[at].frame == function &&
         edges[at].caller == caller;
}

static bool fits(const struct splitting *splitting, const struct asked *asked, uint32_t node) {
  uint32_t caller = prof_burst_tree_caller(splitting->tree, node);
  return splitting->tree->nodes.items[node].samples > 0 &&
         (asked->how == FROM_ANY || (asked->how == FROM_CALLER && caller == asked->caller) ||
          (asked->how == FROM_NOBODY && !has_edge(splitting, asked->thread, asked->function, caller)));
}

/* Divides an edge's calls among the nodes that fit.  false: none does. */
static bool divide(struct splitting *splitting, const struct asked *asked, const struct prof_burst_estimate *of) {
  struct prof_burst_node *nodes = splitting->tree->nodes.items;
  size_t first = first_spot(splitting, asked->thread, asked->function);
  uint64_t sum = 0;
  uint32_t count = 0;
  for (size_t i = first; is_spot(splitting, i, asked->thread, asked->function); i++)
    if (fits(splitting, asked, splitting->spots.items[i].node)) {
      sum += nodes[splitting->spots.items[i].node].samples;
      count++;
    }
  for (size_t i = first; count && is_spot(splitting, i, asked->thread, asked->function); i++) {
    uint32_t node = splitting->spots.items[i].node;
    if (!fits(splitting, asked, node))
      continue;
    double part = (double)nodes[node].samples / (double)sum;
    struct prof_interval chance =
        count > 1 ? prof_interval_share(nodes[node].samples, sum) : (struct prof_interval){1, 1};
    chance.low = fmin(chance.low, part);
    chance.high = fmax(chance.high, part);
    give(&nodes[node], of, part, chance);
  }
  return count > 0;
}

/* The node for an edge that no sample saw.  PROF_NONE: there is none (yet). */
static uint32_t node_for(const struct splitting *splitting, const struct prof_burst_edge *edge, bool last) {
  uint32_t under = edge->caller == PROF_NONE ? PROF_NONE : heaviest(splitting, edge->thread, edge->caller);
  if (under != PROF_NONE || !last)
    return under;
  const struct prof_node *nodes = splitting->tree->profile->nodes;
  for (uint32_t i = nodes[0].first_child; i != PROF_NONE; i = nodes[i].next_sibling)
    if (nodes[i].thread == edge->thread)
      return i;
  return PROF_NONE;
}

/* Gives the edges that are left nodes of their own.  last: with any parent.  *more: some got one. */
static bool hang(struct splitting *splitting, bool last, bool *more) {
  size_t kept = 0, count = splitting->left.count;
  uint32_t *left = splitting->left.items;
  *more = false;
  for (size_t i = 0; i < count; i++) {
    const struct prof_burst_edge *edge = &splitting->calls->edges.items[left[i]];
    uint32_t under = node_for(splitting, edge, last);
    if (under == PROF_NONE || !prof_burst_tree_is_open(splitting->tree, under)) {
      left[kept++] = left[i];
      continue;
    }
    uint32_t node = prof_burst_tree_child(splitting->tree, under, edge->frame);
    if (node == PROF_NONE)
      return false;
    give(&splitting->tree->nodes.items[node], &edge->of, 1, (struct prof_interval){1, 1});
    *more = true;
  }
  splitting->left.count = kept;
  return !*more || find_spots(splitting);
}

/* Nodes that samples saw and windows didn't. */
static void bound_unseen(const struct splitting *splitting) {
  for (size_t i = 0; i < splitting->spots.count; i++) {
    const struct spot *spot = &splitting->spots.items[i];
    struct prof_burst_node *node = &splitting->tree->nodes.items[spot->node];
    const struct prof_burst_total *total = prof_burst_calls_total(splitting->calls, spot->thread, spot->function);
    if (node->samples == 0 || node->calls > 0 || !total)
      continue;
    double each = total->of.counted ? total->of.calls / (double)total->of.counted : 0;
    double above = each > 0 ? each * prof_interval_count(0).high : isfinite(total->of.high) ? total->of.high : 0;
    node->calls_above2 += above * above;
    node->estimated |= total->known ? 0 : PROF_ESTIMATED_UNKNOWN;
  }
}

bool prof_burst_split(struct prof_burst_tree *tree, const struct prof_burst_calls *calls) {
  struct splitting splitting = {.tree = tree, .calls = calls};
  bool done = find_spots(&splitting), more = true;
  for (uint32_t i = 0; i < calls->edges.count && done; i++) {
    const struct prof_burst_edge *edge = &calls->edges.items[i];
    if (edge->frame >= tree->profile->function_count || edge->of.calls <= 0)
      continue;
    struct asked asked = {edge->thread, edge->frame, edge->caller,
                          edge->caller == PROF_NONE ? FROM_NOBODY : FROM_CALLER};
    bool given = divide(&splitting, &asked, &edge->of);
    if (!given && edge->caller == PROF_NONE) {
      asked.how = FROM_ANY;
      given = divide(&splitting, &asked, &edge->of);
    }
    if (!given)
      done = prof_vec_push(&splitting.left, i);
  }
  while (done && more)
    done = hang(&splitting, false, &more);
  done = done && hang(&splitting, true, &more);
  if (done)
    bound_unseen(&splitting);
  prof_vec_fini(&splitting.spots);
  prof_vec_fini(&splitting.left);
  return done;
}
