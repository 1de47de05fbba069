/*
 * tools/estimate/burst/split.c - see split.h.
 */
#include "estimate/burst/split.h"

#include <math.h>
#include <stdlib.h>

#include "base/order.h"
#include "estimate/burst/parts.h"
#include "estimate/interval.h"

#define CLOSER 1.02     /* bounds that differ by less, squared, are as far */
#define MOST_PASSES 64  /* in which nodes are made */
#define MOST_ROUNDS 64  /* until parts stay as they are: a chain of functions takes as many as it is long */
#define SETTLED 1e-4    /* of an edge's calls */
#define USUAL 0.5       /* of a caller's calls make the call, on average */
#define LEAST_PART 0.01 /* of an edge's calls: less get no node where no sample saw them */

struct spot { /* a node that may have calls */
  uint32_t thread, function, node;
};

struct share { /* of an edge's calls */
  uint32_t edge;
  uint32_t host; /* node of the caller */
  uint32_t node; /* beneath it, with loops and zones between; PROF_NONE: there is none */
  double part;
};

struct splitting {
  struct prof_burst_tree *tree;
  const struct prof_burst_calls *calls;
  PROF_VEC(struct spot) spots;   /* in order */
  PROF_VEC(struct share) shares; /* by edge, host and node */
  PROF_VEC(uint64_t) own;        /* by node: samples in it, those in calls of its function beneath it left out */
  PROF_VEC(double) now;          /* by node: estimated calls, as far as they are known */
  PROF_VEC(struct prof_burst_part) parts;
};

static int by_function(const void *left, const void *right) {
  const struct spot *a = left, *b = right;
  return prof_order(a->thread, b->thread) ?: prof_order(a->function, b->function) ?: prof_order(a->node, b->node);
}

static bool is_split(const struct splitting *splitting, const struct prof_burst_edge *edge) {
  return edge->frame < splitting->tree->profile->function_count && edge->of.calls > 0;
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

static struct prof_interval chance_of(uint64_t samples, uint64_t all, size_t count) {
  return count > 1 ? prof_interval_share(samples, all) : (struct prof_interval){1, 1};
}

/* A part of an edge's calls, into a node.  chance: what the part may be. */
static void give(struct prof_burst_node *node, const struct prof_burst_estimate *of, double part,
                 struct prof_interval chance) {
  double below = (of->calls - of->low) * part, above = (of->high - of->calls) * part;
  double lower = of->calls * fmax(part - chance.low, 0), higher = of->calls * fmax(chance.high - part, 0);
  node->calls += of->calls * part;
  node->calls_below2 += below * below + lower * lower;
  node->calls_above2 += above * above + higher * higher;
  node->estimated |= PROF_ESTIMATED_CALLS;
}

/* ---- calls whose caller is not known ---- */

struct asked { /* which nodes an edge's calls may go to */
  uint32_t thread, function;
  bool from_any; /* else from nobody that is known to call it */
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
         (asked->from_any || !has_edge(splitting, asked->thread, asked->function, caller));
}

/* Divides them among the nodes that fit, by samples.  false: none does. */
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
    give(&nodes[node], of, (double)nodes[node].samples / (double)sum, chance_of(nodes[node].samples, sum, count));
  }
  return count > 0;
}

/* ---- calls whose caller is known ---- */

/* The node of the call around a loop or zone. */
static uint32_t call_of(const struct prof_burst_tree *tree, uint32_t node) {
  while (prof_burst_tree_is_part(tree, node))
    node = tree->nodes.items[node].parent;
  return node;
}

/* The innermost node of the function around a node; PROF_NONE: there is none. */
static uint32_t around(const struct prof_burst_tree *tree, uint32_t node, uint32_t function) {
  do
    node = tree->nodes.items[node].parent;
  while (node != PROF_NONE && tree->nodes.items[node].function != function);
  return node;
}

/* Fills what nodes have now. */
static bool find_own(struct splitting *splitting) {
  const struct prof_burst_node *nodes = splitting->tree->nodes.items;
  size_t count = splitting->tree->nodes.count;
  splitting->own.count = splitting->now.count = 0;
  if (!prof_vec_reserve(&splitting->own, count) || !prof_vec_reserve(&splitting->now, count))
    return false;
  for (uint32_t i = 0; i < count; i++) {
    splitting->own.items[i] = nodes[i].samples;
    splitting->now.items[i] = nodes[i].calls;
  }
  for (uint32_t i = 0; i < count; i++) {
    uint32_t outer = nodes[i].samples > 0 ? around(splitting->tree, i, nodes[i].function) : PROF_NONE;
    if (outer != PROF_NONE)
      splitting->own.items[outer] -=
          nodes[i].samples < splitting->own.items[outer] ? nodes[i].samples : splitting->own.items[outer];
  }
  splitting->own.count = splitting->now.count = count;
  return true;
}

