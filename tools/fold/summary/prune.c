/*
 * tools/fold/summary/prune.c - a summary within a limit of memory: its coldest paths become part of rows [other].
 *
 * As fold/whole.c does for a fold: the calls and the time of a subtree become one node beneath the innermost frame that
 * is kept, and are counted by key besides.  Threads, what forked calls, and frames that are open stay.
 */
#include <stdlib.h>
#include <string.h>

#include "fold/summary/summary.h"

#define NODE_BYTES 80u /* with its part of the look-up table */
#define SAMPLE_BYTES (sizeof(struct prof_summary_sample) + 16u)
#define PAUSE_BYTES (sizeof(struct prof_summary_pause) + 16u)

uint64_t prof_summary_bytes(const struct prof_summary *summary) {
  return (uint64_t)summary->core.node_count * NODE_BYTES + summary->samples.count * SAMPLE_BYTES +
         summary->pauses.count * PAUSE_BYTES;
}

struct pruning {
  struct prof_summary *summary;
  const struct prof_fold_node *nodes;
  uint32_t count;
  uint64_t *weight; /* of each node: time beneath it */
  uint8_t *kept;
  uint32_t *first, *sibling; /* of the tree */
  uint32_t *functions;       /* by key: the same for keys of the same function or loop */
  uint32_t *inside;          /* by function: how often it is above */
};

/* The key of a call or loop entry; PROF_NONE: it is neither. */
static uint32_t key_of(const struct pruning *pruning, uint32_t node) {
  uint32_t function = pruning->nodes[node].function;
  return pruning->nodes[node].parent == 0 || function >= PROF_FOLD_FORKER ? PROF_NONE : function;
}

static void weigh(struct pruning *pruning) {
  for (uint32_t i = pruning->count - 1; i > 0; i--) {
    const struct prof_fold_node *node = &pruning->nodes[i];
    if (pruning->weight[i] < node->total)
      pruning->weight[i] = node->total;
    pruning->weight[node->parent] += pruning->weight[i];
    pruning->sibling[i] = pruning->first[node->parent];
    pruning->first[node->parent] = i;
  }
}

/* The heaviest, at most `most`, and what must stay. */
static void choose(struct pruning *pruning, uint32_t most) {
  uint32_t of_bucket[PROF_HISTOGRAM_OCTAVES * PROF_HISTOGRAM_BUCKETS] = {0}, kept = 0;
  uint32_t least = PROF_HISTOGRAM_OCTAVES * PROF_HISTOGRAM_BUCKETS;
  const struct prof_summary *summary = pruning->summary;
  for (uint32_t i = 1; i < pruning->count; i++)
    of_bucket[prof_histogram_index(pruning->weight[i])]++;
  while (least > 0 && kept + of_bucket[least - 1] <= most)
    kept += of_bucket[--least];
  for (size_t i = 0; i < summary->going.count; i++)
    for (uint32_t at = summary->going.items[i].node; at != 0; at = pruning->nodes[at].parent)
      pruning->kept[at] = 1;
  for (uint32_t i = 1; i < pruning->count; i++) { /* parents come first */
    const struct prof_fold_node *node = &pruning->nodes[i];
    bool other = node->function == PROF_FOLD_OTHER && node->parent != 0;
    bool always = node->parent == 0 || (!other && prof_fold_is_forker(node->function));
    bool heavy = other ? pruning->kept[node->parent] : prof_histogram_index(pruning->weight[i]) >= least;
    pruning->kept[i] |= always || heavy;
  }
}

static void count_cold(struct pruning *pruning, uint32_t at) {
  const struct prof_fold_node *node = &pruning->nodes[at];
  struct prof_fold_cold *cold = pruning->summary->cold.items;
  uint32_t key = key_of(pruning, at);
  if (pruning->kept[at])
    return;
  if (key != PROF_NONE) {
    cold[key].calls += node->calls;
    cold[key].sum += node->total;
    cold[key].self += (int64_t)node->total;
    cold[key].total += pruning->inside[pruning->functions[key]] == 0 ? node->total : 0;
  }
  uint32_t outer = pruning->kept[node->parent] ? PROF_NONE : key_of(pruning, node->parent);
  if (outer != PROF_NONE)
    cold[outer].self -= (int64_t)node->total;
}

static void visit(struct pruning *pruning, uint32_t node, int step) {
  uint32_t key = key_of(pruning, node);
  if (step > 0)
    count_cold(pruning, node);
  if (key != PROF_NONE)
    pruning->inside[pruning->functions[key]] += (uint32_t)step;
}

static void walk_cold(struct pruning *pruning) {
  for (uint32_t at = pruning->first[0]; at;) {
    visit(pruning, at, 1);
    if (pruning->first[at]) {
      at = pruning->first[at];
      continue;
    }
    while (at && !pruning->sibling[at]) {
      visit(pruning, at, -1);
      at = pruning->nodes[at].parent;
    }
    if (at) {
      visit(pruning, at, -1);
      at = pruning->sibling[at];
    }
  }
}

