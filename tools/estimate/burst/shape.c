/*
 * tools/estimate/burst/shape.c - see shape.h.
 */
#include "estimate/burst/shape.h"

#include <stdlib.h>

#include "base/order.h"

struct vote { /* of samples beneath a node, for the functions between it and the call around it */
  uint32_t node;
  uint32_t between;         /* number of their chain; 0: none */
  uint32_t function, outer; /* of the node and of the call around it */
  bool whole;               /* the path leads to the function around it; a copied stack may end before */
  uint64_t count;
};

struct voting {
  struct prof_burst_tree *tree;
  struct prof_burst_paths *paths;
  struct prof_burst_chains between;
  PROF_VEC(struct vote) votes;
  struct prof_index_map known;
};

static bool is_of(const struct prof_burst_tree *tree, uint32_t node, uint32_t function) {
  return function != PROF_NONE && tree->nodes.items[node].function == function;
}

/* The node itself, or of a loop or zone the call around it. */
static uint32_t call_of(const struct prof_burst_tree *tree, uint32_t node) {
  while (prof_burst_tree_is_part(tree, node))
    node = tree->nodes.items[node].parent;
  return node;
}

/* Is one of the zones right around the call in uninstrumented code? */
static bool is_within_zone_apart(const struct prof_burst_tree *tree, uint32_t node) {
  uint32_t at = tree->nodes.items[node].parent;
  while (prof_burst_tree_is_part(tree, at) && !prof_burst_tree_is_apart(tree, at))
    at = tree->nodes.items[at].parent;
  return prof_burst_tree_is_apart(tree, at);
}

/* For what the path has found. */
static bool vote(struct voting *voting, uint32_t node, uint32_t outer, bool is_whole) {
  const struct prof_burst_node *nodes = voting->tree->nodes.items;
  const uint32_t *found = voting->paths->found.items;
  struct vote first = {
      .node = node, .function = nodes[node].function, .outer = nodes[outer].function, .whole = is_whole};
  for (size_t i = 0; i < voting->paths->found.count; i++) {
    first.between = prof_burst_chains_add(&voting->between, first.between,
                                          (struct prof_burst_link){found[i], PROF_SUMMARY_LINK_BURST});
    if (first.between == 0)
      return false;
  }
  const struct vote *votes = voting->votes.items;
  uint32_t at =
      prof_index_meet(&voting->known, &voting->votes, prof_index_hash(node, first.between), i,
                      votes[i].node == node && votes[i].between == first.between && votes[i].whole == is_whole, first);
  if (at != UINT32_MAX)
    voting->votes.items[at].count++;
  return at != UINT32_MAX;
}

/* Follows a sample's chain up the skeleton, as long as both agree. */
static bool vote_up(struct voting *voting, const struct prof_sample *sample) {
  const struct prof_burst_tree *tree = voting->tree;
  uint32_t node = call_of(tree, sample->node);
  if (!prof_burst_paths_find(voting->paths, sample, tree->nodes.items[node].function))
    return false;
  while (tree->nodes.items[node].parent != 0 && is_of(tree, node, voting->paths->end) && voting->paths->above) {
    uint32_t from = voting->paths->above, outer = call_of(tree, tree->nodes.items[node].parent);
    if (!prof_burst_paths_above(voting->paths, sample->process, from, sample->time))
      return false;
    bool is_whole = is_of(tree, outer, voting->paths->end), is_cut = voting->paths->end == PROF_NONE;
    if (outer == 0 || (!is_whole && !is_cut) || is_within_zone_apart(tree, node))
      return true;
    if (!vote(voting, node, outer, is_whole))
      return false;
    node = outer;
  }
  return true;
}

static int better(const struct vote *a, const struct vote *b) {
  return prof_order(b->whole, a->whole) ?: prof_order(b->count, a->count) ?: prof_order(a->between, b->between);
}