static int by_host(const void *left, const void *right) {
  const struct share *a = left, *b = right;
  return prof_order(a->edge, b->edge) ?: prof_order(a->host, b->host) ?: prof_order(a->node, b->node);
}

/* Calls of a function that are estimated, of all its nodes in a thread. */
static double estimated_of(const struct splitting *splitting, uint32_t thread, uint32_t function) {
  const struct prof_burst_total *total = prof_burst_calls_total(splitting->calls, thread, function);
  return total ? total->of.calls : 0;
}

/* Does the caller make such calls nearly always?  Then it does so in nodes too in which no sample saw them. */
static bool is_usual(const struct splitting *splitting, const struct prof_burst_edge *edge) {
  double calls = estimated_of(splitting, edge->thread, edge->caller);
  return calls > 0 && edge->of.calls >= USUAL * calls;
}

/* May the calls of a caller in this node be more than those that are events? */
static bool is_host(const struct splitting *splitting, const struct prof_burst_edge *edge, uint32_t node) {
  const struct prof_burst_tree *tree = splitting->tree;
  return tree->nodes.items[node].function == edge->caller && prof_burst_tree_is_open(tree, node) &&
         (tree->nodes.items[node].samples > 0 || node >= tree->first_new ||
          estimated_of(splitting, edge->thread, edge->caller) <= 0);
}

/* Adds nodes of the caller that have none of the edge's calls, but may have some. */
static bool find_hosts(struct splitting *splitting, uint32_t number, size_t first) {
  const struct prof_burst_edge *edge = &splitting->calls->edges.items[number];
  const struct prof_burst_tree *tree = splitting->tree;
  const struct spot *spots = splitting->spots.items;
  size_t end = splitting->shares.count;
  bool done = true;
  if (end > first)
    qsort(splitting->shares.items + first, end - first, sizeof *splitting->shares.items, by_host);
  for (size_t i = first_spot(splitting, edge->thread, edge->caller);
       done && is_spot(splitting, i, edge->thread, edge->caller); i++) {
    const struct share *shares = splitting->shares.items;
    size_t at = prof_search(first, end, k, shares[k].host < spots[i].node);
    bool has = at < end && shares[at].host == spots[i].node;
    bool within = edge->frame == edge->caller || around(tree, spots[i].node, edge->frame) != PROF_NONE;
    if (!has && (!within || end == first) && is_host(splitting, edge, spots[i].node))
      done = prof_vec_push(&splitting->shares, ((struct share){number, spots[i].node, PROF_NONE, 0}));
  }
  return done;
}

/* The caller's node that took the longest: where nothing tells more. */
static bool find_heaviest(struct splitting *splitting, uint32_t number) {
  const struct prof_burst_edge *edge = &splitting->calls->edges.items[number];
  const struct prof_burst_node *nodes = splitting->tree->nodes.items;
  uint32_t best = PROF_NONE;
  for (size_t i = first_spot(splitting, edge->thread, edge->caller); is_spot(splitting, i, edge->thread, edge->caller);
       i++) {
    uint32_t node = splitting->spots.items[i].node;
    if (prof_burst_tree_is_open(splitting->tree, node) &&
        (best == PROF_NONE || nodes[node].total_ticks > nodes[best].total_ticks))
      best = node;
  }
  return best == PROF_NONE || prof_vec_push(&splitting->shares, ((struct share){number, best, PROF_NONE, 0}));
}

/* The nodes that may have an edge's calls.  Of siblings that differ by their places, the first one has samples. */
static bool find_shares_of(struct splitting *splitting, uint32_t number) {
  const struct prof_burst_edge *edge = &splitting->calls->edges.items[number];
  const struct prof_burst_tree *tree = splitting->tree;
  const struct spot *spots = splitting->spots.items;
  size_t first = splitting->shares.count;
  bool done = true;
  for (size_t i = first_spot(splitting, edge->thread, edge->frame);
       done && is_spot(splitting, i, edge->thread, edge->frame); i++) {
    uint32_t host = call_of(tree, tree->nodes.items[spots[i].node].parent);
    if (is_host(splitting, edge, host) && prof_burst_tree_is_first(tree, spots[i].node))
      done = prof_vec_push(&splitting->shares, ((struct share){number, host, spots[i].node, 0}));
  }
  if (done && (splitting->shares.count == first || is_usual(splitting, edge)))
    done = find_hosts(splitting, number, first);
  if (done && splitting->shares.count == first)
    done = find_heaviest(splitting, number);
  return done;
}

