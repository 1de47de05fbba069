/*
 * tools/analysis/call_graph.c - see call_graph.h.
 *
 * One pass over the nodes, which stand in depth-first order, with a count of open calls for each function.
 */
#include "analysis/call_graph.h"

#include <stdlib.h>

#include "base/diag.h"
#include "base/index_map.h"
#include "base/order.h"
#include "names/loop_frames.h"

struct making {
  const struct prof_profile *profile;
  const struct prof_line_leaves *leaves;
  enum prof_time_kind time;
  const struct prof_process_groups *groups;
  struct prof_call_graph *out;
  struct prof_index_map pair_map, self_map;
  uint32_t *inside; /* by function: how many of its calls are open */
  uint32_t unknown; /* number of functions that aren't known */
  bool failed;      /* no memory */
};

static uint32_t number_of(const struct making *making, uint32_t node) {
  uint32_t function = making->profile->nodes[node].function;
  return function < making->out->first_root ? function : making->unknown;
}

static uint32_t caller_of(const struct making *making, uint32_t node) {
  uint32_t parent = making->profile->nodes[node].parent;
  if (making->profile->nodes[parent].parent != 0)
    return number_of(making, parent);
  uint32_t thread = making->profile->nodes[parent].thread;
  return making->out->first_root +
         (making->groups && making->groups->count ? making->groups->of_thread[thread] : thread);
}

static void add_self(struct making *making, uint32_t function, uint32_t leaf, uint64_t ticks,
                     const struct prof_off_ticks *off) {
  const struct prof_call_self new = {.function = function, .leaf = leaf};
  uint32_t at = prof_index_meet(
      &making->self_map, &making->out->selfs, prof_index_hash(function, leaf), i,
      making->out->selfs.items[i].function == function && making->out->selfs.items[i].leaf == leaf, new);
  making->failed |= at == UINT32_MAX;
  if (at == UINT32_MAX)
    return;
  making->out->selfs.items[at].ticks += ticks;
  prof_off_add(&making->out->selfs.items[at].off, off);
}

static void add_selfs(struct making *making, uint32_t node) {
  static const struct prof_off_ticks none = {0};
  const struct prof_node *own = &making->profile->nodes[node];
  const struct prof_line_leaves *leaves = making->leaves;
  uint32_t function = number_of(making, node);
  if (!leaves) {
    add_self(making, function, PROF_NONE, own->self_ticks, &own->self_off);
    return;
  }
  uint64_t left = prof_node_self(own, making->time);
  for (uint32_t i = leaves->begin[node]; i < leaves->begin[node + 1]; i++) {
    add_self(making, function, leaves->items[i].number, leaves->items[i].ticks, &none);
    left -= leaves->items[i].ticks;
  }
  add_self(making, function, PROF_NONE, left, &none);
}

/* As analysis/functions.c does: of a thread that forked the calls below only the self time is here. */
static void add_pair(struct making *making, uint32_t node) {
  const struct prof_node *own = &making->profile->nodes[node];
  const uint32_t caller = caller_of(making, node), callee = number_of(making, node);
  const struct prof_call_pair new = {.caller = caller, .callee = callee};
  uint32_t at = prof_index_meet(
      &making->pair_map, &making->out->pairs, prof_index_hash(caller, callee), i,
      making->out->pairs.items[i].caller == caller && making->out->pairs.items[i].callee == callee, new);
  making->failed |= at == UINT32_MAX;
  if (at == UINT32_MAX)
    return;
  struct prof_call_pair *pair = &making->out->pairs.items[at];
  pair->calls += own->forker ? 0 : own->calls;
  if (making->inside[callee] > 0)
    return;
  pair->total_ticks += own->forker ? own->self_ticks : own->total_ticks;
  prof_off_add(&pair->off, own->forker ? &own->self_off : &own->off);
}

static void walk(struct making *making) {
  const struct prof_node *nodes = making->profile->nodes;
  uint32_t at = 0;
  for (uint32_t i = 1; i < making->profile->node_count && !making->failed; i++) {
    for (; at != nodes[i].parent; at = nodes[at].parent)
      if (nodes[at].parent != 0 && !nodes[at].forker)
        making->inside[number_of(making, at)]--;
    at = i;
    if (nodes[i].parent == 0)
      continue;
    add_selfs(making, i);
    add_pair(making, i);
    making->inside[number_of(making, i)] += !nodes[i].forker;
  }
}

static int by_pair(const void *a, const void *b) {
  const struct prof_call_pair *left = a, *right = b;
  return prof_order(left->caller, right->caller) ?: prof_order(left->callee, right->callee);
}

static int by_function(const void *a, const void *b) {
  const struct prof_call_self *left = a, *right = b;
  return prof_order(left->function, right->function) ?: prof_order(left->leaf, right->leaf);
}

prof_status prof_call_graph_make(const struct prof_profile *profile, const struct prof_line_leaves *leaves,
                                 enum prof_time_kind time, const struct prof_process_groups *groups,
                                 struct prof_diag *diag, struct prof_call_graph *out) {
  size_t functions, threads;
  prof_trace_functions(profile->trace, &functions);
  prof_trace_threads(profile->trace, &threads);
  *out = (struct prof_call_graph){.first_root = prof_frame_count(profile->trace)};
  out->root_count = groups && groups->count ? groups->count : (uint32_t)threads;
  struct making making = {
      .profile = profile, .leaves = leaves, .time = time, .groups = groups, .out = out, .unknown = (uint32_t)functions};
  making.inside = calloc((size_t)out->first_root + 1, sizeof *making.inside);
  making.failed = making.inside == NULL;
  if (!making.failed)
    walk(&making);
  prof_index_fini(&making.pair_map);
  prof_index_fini(&making.self_map);
  free(making.inside);
  if (making.failed) {
    prof_call_graph_free(out);
    return prof_diag_memory(diag);
  }
  prof_vec_sort(&out->pairs, by_pair);
  prof_vec_sort(&out->selfs, by_function);
  return PROF_OK;
}

void prof_call_graph_free(struct prof_call_graph *graph) {
  prof_vec_fini(&graph->pairs);
  prof_vec_fini(&graph->selfs);
}
