/*
 * tools/fold/whole.c - see whole.h.
 */
#include "fold/whole.h"

#include <stdlib.h>
#include <string.h>

#include "fold/prune.h"

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

/* What a node's key means. */
struct keys {
  const struct prof_fold_whole *whole;
  struct prof_call_places *places;
};

static uint32_t frame_of_key(const struct keys *keys, uint32_t key) {
  const struct prof_fold_whole *whole = keys->whole;
  if (key == PROF_FOLD_OTHER || prof_fold_is_forker(key))
    return PROF_NONE;
  uint32_t frame = keys->places ? prof_call_places_function(keys->places, key) : key;
  return frame < whole->frame_count ? frame : whole->frame_count - whole->loop_count - 1;
}

static uint32_t row_of(void *context, const struct prof_fold_node *node, bool *loop) {
  const struct keys *keys = context;
  uint32_t frame = frame_of_key(keys, node->function);
  *loop = frame != PROF_NONE && frame >= keys->whole->frame_count - keys->whole->loop_count;
  return frame;
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

/* Room for the places that are known now.  false: no memory. */
static bool make_place_room(struct prof_fold_whole *whole, struct prof_call_places *places) {
  if (!places)
    return true;
  uint32_t count = prof_call_places_count(places);
  struct prof_fold_cold *grown = realloc(whole->cold_places, (count + 1) * sizeof *grown);
  if (!grown)
    return false;
  whole->cold_places = grown;
  memset(grown + whole->cold_place_count, 0, (count - whole->cold_place_count) * sizeof *grown);
  whole->cold_place_count = count;
  return true;
}

/* Keeps threads and what forked their calls, and of all other nodes the heaviest, at most half of the limit. */
static bool prune(struct prof_fold_whole *whole, struct prof_fold_worker *worker) {
  struct keys keys = {whole, worker->places};
  struct prof_fold_core small = {0};
  uint32_t *moved = malloc(whole->core.node_count * sizeof *moved);
  if (!whole->cold)
    whole->cold = calloc(whole->frame_count, sizeof *whole->cold);
  bool done = whole->cold && moved && make_place_room(whole, worker->places);
  struct prof_prune pruning = {
      .nodes = whole->core.nodes,
      .count = whole->core.node_count,
      .row_of = row_of,
      .context = &keys,
      .frames = {whole->cold, whole->frame_count, NULL, calloc(whole->frame_count, sizeof(uint32_t))},
      .places = {worker->places ? whole->cold_places : NULL, whole->cold_place_count, NULL,
                 calloc(whole->cold_place_count + 1, sizeof(uint32_t))},
      .kept = calloc(whole->core.node_count, 1)};
  done = done && pruning.frames.inside && pruning.places.inside && pruning.kept && prof_fold_init(&small, 1) &&
         prof_prune_tree(&pruning, whole->node_limit / 4, &small, moved);
  if (done) {
    move_marks(whole, worker, moved);
    prof_fold_take_nodes(&whole->core, &small);
    whole->cold_paths += pruning.cold_paths;
  }
  prof_fold_fini(&small);
  free(pruning.frames.inside);
  free(pruning.places.inside);
  free(pruning.kept);
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
  const struct keys keys = {whole, worker->places};
  uint64_t *beneath = calloc(core->node_count, sizeof *beneath);
  for (uint32_t i = core->node_count - 1; beneath && i > 0; i--) {
    const struct prof_fold_node *node = &core->nodes[i];
    beneath[node->parent] += node->total;
    uint32_t frame = node->parent ? frame_of_key(&keys, node->function) : PROF_NONE;
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
