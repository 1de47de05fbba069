/*
 * tools/estimate/burst/spread.c - see spread.h.
 */
#include "estimate/burst/spread.h"

#include <stdlib.h>

#include "estimate/correct_sampled.h"
#include "estimate/interval.h"

struct anchor {         /* a skeleton node, while its samples are counted */
  double weight, moved; /* of all its samples; of those in estimated nodes */
  double moved_ticks;   /* what these stand for */
  uint64_t count;
};

struct share { /* samples of a skeleton node that lie in a node, or in a function */
  uint32_t anchor, of;
  double weight;
  uint64_t count;
};

struct shares {
  PROF_VEC(struct share) items;
  struct prof_index_map known;
};

static bool add_share(struct shares *shares, uint32_t anchor, uint32_t of, double weight) {
  uint32_t at = prof_index_meet(&shares->known, &shares->items, prof_index_hash(anchor, of), i,
                                shares->items.items[i].anchor == anchor && shares->items.items[i].of == of,
                                ((struct share){.anchor = anchor, .of = of}));
  if (at == UINT32_MAX)
    return false;
  shares->items.items[at].weight += weight;
  shares->items.items[at].count++;
  return true;
}

static void fini_shares(struct shares *shares) {
  prof_vec_fini(&shares->items);
  prof_index_fini(&shares->known);
}

/* ---- which node ---- */

static uint32_t function_of(const struct prof_burst_tree *tree, uint32_t node) {
  return prof_burst_tree_is_part(tree, node) ? prof_burst_tree_caller(tree, node) : tree->nodes.items[node].function;
}

/* Whose own time a node's is: a loop's is that of its function, or of the zone around it. */
static uint32_t owner_of(const struct prof_burst_tree *tree, uint32_t node) {
  while (tree->nodes.items[node].function != PROF_NONE &&
         tree->nodes.items[node].function >= tree->profile->function_count)
    node = tree->nodes.items[node].parent;
  return tree->nodes.items[node].function;
}

/* Calls that -t hides are not in the skeleton. */
static bool hides(const struct prof_burst_spreading *spreading) {
  return spreading->filter && spreading->filter->min_ticks;
}

/* Whether the chain leads to the anchor, as far as is known. */
static bool reaches(const struct prof_burst_spreading *spreading, uint32_t anchor) {
  uint32_t end = spreading->paths->end;
  return !hides(spreading) || end == PROF_NONE || end == function_of(spreading->tree, anchor);
}

/* The node of the present path beneath the anchor.  PROF_NONE: no memory. */
static uint32_t walk_path(const struct prof_burst_spreading *spreading, uint32_t anchor) {
  uint32_t at = anchor;
  if (!prof_burst_tree_is_open(spreading->tree, anchor) || !reaches(spreading, anchor))
    return anchor;
  for (size_t i = 0; i < spreading->paths->found.count && at != PROF_NONE; i++)
    at = prof_burst_tree_child(spreading->tree, at, spreading->paths->found.items[i]);
  return at;
}

/* ---- how much ---- */

struct counts {
  struct anchor *anchors; /* by node of the profile */
  struct shares nodes, functions;
};

static bool place(const struct prof_burst_spreading *spreading, struct counts *counts, struct prof_sample *sample) {
  struct prof_burst_tree *tree = spreading->tree;
  uint32_t anchor = sample->node;
  if (anchor == PROF_NONE || !prof_sample_is_counted(sample))
    return true;
  if (!prof_burst_paths_find(spreading->paths, sample, hides(spreading) ? PROF_NONE : function_of(tree, anchor)))
    return false;
  uint32_t to = walk_path(spreading, anchor);
  if (to == PROF_NONE)
    return false;
  sample->node = to;
  double weight = sample->weight_ticks > 0 ? sample->weight_ticks : 1;
  counts->anchors[anchor].weight += weight;
  counts->anchors[anchor].moved += to != anchor ? weight : 0;
  if (to != anchor)
    counts->anchors[anchor].moved_ticks += sample->weight_ticks > 0 ? weight : spreading->ticks_each;
  counts->anchors[anchor].count++;
  bool inside = to != anchor;
  for (uint32_t at = to; at != 0; at = tree->nodes.items[at].parent) {
    inside &= at != anchor;
    if (!inside && at < tree->first_new)
      continue;
    tree->nodes.items[at].samples++;
    tree->nodes.items[at].estimated |= PROF_ESTIMATED_CALLS | PROF_ESTIMATED_TOTAL;
  }
  return add_share(&counts->nodes, anchor, to, weight) &&
         (owner_of(tree, to) == PROF_NONE || add_share(&counts->functions, anchor, owner_of(tree, to), weight));
}