/* moved: of each node the one that has its calls and time now.  false: no memory. */
static bool rebuild(struct pruning *pruning, struct prof_fold_core *into, uint32_t *moved) {
  const struct prof_summary_key *keys = pruning->summary->keys.items;
  moved[0] = 0;
  for (uint32_t i = 1; i < pruning->count && !into->failed; i++) { /* parents come first */
    const struct prof_fold_node *node = &pruning->nodes[i];
    bool kept = pruning->kept[i], root = !kept && pruning->kept[node->parent];
    moved[i] = kept   ? prof_fold_child(into, moved[node->parent], node->function)
               : root ? prof_fold_child(into, moved[node->parent], PROF_FOLD_OTHER)
                      : moved[node->parent];
    uint32_t key = kept ? PROF_NONE : key_of(pruning, i);
    struct prof_fold_node *to = &into->nodes[moved[i]];
    *(key != PROF_NONE && keys[key].kind == PROF_SUMMARY_LOOP ? &to->uncounted : &to->calls) += node->calls;
    to->uncounted += node->uncounted;
    to->total += kept || root ? node->total : 0;
    pruning->summary->cold_paths += key != PROF_NONE;
  }
  return !into->failed;
}

/* Rows of samples and pauses whose nodes have become one are one.  false: no memory. */
static bool move_rows(struct prof_summary *summary, const uint32_t *moved) {
  struct prof_summary rows = {0};
  bool done = true;
  for (size_t i = 0; i < summary->samples.count && done; i++) {
    struct prof_summary_sample row = summary->samples.items[i];
    row.node = moved[row.node];
    done = prof_summary_add_sample(&rows, row);
  }
  for (size_t i = 0; i < summary->pauses.count && done; i++) {
    struct prof_summary_pause row = summary->pauses.items[i];
    row.node = moved[row.node];
    done = prof_summary_add_pause(&rows, row);
  }
  for (size_t i = 0; i < summary->core.opens.count && done; i++)
    done =
        prof_summary_add_inherited(&rows, moved[summary->core.opens.items[i].node], summary->core.opens.items[i].ticks);
  for (size_t i = 0; i < summary->going.count; i++)
    summary->going.items[i].node = moved[summary->going.items[i].node];
  if (done)
    prof_summary_take_rows(summary, &rows);
  else
    prof_summary_fini(&rows);
  return done;
}

/* false: no memory. */
static bool begin(struct pruning *pruning) {
  const struct prof_summary *summary = pruning->summary;
  const struct prof_summary_key *keys = summary->keys.items;
  struct prof_index_map known = {0};
  pruning->weight = calloc(pruning->count, sizeof *pruning->weight);
  pruning->kept = calloc(pruning->count, 1);
  pruning->first = calloc(pruning->count, sizeof *pruning->first);
  pruning->sibling = calloc(pruning->count, sizeof *pruning->sibling);
  pruning->functions = calloc(summary->keys.count + 1, sizeof *pruning->functions);
  pruning->inside = calloc(summary->keys.count + 1, sizeof *pruning->inside);
  bool done = pruning->weight && pruning->kept && pruning->first && pruning->sibling && pruning->functions &&
              pruning->inside && prof_vec_reserve(&pruning->summary->cold, summary->keys.count + 1);
  for (uint32_t i = 0; i < summary->keys.count && done; i++) {
    uint32_t hash = prof_index_hash((uint64_t)keys[i].module << 32 | keys[i].index, keys[i].kind);
    uint32_t at = prof_index_find(&known, hash, k,
                                  keys[k].module == keys[i].module && keys[k].index == keys[i].index &&
                                      keys[k].kind == keys[i].kind);
    pruning->functions[i] = at != UINT32_MAX ? at : i;
    done = at != UINT32_MAX || prof_index_add(&known, hash, i);
  }
  while (done && pruning->summary->cold.count < summary->keys.count)
    pruning->summary->cold.items[pruning->summary->cold.count++] = (struct prof_fold_cold){0};
  prof_index_fini(&known);
  return done;
}

prof_status prof_summary_prune(struct prof_summary *summary, uint64_t bytes) {
  if (bytes == 0 || prof_summary_bytes(summary) <= bytes)
    return PROF_OK;
  struct pruning pruning = {.summary = summary, .nodes = summary->core.nodes, .count = summary->core.node_count};
  uint32_t *moved = malloc(pruning.count * sizeof *moved);
  struct prof_fold_core kept = {0};
  bool done = begin(&pruning) && moved && prof_fold_init(&kept, 1);
  if (done) {
    double each = (double)prof_summary_bytes(summary) / pruning.count; /* with its samples */
    weigh(&pruning);
    choose(&pruning, (uint32_t)((double)bytes / 2 / each));
    walk_cold(&pruning);
    done = rebuild(&pruning, &kept, moved) && move_rows(summary, moved);
  }
  if (done)
    prof_fold_take_nodes(&summary->core, &kept);
  prof_fold_fini(&kept);
  free(pruning.weight);
  free(pruning.kept);
  free(pruning.first);
  free(pruning.sibling);
  free(pruning.functions);
  free(pruning.inside);
  free(moved);
  return done ? PROF_OK : PROF_NO_MEMORY;
}
