/*
 * tools/fold/summary/prune.c - a summary within a limit of memory: its coldest paths become part of rows [other].
 *
 * As in a fold with a limit (fold/prune.h), and counted by key.  Frames that are open stay.
 */
#include <stdlib.h>
#include <string.h>

#include "fold/prune.h"
#include "fold/summary/summary.h"

#define NODE_BYTES 80u /* with its part of the look-up table */
#define SAMPLE_BYTES (sizeof(struct prof_summary_sample) + 16u)
#define PAUSE_BYTES (sizeof(struct prof_summary_pause) + 16u)

uint64_t prof_summary_bytes(const struct prof_summary *summary) {
  return (uint64_t)summary->core.node_count * NODE_BYTES + summary->samples.count * SAMPLE_BYTES +
         summary->pauses.count * PAUSE_BYTES + prof_summary_bursts_bytes(&summary->bursts) +
         prof_summary_counted_bytes(summary);
}

static uint32_t row_of(void *context, const struct prof_fold_node *node, bool *loop) {
  const struct prof_summary *summary = context;
  if (node->function >= PROF_FOLD_FORKER)
    return PROF_NONE;
  *loop = summary->keys.items[node->function].kind == PROF_SUMMARY_LOOP;
  return node->function;
}

/* Rows of samples and pauses whose nodes have become one are one.  false: no memory. */
static bool move_rows(struct prof_summary *summary, const struct prof_fold_core *small, const uint32_t *moved) {
  struct prof_summary rows = {0};
  bool done = true;
  for (size_t i = 0; i < summary->samples.count && done; i++) {
    struct prof_summary_sample row = summary->samples.items[i];
    row.node = moved[row.node];
    row.chain = small->nodes[row.node].function == PROF_FOLD_OTHER ? 0 : row.chain; /* nothing hangs beneath it */
    done = prof_summary_add_sample(&rows, row);
  }
  for (size_t i = 0; i < summary->pauses.count && done; i++) {
    struct prof_summary_pause row = summary->pauses.items[i];
    row.node = moved[row.node];
    done = prof_summary_add_pause(&rows, row);
  }
  for (size_t i = 0; i < summary->counted.count && done; i++) {
    struct prof_summary_counted row = summary->counted.items[i];
    row.node = moved[row.node];
    done = prof_summary_add_counted(&rows, row);
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

/* By key: the same for keys of the same function or loop.  false: no memory. */
static bool find_same(const struct prof_summary *summary, uint32_t *same) {
  const struct prof_summary_key *keys = summary->keys.items;
  struct prof_index_map known = {0};
  bool done = true;
  for (uint32_t i = 0; i < summary->keys.count && done; i++) {
    uint32_t hash = prof_index_hash((uint64_t)keys[i].module << 32 | keys[i].index, keys[i].kind);
    uint32_t at = prof_index_find(&known, hash, k,
                                  keys[k].module == keys[i].module && keys[k].index == keys[i].index &&
                                      keys[k].kind == keys[i].kind);
    same[i] = at != UINT32_MAX ? at : i;
    done = at != UINT32_MAX || prof_index_add(&known, hash, i);
  }
  prof_index_fini(&known);
  return done;
}

/* Calls that go on keep their nodes. */
static void keep_going(const struct prof_summary *summary, uint8_t *kept) {
  for (size_t i = 0; i < summary->going.count; i++)
    for (uint32_t at = summary->going.items[i].node; at != 0; at = summary->core.nodes[at].parent)
      kept[at] = 1;
}

static bool make_cold_room(struct prof_summary *summary) {
  if (!prof_vec_reserve(&summary->cold, summary->keys.count + 1))
    return false;
  while (summary->cold.count < summary->keys.count)
    summary->cold.items[summary->cold.count++] = (struct prof_fold_cold){0};
  return true;
}

prof_status prof_summary_prune(struct prof_summary *summary, uint64_t bytes) {
  if (bytes == 0 || prof_summary_bytes(summary) <= bytes)
    return PROF_OK;
  if (!prof_summary_prune_bursts(summary, bytes) || !prof_summary_prune_counted(summary, bytes))
    return PROF_NO_MEMORY;
  if (prof_summary_bytes(summary) <= bytes)
    return PROF_OK;
  uint32_t count = summary->core.node_count, key_count = (uint32_t)summary->keys.count;
  uint32_t *moved = malloc(count * sizeof *moved), *same = calloc(key_count + 1, sizeof *same);
  struct prof_fold_core small = {0};
  struct prof_prune pruning = {
      .nodes = summary->core.nodes, .count = count, .row_of = row_of, .context = summary, .kept = calloc(count, 1)};
  bool done = make_cold_room(summary) && moved && same && pruning.kept && find_same(summary, same);
  pruning.frames = (struct prof_prune_rows){summary->cold.items, key_count, same,
                                            calloc(key_count + 1, sizeof *pruning.frames.inside)};
  done = done && pruning.frames.inside && prof_fold_init(&small, 1);
  if (done) {
    double each = (double)prof_summary_bytes(summary) / count; /* with its samples */
    keep_going(summary, pruning.kept);
    done = prof_prune_tree(&pruning, (uint32_t)((double)bytes / 2 / each), &small, moved) &&
           move_rows(summary, &small, moved) && prof_summary_renumber_chains(summary);
  }
  if (done) {
    prof_fold_take_nodes(&summary->core, &small);
    summary->cold_paths += pruning.cold_paths;
  }
  prof_fold_fini(&small);
  free(pruning.frames.inside);
  free(pruning.kept);
  free(same);
  free(moved);
  return done ? PROF_OK : PROF_NO_MEMORY;
}
