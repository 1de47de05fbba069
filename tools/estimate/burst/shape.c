/*
 * tools/estimate/burst/shape.c - see shape.h.
 */
#include "estimate/burst/shape.h"

#include <stdlib.h>

#include "base/order.h"

struct vote { /* of samples beneath a node, for a path of its caller */
  uint32_t node, from;
  uint32_t process;
  uint64_t time; /* of the first of them */
  uint64_t count;
};

struct voting {
  struct prof_burst_tree *tree;
  struct prof_burst_paths *paths;
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

static bool vote(struct voting *voting, uint32_t node, uint32_t from, const struct prof_sample *sample) {
  uint32_t at = prof_index_meet(&voting->known, &voting->votes, prof_index_hash(node, from), i,
                                voting->votes.items[i].node == node && voting->votes.items[i].from == from,
                                ((struct vote){node, from, sample->process, sample->time, 0}));
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
    if (outer == 0 || !is_of(tree, outer, voting->paths->end) || is_within_zone_apart(tree, node))
      return true;
    if (!vote(voting, node, from, sample))
      return false;
    node = outer;
  }
  return true;
}

/* By node, the largest number first. */
static int by_count(const void *left, const void *right) {
  const struct vote *a = left, *b = right;
  return prof_order(a->node, b->node) ?: prof_order(b->count, a->count) ?: prof_order(a->from, b->from);
}

bool prof_burst_shape(struct prof_burst_tree *tree, struct prof_burst_paths *paths, const struct prof_sample *samples,
                      size_t count) {
  struct voting voting = {.tree = tree, .paths = paths};
  bool done = true;
  for (size_t i = 0; i < count && done; i++)
    if (samples[i].node != PROF_NONE && prof_sample_is_counted(&samples[i]) &&
        prof_burst_tree_is_open(tree, samples[i].node))
      done = vote_up(&voting, &samples[i]);
  prof_vec_sort(&voting.votes, by_count);
  for (size_t i = 0; i < voting.votes.count && done; i++) {
    const struct vote *best = &voting.votes.items[i];
    if (i > 0 && best[-1].node == best->node)
      continue;
    done = prof_burst_paths_above(paths, best->process, best->from, best->time) &&
           prof_burst_tree_insert(tree, best->node, paths->found.items, paths->found.count);
  }
  prof_vec_fini(&voting.votes);
  prof_index_fini(&voting.known);
  return done;
}