static bool find_shares(struct splitting *splitting) {
  splitting->shares.count = 0;
  if (!find_spots(splitting) || !find_own(splitting))
    return false;
  for (uint32_t i = 0; i < splitting->calls->edges.count; i++) {
    const struct prof_burst_edge *edge = &splitting->calls->edges.items[i];
    if (is_split(splitting, edge) && edge->caller != PROF_NONE && !find_shares_of(splitting, i))
      return false;
  }
  prof_vec_sort(&splitting->shares, by_host);
  return prof_vec_reserve(&splitting->parts, splitting->shares.count);
}

/* Calls of a node of the caller: those that its own state left to windows, if any are. */
static double calls_of(const struct splitting *splitting, const struct prof_burst_edge *edge, uint32_t host) {
  if (estimated_of(splitting, edge->thread, edge->caller) > 0)
    return splitting->now.items[host];
  return host < splitting->tree->first_new ? (double)splitting->tree->profile->nodes[host].calls : 0;
}

/* The shares of one host, of which [*at, end) are left: *end is behind its last one.  Returns their samples. */
static double samples_of(const struct splitting *splitting, size_t at, size_t end, size_t *behind) {
  const struct share *shares = splitting->shares.items;
  double samples = 0;
  for (*behind = at; *behind < end && shares[*behind].host == shares[at].host; ++*behind)
    samples += shares[*behind].node != PROF_NONE ? (double)splitting->own.items[shares[*behind].node] : 0;
  return samples;
}

/* The parts of an edge's shares [first, end), from what nodes have now; what they have then.  Returns how far the parts
 * moved. */
static double divide_known(struct splitting *splitting, size_t first, size_t end) {
  struct share *shares = splitting->shares.items;
  const struct prof_burst_edge *edge = &splitting->calls->edges.items[shares[first].edge];
  struct prof_burst_part *parts = splitting->parts.items;
  size_t count = 0, behind;
  double moved = 0;
  for (size_t i = first; i < end; i = behind) {
    double samples = samples_of(splitting, i, end, &behind);
    parts[count++] = (struct prof_burst_part){calls_of(splitting, edge, shares[i].host), samples, 0};
  }
  prof_burst_parts(parts, count);
  count = 0;
  for (size_t i = first; i < end; i = behind, count++) {
    double samples = samples_of(splitting, i, end, &behind);
    for (size_t k = i; k < behind; k++) {
      double own = shares[k].node != PROF_NONE ? (double)splitting->own.items[shares[k].node] : 0;
      double part = parts[count].part * (samples > 0 ? own / samples : k == i);
      moved = fmax(moved, fabs(part - shares[k].part));
      if (shares[k].node != PROF_NONE)
        splitting->now.items[shares[k].node] += edge->of.calls * (part - shares[k].part);
      shares[k].part = part;
    }
  }
  return moved;
}

static size_t end_of(const struct splitting *splitting, size_t first) {
  size_t end = first;
  while (end < splitting->shares.count && splitting->shares.items[end].edge == splitting->shares.items[first].edge)
    end++;
  return end;
}

/* Makes nodes for the shares of an edge that have none, at least for the largest if no share has one. */
static bool make_nodes_of(struct splitting *splitting, size_t first, size_t end, bool *more) {
  const struct share *shares = splitting->shares.items;
  const struct prof_burst_edge *edge = &splitting->calls->edges.items[shares[first].edge];
  double least = LEAST_PART, largest = 0;
  bool has = false;
  for (size_t i = first; i < end; i++) {
    has |= shares[i].node != PROF_NONE;
    largest = fmax(largest, shares[i].part);
  }
  least = has ? least : fmin(least, largest);
  for (size_t i = first; i < end; i++) {
    if (shares[i].node != PROF_NONE || shares[i].part < least)
      continue;
    if (prof_burst_tree_child(splitting->tree, shares[i].host, edge->frame) == PROF_NONE)
      return false;
    *more = true;
  }
  return true;
}

static bool make_nodes(struct splitting *splitting, bool *more) {
  *more = false;
  for (size_t first = 0, end; first < splitting->shares.count; first = end) {
    end = end_of(splitting, first);
    if (!make_nodes_of(splitting, first, end, more))
      return false;
  }
  return true;
}

/* As callers' calls come from their own callers, parts change until all agree. */
static bool find_parts(struct splitting *splitting) {
  bool more = true;
  for (int pass = 0; more && pass < MOST_PASSES; pass++) {
    if (!find_shares(splitting))
      return false;
    double moved = 1;
    for (int round = 0; round < MOST_ROUNDS && moved > SETTLED; round++) {
      moved = 0;
      for (size_t first = 0, end; first < splitting->shares.count; first = end) {
        end = end_of(splitting, first);
        moved = fmax(moved, divide_known(splitting, first, end));
      }
    }
    if (pass + 1 < MOST_PASSES && !make_nodes(splitting, &more))
      return false;
  }
  return true;
}

