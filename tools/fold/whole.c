/*
 * tools/fold/whole.c - see whole.h.
 */
#include "fold/whole.h"

#include <stdlib.h>
#include <string.h>

#define HAND_LEAST 4096u /* nodes: fewer aren't worth the lock */

bool prof_fold_whole_init(struct prof_fold_whole *whole, const prof_trace *trace, uint64_t bytes, unsigned workers) {
  memset(whole, 0, sizeof *whole);
  pthread_mutex_init(&whole->lock, NULL);
  uint64_t nodes = bytes ? bytes / PROF_FOLD_BYTES_PER_NODE : UINT32_MAX;
  whole->node_limit = nodes < PROF_FOLD_NODE / 2 ? (uint32_t)nodes : PROF_FOLD_NODE / 2;
  whole->hand_limit = whole->node_limit / 4 / (workers ? workers : 1);
  if (whole->hand_limit < HAND_LEAST && bytes >= (uint64_t)HAND_LEAST * PROF_FOLD_BYTES_PER_NODE)
    whole->hand_limit = HAND_LEAST;
  size_t loops;
  prof_trace_loops(trace, &loops);
  whole->frame_count = prof_frame_count(trace);
  whole->loop_count = (uint32_t)loops;
  return prof_fold_init(&whole->core, 1);
}

void prof_fold_whole_fini(struct prof_fold_whole *whole) {
  pthread_mutex_destroy(&whole->lock);
  prof_fold_fini(&whole->core);
  prof_vec_fini(&whole->pieces);
  prof_vec_fini(&whole->options);
  free(whole->cold);
  free(whole->cold_places);
  whole->cold = whole->cold_places = NULL;
}

/* ---- the coldest subtrees ---- */

struct pruning {
  struct prof_fold_whole *whole;
  struct prof_call_places *places;
  const struct prof_fold_node *nodes;
  uint32_t count;
  uint64_t *weight; /* of each node: time beneath it so far */
  uint8_t *kept;
  uint32_t *first, *sibling, *inside; /* of the tree; by frame number: how often it is above */
  uint32_t *place_inside;             /* by place; NULL: calls are not distinguished by it */
};

static uint32_t frame_of_key(const struct prof_fold_whole *whole, struct prof_call_places *places, uint32_t key) {
  if (key == PROF_FOLD_OTHER || prof_fold_is_forker(key))
    return PROF_NONE;
  uint32_t frame = places ? prof_call_places_function(places, key) : key;
  return frame < whole->frame_count ? frame : whole->frame_count - whole->loop_count - 1;
}

static uint32_t frame_of(const struct pruning *pruning, uint32_t node) {
  return frame_of_key(pruning->whole, pruning->places, pruning->nodes[node].function);
}

/* Time of calls that still go on isn't in their nodes yet, but that of calls within them is. */
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

/* Keeps threads and what forked their calls, and of all other nodes the heaviest, at most half of the limit. */
static void choose(struct pruning *pruning) {
  static const uint32_t buckets = PROF_HISTOGRAM_OCTAVES * PROF_HISTOGRAM_BUCKETS;
  uint32_t of_bucket[PROF_HISTOGRAM_OCTAVES * PROF_HISTOGRAM_BUCKETS] = {0}, kept = 0, least = buckets;
  for (uint32_t i = 1; i < pruning->count; i++)
    of_bucket[prof_histogram_index(pruning->weight[i])]++;
  while (least > 0 && kept + of_bucket[least - 1] <= pruning->whole->node_limit / 4)
    kept += of_bucket[--least];
  for (uint32_t i = 1; i < pruning->count; i++) { /* parents come first */
    const struct prof_fold_node *node = &pruning->nodes[i];
    bool heavy = prof_histogram_index(pruning->weight[i]) >= least;
    bool always = node->parent == 0 || prof_fold_is_forker(node->function);
    pruning->kept[i] = always || (node->function == PROF_FOLD_OTHER ? pruning->kept[node->parent] : heavy);
  }
}

/* By the place that it came from. */
static void count_cold_place(struct pruning *pruning, const struct prof_fold_node *node) {
  if (!pruning->place_inside || node->function >= pruning->whole->cold_place_count)
    return;
  struct prof_fold_cold *cold = &pruning->whole->cold_places[node->function];
  cold->calls += node->calls;
  if (pruning->place_inside[node->function] == 0)
    cold->total += node->total;
}

