/*
 * tools/fold/prune.c - see prune.h.
 */
#include "fold/prune.h"

#include <stdlib.h>

#include "fold/histogram.h"

#define BUCKETS (PROF_HISTOGRAM_OCTAVES * PROF_HISTOGRAM_BUCKETS)

struct shape {
  uint64_t *weight;          /* of each node: time beneath it so far */
  uint32_t *first, *sibling; /* of the tree */
};

/*
 * Time of calls that still go on isn't in their nodes yet, but that of calls within them is.  A call that stood at
 * another place before is owed its time there: a sum below 0, which must meet the call.
 */
static void weigh(const struct prof_prune *prune, struct shape *shape) {
  for (uint32_t i = prune->count - 1; i > 0; i--) {
    const struct prof_fold_node *node = &prune->nodes[i];
    const bool owes = (int64_t)node->total < 0;
    if (!owes && shape->weight[i] < node->total)
      shape->weight[i] = node->total;
    prune->kept[i] |= owes;
    prune->kept[node->parent] |= prune->kept[i];
    shape->weight[node->parent] += shape->weight[i];
    shape->sibling[i] = shape->first[node->parent];
    shape->first[node->parent] = i;
  }
}

static void choose(struct prof_prune *prune, const struct shape *shape, uint32_t most) {
  uint32_t of_bucket[BUCKETS] = {0}, kept = 0, least = BUCKETS;
  for (uint32_t i = 1; i < prune->count; i++)
    of_bucket[prof_histogram_index(shape->weight[i])]++;
  while (least > 0 && kept + of_bucket[least - 1] <= most)
    kept += of_bucket[--least];
  for (uint32_t i = 1; i < prune->count; i++) { /* parents come first */
    const struct prof_fold_node *node = &prune->nodes[i];
    bool other = node->function == PROF_FOLD_OTHER && node->parent != 0;
    bool always = node->parent == 0 || (!other && prof_fold_is_forker(node->function));
    bool heavy = other ? prune->kept[node->parent] : prof_histogram_index(shape->weight[i]) >= least;
    prune->kept[i] |= always || heavy;
  }
}

static uint32_t row_of(const struct prof_prune *prune, uint32_t node, bool *loop) {
  *loop = false;
  return prune->nodes[node].parent != 0 ? prune->row_of(prune->context, &prune->nodes[node], loop) : PROF_NONE;
}

static uint32_t *inside_of(const struct prof_prune_rows *rows, uint32_t row) {
  return &rows->inside[rows->same != NULL ? rows->same[row] : row];
}

static bool has_place(const struct prof_prune *prune, uint32_t node) {
  return prune->places.cold != NULL && prune->nodes[node].function < prune->places.count;
}

static void count_calls(const struct prof_prune_rows *rows, uint32_t row, const struct prof_fold_node *node) {
  rows->cold[row].calls += node->calls;
  rows->cold[row].total += *inside_of(rows, row) == 0 ? node->total : 0;
}

/* But for what an earlier time counted so. */
static void count_cold(const struct prof_prune *prune, uint32_t at, uint32_t row) {
  const struct prof_fold_node *node = &prune->nodes[at];
  struct prof_fold_cold *cold = prune->frames.cold;
  bool loop;
  if (prune->kept[at])
    return;
  if (row != PROF_NONE) {
    count_calls(&prune->frames, row, node);
    cold[row].sum += node->total;
    cold[row].self += (int64_t)node->total;
    if (has_place(prune, at))
      count_calls(&prune->places, node->function, node);
  }
  uint32_t outer = prune->kept[node->parent] ? PROF_NONE : row_of(prune, node->parent, &loop);
  if (outer != PROF_NONE)
    cold[outer].self -= (int64_t)node->total;
}

static void visit(const struct prof_prune *prune, uint32_t node, int step) {
  bool loop;
  uint32_t row = row_of(prune, node, &loop);
  if (step > 0 && prune->nodes[node].parent != 0)
    count_cold(prune, node, row);
  if (row == PROF_NONE)
    return;
  *inside_of(&prune->frames, row) += (uint32_t)step;
  if (has_place(prune, node))
    *inside_of(&prune->places, prune->nodes[node].function) += (uint32_t)step;
}

static void walk(const struct prof_prune *prune, const struct shape *shape) {
  for (uint32_t at = shape->first[0]; at != 0;) {
    visit(prune, at, 1);
    if (shape->first[at] != 0) {
      at = shape->first[at];
      continue;
    }
    while (at != 0 && shape->sibling[at] == 0) {
      visit(prune, at, -1);
      at = prune->nodes[at].parent;
    }
    if (at != 0) {
      visit(prune, at, -1);
      at = shape->sibling[at];
    }
  }
}

static bool rebuild(struct prof_prune *prune, struct prof_fold_core *into, uint32_t *moved) {
  moved[0] = 0;
  for (uint32_t i = 1; i < prune->count && !into->failed; i++) { /* parents come first */
    const struct prof_fold_node *node = &prune->nodes[i];
    bool kept = prune->kept[i], root = !kept && prune->kept[node->parent], loop = false;
    moved[i] = kept   ? prof_fold_child(into, moved[node->parent], node->function)
               : root ? prof_fold_child(into, moved[node->parent], PROF_FOLD_OTHER)
                      : moved[node->parent];
    uint32_t row = kept ? PROF_NONE : row_of(prune, i, &loop);
    struct prof_fold_node *to = &into->nodes[moved[i]];
    *(row != PROF_NONE && loop ? &to->uncounted : &to->calls) += node->calls; /* entries of loops are no calls */
    to->uncounted += node->uncounted;
    to->total += kept || root ? node->total : 0;
    prune->cold_paths += row != PROF_NONE;
  }
  return !into->failed;
}

bool prof_prune_tree(struct prof_prune *prune, uint32_t most, struct prof_fold_core *into, uint32_t *moved) {
  struct shape shape = {.weight = calloc(prune->count, sizeof *shape.weight),
                        .first = calloc(prune->count, sizeof *shape.first),
                        .sibling = calloc(prune->count, sizeof *shape.sibling)};
  bool done = shape.weight && shape.first && shape.sibling;
  prune->kept[0] = 1;
  if (done) {
    weigh(prune, &shape);
    choose(prune, &shape, most);
    walk(prune, &shape);
    done = rebuild(prune, into, moved);
  }
  free(shape.weight);
  free(shape.first);
  free(shape.sibling);
  return done;
}