/* What is spread: the skeleton node's running time, less the windows' part; *removed: that part. */
static double ticks_of(const struct prof_burst_spreading *spreading, const struct anchor *anchor, uint32_t node,
                       double window_ticks, double *removed) {
  const struct prof_node *from = &spreading->tree->profile->nodes[node];
  *removed = 0;
  if (from->parent == 0)
    return anchor->moved_ticks;
  double ran = (double)prof_node_self(from, PROF_TIME_RUNNING);
  *removed = window_ticks < ran ? window_ticks : ran;
  return ran - *removed;
}

/* Weights of each thread's samples in skeleton nodes that have estimated ones.  NULL: no memory. */
static double *spread_by_thread(const struct prof_profile *profile, const struct counts *counts) {
  size_t thread_count;
  prof_trace_threads(profile->trace, &thread_count);
  double *weights = calloc(thread_count + 1, sizeof *weights);
  for (uint32_t i = 1; weights && i < profile->node_count; i++)
    if (counts->anchors[i].moved > 0 && profile->nodes[i].parent != 0)
      weights[profile->nodes[i].thread] += counts->anchors[i].weight;
  return weights;
}

static void add_bounds(const struct share *share, const struct anchor *anchor, double ticks, double *below2,
                       double *above2) {
  double part = anchor->weight > 0 ? share->weight / anchor->weight : 0;
  struct prof_interval bounds = prof_interval_share(share->count, anchor->count);
  double below = part > bounds.low ? (part - bounds.low) * ticks : 0;
  double above = bounds.high > part ? (bounds.high - part) * ticks : 0;
  *below2 += below * below;
  *above2 += above * above;
}

/* Whatever runs is preempted. */
static double preempted_of(const struct prof_profile *profile, uint32_t node) {
  return (double)profile->nodes[node].self_off.preempted;
}

static bool spread(const struct prof_burst_spreading *spreading, const struct counts *counts,
                   struct prof_burst_bounds *functions) {
  struct prof_burst_tree *tree = spreading->tree;
  const struct prof_profile *profile = tree->profile;
  struct prof_burst_node *nodes = tree->nodes.items;
  double *weights = spread_by_thread(profile, counts);
  double *ticks = calloc(profile->node_count, sizeof *ticks);
  for (uint32_t i = 1; weights && ticks && i < profile->node_count; i++) {
    const struct anchor *anchor = &counts->anchors[i];
    uint32_t thread = profile->nodes[i].thread;
    double part = weights[thread] > 0 ? anchor->weight / weights[thread] : 0;
    if (anchor->moved <= 0)
      continue;
    ticks[i] = ticks_of(spreading, anchor, i, spreading->windows_ticks[thread] * part, &nodes[i].removed_ticks);
    if (profile->nodes[i].parent != 0) {
      nodes[i].gained_ticks -= ticks[i] + nodes[i].removed_ticks; /* its own share comes back below */
      nodes[i].gained_preempted -= preempted_of(profile, i);
      nodes[i].estimated |= PROF_ESTIMATED_SELF;
    }
  }
  for (size_t i = 0; weights && ticks && i < counts->nodes.items.count; i++) {
    const struct share *share = &counts->nodes.items.items[i];
    const struct anchor *anchor = &counts->anchors[share->anchor];
    struct prof_burst_node *to = &nodes[share->of];
    bool outside = nodes[share->anchor].parent == 0;
    if (anchor->moved <= 0 || (outside && share->of == share->anchor))
      continue;
    to->gained_ticks += ticks[share->anchor] * share->weight / (outside ? anchor->moved : anchor->weight);
    to->gained_preempted += outside ? 0 : preempted_of(profile, share->anchor) * share->weight / anchor->weight;
    to->estimated |= PROF_ESTIMATED_SELF;
    add_bounds(share, anchor, ticks[share->anchor], &to->self_below2, &to->self_above2);
  }
  for (size_t i = 0; weights && ticks && i < counts->functions.items.count; i++) {
    const struct share *share = &counts->functions.items.items[i];
    struct prof_burst_bounds *to = &functions[share->of];
    if (counts->anchors[share->anchor].moved > 0)
      add_bounds(share, &counts->anchors[share->anchor], ticks[share->anchor], &to->below2, &to->above2);
  }
  bool done = weights && ticks;
  free(weights);
  free(ticks);
  return done;
}

bool prof_burst_spread(const struct prof_burst_spreading *spreading, struct prof_burst_bounds *functions) {
  struct counts counts = {.anchors = calloc(spreading->tree->first_new, sizeof *counts.anchors)};
  bool done = counts.anchors != NULL;
  for (size_t i = 0; i < spreading->sample_count && done; i++)
    done = place(spreading, &counts, &spreading->samples[i]);
  done = done && spread(spreading, &counts, functions);
  free(counts.anchors);
  fini_shares(&counts.nodes);
  fini_shares(&counts.functions);
  return done;
}