/* By function, but for what an earlier time counted so. */
static void count_cold(struct pruning *pruning, uint32_t at) {
  const struct prof_fold_node *node = &pruning->nodes[at];
  struct prof_fold_cold *cold = pruning->whole->cold;
  uint32_t frame = frame_of(pruning, at);
  if (pruning->kept[at])
    return;
  if (frame != PROF_NONE) {
    cold[frame].calls += node->calls;
    cold[frame].sum += node->total;
    cold[frame].self += (int64_t)node->total;
    if (pruning->inside[frame] == 0)
      cold[frame].total += node->total;
    count_cold_place(pruning, node);
  }
  uint32_t outer = pruning->kept[node->parent] ? PROF_NONE : frame_of(pruning, node->parent);
  if (outer != PROF_NONE)
    cold[outer].self -= (int64_t)node->total;
}

static void visit(struct pruning *pruning, uint32_t node, int step) {
  uint32_t frame = pruning->nodes[node].parent ? frame_of(pruning, node) : PROF_NONE;
  if (step > 0 && pruning->nodes[node].parent)
    count_cold(pruning, node);
  if (frame != PROF_NONE)
    pruning->inside[frame] += (uint32_t)step;
  uint32_t place = pruning->nodes[node].function;
  if (frame != PROF_NONE && pruning->place_inside && place < pruning->whole->cold_place_count)
    pruning->place_inside[place] += (uint32_t)step;
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
  for (uint32_t i = 1; i < pruning->count; i++) { /* parents come first */
    const struct prof_fold_node *node = &pruning->nodes[i];
    bool kept = pruning->kept[i], root = !kept && pruning->kept[node->parent];
    moved[i] = kept   ? prof_fold_child(into, moved[node->parent], node->function)
               : root ? prof_fold_child(into, moved[node->parent], PROF_FOLD_OTHER)
                      : moved[node->parent];
    uint32_t frame = kept ? PROF_NONE : frame_of(pruning, i);
    bool loop = frame != PROF_NONE && frame >= pruning->whole->frame_count - pruning->whole->loop_count;
    struct prof_fold_node *to = &into->nodes[moved[i]];
    *(loop ? &to->uncounted : &to->calls) += node->calls; /* entries of loops are no calls */
    to->uncounted += node->uncounted;
    to->total += kept || root ? node->total : 0;
    pruning->whole->cold_paths += frame != PROF_NONE;
  }
  return !into->failed;
}

static void move_marks(struct prof_fold_whole *whole, struct prof_fold_worker *worker, const uint32_t *moved) {
  for (size_t i = 0; i < whole->pieces.count; i++) {
    struct prof_mark_run run = prof_mark_run_begin(worker, whole->pieces.items[i]);
    for (; run.at < run.end; run.at++)
      prof_mark_move(run.at, moved, 0);
  }
  for (size_t i = 0; i < whole->options.count; i++)
    whole->options.items[i].node = moved[whole->options.items[i].node];
  for (size_t i = 0; i < whole->core.opens.count; i++)
    whole->core.opens.items[i].node = moved[whole->core.opens.items[i].node];
}

static bool prune_with(struct pruning *pruning, struct prof_fold_worker *worker, uint32_t *moved) {
  struct prof_fold_whole *whole = pruning->whole;
  struct prof_fold_core kept;
  if (!prof_fold_init(&kept, 1))
    return false;
  moved[0] = 0;
  weigh(pruning);
  choose(pruning);
  walk_cold(pruning);
  bool done = rebuild(pruning, &kept, moved);
  if (done) {
    move_marks(whole, worker, moved);
    prof_fold_take_nodes(&whole->core, &kept);
  }
  prof_fold_fini(&kept);
  return done;
}

/* Room for the places that are known now, and for what prune needs of them.  false: no memory. */
static bool make_place_room(struct pruning *pruning) {
  struct prof_fold_whole *whole = pruning->whole;
  if (!pruning->places)
    return true;
  uint32_t count = prof_call_places_count(pruning->places);
  struct prof_fold_cold *grown = realloc(whole->cold_places, (count + 1) * sizeof *grown);
  if (!grown)
    return false;
  whole->cold_places = grown;
  memset(grown + whole->cold_place_count, 0, (count - whole->cold_place_count) * sizeof *grown);
  whole->cold_place_count = count;
  pruning->place_inside = calloc(count + 1, sizeof *pruning->place_inside);
  return pruning->place_inside != NULL;
}