/* Shares that got no node are left to the others. */
static void give_shares(struct splitting *splitting, size_t first, size_t end) {
  const struct share *shares = splitting->shares.items;
  const struct prof_burst_edge *edge = &splitting->calls->edges.items[shares[first].edge];
  uint64_t samples = 0;
  double all = 0;
  size_t count = 0;
  for (size_t i = first; i < end; i++)
    if (shares[i].node != PROF_NONE) {
      samples += splitting->own.items[shares[i].node];
      all += shares[i].part;
      count++;
    }
  for (size_t i = first; i < end; i++)
    if (shares[i].node != PROF_NONE && all > 0)
      give(&splitting->tree->nodes.items[shares[i].node], &edge->of, shares[i].part / all,
           chance_of(splitting->own.items[shares[i].node], samples, count));
}

/* Makes a bound as far from the calls, as a part of them, as the host's.  Returns whether it was much nearer. */
static bool widen(double *square, double calls, double host_square, double host_calls) {
  double least = host_square / host_calls / host_calls * calls * calls;
  bool nearer = least > *square * CLOSER;
  *square = fmax(*square, least);
  return nearer;
}

/* As calls of a node come from those of its caller's, they are no surer. */
static void inherit(struct splitting *splitting) {
  struct prof_burst_node *nodes = splitting->tree->nodes.items;
  bool more = true;
  for (int round = 0; more && round < MOST_ROUNDS; round++) {
    more = false;
    for (size_t i = 0; i < splitting->shares.count; i++) {
      const struct share *share = &splitting->shares.items[i];
      const struct prof_burst_node *host = &nodes[share->host];
      if (share->node == PROF_NONE || host->calls <= 0)
        continue;
      struct prof_burst_node *node = &nodes[share->node];
      more |= widen(&node->calls_below2, node->calls, host->calls_below2, host->calls);
      more |= isfinite(node->calls_above2) && widen(&node->calls_above2, node->calls, host->calls_above2, host->calls);
    }
  }
}

/* ---- all of them ---- */

/* Hangs calls of callers that have no node beneath the thread's first one. */
static bool hang(struct splitting *splitting, const struct prof_burst_edge *edge) {
  const struct prof_node *nodes = splitting->tree->profile->nodes;
  uint32_t at = nodes[0].first_child;
  while (at != PROF_NONE && nodes[at].thread != edge->thread)
    at = nodes[at].next_sibling;
  if (at == PROF_NONE || !prof_burst_tree_is_open(splitting->tree, at))
    return true;
  uint32_t node = prof_burst_tree_child(splitting->tree, at, edge->frame);
  if (node != PROF_NONE)
    give(&splitting->tree->nodes.items[node], &edge->of, 1, (struct prof_interval){1, 1});
  return node != PROF_NONE;
}

static bool has_shares(const struct splitting *splitting, uint32_t edge) {
  const struct share *shares = splitting->shares.items;
  size_t at = prof_search(0, splitting->shares.count, i, shares[i].edge < edge);
  return at < splitting->shares.count && shares[at].edge == edge;
}

static bool give_known(struct splitting *splitting) {
  for (size_t first = 0, end; first < splitting->shares.count; first = end) {
    end = end_of(splitting, first);
    give_shares(splitting, first, end);
  }
  inherit(splitting);
  for (uint32_t i = 0; i < splitting->calls->edges.count; i++) {
    const struct prof_burst_edge *edge = &splitting->calls->edges.items[i];
    if (is_split(splitting, edge) && edge->caller != PROF_NONE && !has_shares(splitting, i) && !hang(splitting, edge))
      return false;
  }
  return true;
}

static bool give_unknown(struct splitting *splitting) {
  for (uint32_t i = 0; i < splitting->calls->edges.count; i++) {
    const struct prof_burst_edge *edge = &splitting->calls->edges.items[i];
    if (!is_split(splitting, edge) || edge->caller != PROF_NONE)
      continue;
    struct asked asked = {edge->thread, edge->frame, false};
    bool given = divide(splitting, &asked, &edge->of);
    asked.from_any = true;
    if (!given && !divide(splitting, &asked, &edge->of) && !hang(splitting, edge))
      return false;
  }
  return true;
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
  bool done = find_spots(&splitting) && give_unknown(&splitting) && find_parts(&splitting) && give_known(&splitting) &&
              find_spots(&splitting);
  if (done)
    bound_unseen(&splitting);
  prof_vec_fini(&splitting.spots);
  prof_vec_fini(&splitting.shares);
  prof_vec_fini(&splitting.own);
  prof_vec_fini(&splitting.now);
  prof_vec_fini(&splitting.parts);
  return done;
}