/* By node, the best first. */
static int by_node(const void *left, const void *right) {
  const struct vote *a = left, *b = right;
  return prof_order(a->node, b->node) ?: better(a, b);
}

static int of_functions(const struct vote *a, const struct vote *b) {
  return prof_order(a->function, b->function) ?: prof_order(a->outer, b->outer);
}

static int by_functions(const void *left, const void *right) {
  const struct vote *a = left, *b = right;
  return of_functions(a, b) ?: better(a, b) ?: prof_order(a->node, b->node);
}

static bool insert(struct voting *voting, uint32_t node, const struct vote *vote) {
  PROF_VEC(uint32_t) functions = {0};
  bool done = true;
  const struct prof_burst_chain *at = prof_burst_chains_at(&voting->between, vote->between);
  for (; at != NULL && done; at = prof_burst_chains_at(&voting->between, at->around))
    done = prof_vec_push(&functions, at->link.frame);
  for (size_t i = 0; i < functions.count / 2 && done; i++) { /* outermost first */
    uint32_t inner = functions.items[i];
    functions.items[i] = functions.items[functions.count - 1 - i];
    functions.items[functions.count - 1 - i] = inner;
  }
  done = done && prof_burst_tree_insert(voting->tree, node, functions.items, functions.count);
  prof_vec_fini(&functions);
  return done;
}

/* The best of each node; all others are dropped. */
static bool insert_best(struct voting *voting, bool *has_votes) {
  struct vote *votes = voting->votes.items;
  size_t kept = 0;
  bool done = true;
  prof_vec_sort(&voting->votes, by_node);
  for (size_t i = 0; i < voting->votes.count && done; i++) {
    if (kept > 0 && votes[kept - 1].node == votes[i].node)
      continue;
    votes[kept++] = votes[i];
    has_votes[votes[i].node] = true;
    done = insert(voting, votes[i].node, &votes[i]);
  }
  voting->votes.count = kept;
  return done;
}

/* Nodes that no sample tells about, as in another thread, are as the best of the same two functions. */
static bool insert_alike(struct voting *voting, const bool *has_votes) {
  const struct prof_burst_tree *tree = voting->tree;
  const struct vote *votes = voting->votes.items;
  size_t count = voting->votes.count;
  bool done = true;
  prof_vec_sort(&voting->votes, by_functions);
  for (uint32_t node = 1; count > 0 && node < tree->first_new && done; node++) {
    uint32_t parent = tree->nodes.items[node].parent;
    if (has_votes[node] || parent == 0 || !prof_burst_tree_is_open(tree, node) || prof_burst_tree_is_part(tree, node) ||
        is_within_zone_apart(tree, node))
      continue;
    const struct vote alike = {.function = tree->nodes.items[node].function,
                               .outer = tree->nodes.items[call_of(tree, parent)].function};
    size_t at = prof_search(0, count, i, of_functions(&votes[i], &alike) < 0);
    if (at < count && of_functions(&votes[at], &alike) == 0)
      done = insert(voting, node, &votes[at]);
  }
  return done;
}

bool prof_burst_shape(struct prof_burst_tree *tree, struct prof_burst_paths *paths, const struct prof_sample *samples,
                      size_t count) {
  struct voting voting = {.tree = tree, .paths = paths};
  bool *has_votes = calloc(tree->first_new + 1, sizeof *has_votes), done = has_votes != NULL;
  for (size_t i = 0; i < count && done; i++)
    if (samples[i].node != PROF_NONE && prof_sample_is_counted(&samples[i]) &&
        prof_burst_tree_is_open(tree, samples[i].node))
      done = vote_up(&voting, &samples[i]);
  done = done && insert_best(&voting, has_votes) && insert_alike(&voting, has_votes);
  prof_burst_chains_fini(&voting.between);
  prof_vec_fini(&voting.votes);
  prof_index_fini(&voting.known);
  free(has_votes);
  return done;
}