static bool prune(struct prof_fold_whole *whole, struct prof_fold_worker *worker) {
  struct pruning pruning = {
      .whole = whole, .places = worker->places, .nodes = whole->core.nodes, .count = whole->core.node_count};
  pruning.weight = calloc(pruning.count, sizeof *pruning.weight);
  pruning.kept = calloc(pruning.count, 1);
  pruning.first = calloc(pruning.count, sizeof *pruning.first);
  pruning.sibling = calloc(pruning.count, sizeof *pruning.sibling);
  pruning.inside = calloc(whole->frame_count, sizeof *pruning.inside);
  uint32_t *moved = malloc(pruning.count * sizeof *moved);
  if (!whole->cold)
    whole->cold = calloc(whole->frame_count, sizeof *whole->cold);
  bool done = pruning.weight && pruning.kept && pruning.first && pruning.sibling && pruning.inside && moved &&
              whole->cold && make_place_room(&pruning) && prune_with(&pruning, worker, moved);
  free(pruning.weight);
  free(pruning.kept);
  free(pruning.first);
  free(pruning.sibling);
  free(pruning.inside);
  free(pruning.place_inside);
  free(moved);
  return done;
}

/* ---- handing over ---- */

/* The marks of the worker's pieces have nodes of the whole from now on. */
static bool settle_marks(struct prof_fold_whole *whole, struct prof_fold_worker *worker, const uint32_t *moved) {
  size_t before = whole->options.count;
  if (!prof_mark_options_add(&whole->options, &worker->options, moved) ||
      !prof_vec_reserve(&whole->pieces, worker->pieces.count + 1))
    return false;
  for (size_t i = 0; i < worker->pieces.count; i++) {
    struct prof_mark_run run = prof_mark_run_begin(worker, worker->pieces.items[i]);
    for (; run.at < run.end; run.at++) {
      prof_mark_move(run.at, moved, before);
      run.at->hand = PROF_MARK_NO_HAND;
    }
    whole->pieces.items[whole->pieces.count++] = worker->pieces.items[i];
  }
  worker->options.count = worker->pieces.count = 0;
  return true;
}

static bool take(struct prof_fold_whole *whole, struct prof_fold_worker *worker) {
  uint32_t *moved = malloc(worker->core.node_count * sizeof *moved);
  bool done = moved && prof_fold_merge_nodes(&whole->core, &worker->core, moved) && !whole->core.failed &&
              settle_marks(whole, worker, moved);
  free(moved);
  if (done)
    prof_fold_forget_nodes(&worker->core);
  whole->used = true;
  return done && (whole->core.node_count <= whole->node_limit || prune(whole, worker));
}

bool prof_fold_whole_take(struct prof_fold_whole *whole, struct prof_fold_worker *worker) {
  pthread_mutex_lock(&whole->lock);
  bool done = take(whole, worker);
  pthread_mutex_unlock(&whole->lock);
  return done;
}

bool prof_fold_whole_piece_done(struct prof_fold_whole *whole, struct prof_fold_worker *worker,
                                const struct prof_fold_piece *piece) {
  if (worker->marks && !prof_vec_push(&worker->pieces, piece))
    return false;
  return worker->core.node_count <= whole->hand_limit || prof_fold_whole_take(whole, worker);
}

/*
 * A call whose own end was folded away before calls within it came: these have more time than is left of it.  false: no
 * memory.
 */
static bool settle_self(struct prof_fold_whole *whole, const struct prof_fold_worker *worker) {
  const struct prof_fold_core *core = &whole->core;
  uint64_t *beneath = calloc(core->node_count, sizeof *beneath);
  for (uint32_t i = core->node_count - 1; beneath && i > 0; i--) {
    const struct prof_fold_node *node = &core->nodes[i];
    beneath[node->parent] += node->total;
    uint32_t frame = node->parent ? frame_of_key(whole, worker->places, node->function) : PROF_NONE;
    if (frame != PROF_NONE && beneath[i] > node->total)
      whole->cold[frame].self -= (int64_t)(beneath[i] - node->total);
  }
  free(beneath);
  return beneath != NULL;
}

bool prof_fold_whole_give(struct prof_fold_whole *whole, struct prof_fold_worker *worker) {
  if (whole->cold && !settle_self(whole, worker))
    return false;
  prof_fold_take_nodes(&worker->core, &whole->core);
  prof_vec_fini(&worker->options);
  worker->options = whole->options;
  whole->options = (prof_mark_options){0};
  worker->cold = whole->cold;
  worker->cold_places = whole->cold_places;
  worker->cold_place_count = whole->cold_place_count;
  whole->cold = whole->cold_places = NULL;
  worker->cold_paths = whole->cold_paths;
  for (uint32_t i = 1; i < worker->core.node_count; i++)
    worker->cold_ticks += worker->core.nodes[i].function == PROF_FOLD_OTHER ? worker->core.nodes[i].total : 0;
  return true;
}
