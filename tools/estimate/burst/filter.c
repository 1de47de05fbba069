/*
 * tools/estimate/burst/filter.c - see filter.h.
 */
#include "estimate/burst/filter.h"

#include <math.h>
#include <stdlib.h>

#include "base/diag.h"
#include "base/index_map.h"
#include "base/vec.h"
#include "base/whole.h"
#include "estimate/burst/bursts.h"
#include "estimate/burst/states.h"
#include "estimate/burst/tree.h"
#include "estimate/profile_build.h"

prof_status prof_burst_cut_find(const prof_trace *trace, const struct prof_filter *filter, bool loops, bool places,
                                struct prof_diag *diag, struct prof_burst_cut *out) {
  struct prof_burst_states states;
  size_t loop_count;
  bool by_filter = filter && filter->flags && (filter->has_only || filter->hides || filter->depth);
  bool by_loops = !loops && prof_trace_loops(trace, &loop_count) && loop_count > 0;
  struct prof_burst_cut cut = {by_filter ? filter : NULL, by_loops, !places};
  *out = (struct prof_burst_cut){0};
  if (!prof_burst_cut_is_any(&cut))
    return PROF_OK;
  bool done = prof_burst_states_init(&states, trace);
  if (done && states.frame_count > 0)
    *out = cut;
  prof_burst_states_fini(&states);
  return done ? PROF_OK : prof_diag_memory(diag);
}

prof_status prof_burst_filter_widen(const prof_trace *trace, const struct prof_filter *filter, struct prof_diag *diag,
                                    struct prof_filter *out) {
  size_t functions;
  prof_trace_functions(trace, &functions);
  *out = *filter;
  out->has_only = out->hides = out->by_caller = false;
  out->depth = 0;
  out->flags = calloc(functions + 1, 1);
  return out->flags ? PROF_OK : prof_diag_memory(diag);
}

struct kept { /* a node that stays, parents first */
  struct prof_node node;
  struct prof_estimated estimated; /* sums of nodes: bounds as distances squared */
  double calls_below, calls_above; /* of nodes that are one here: their errors are of the same windows */
  double self_below2, self_above2;
};

struct cutting {
  const struct prof_profile *profile;
  const struct prof_burst_cut *what;
  PROF_VEC(struct kept) kept;
  struct prof_index_map known;
  uint32_t *moved; /* by node of the profile: the innermost kept node */
  struct prof_filter_state *states;
  uint8_t *leads;  /* by node: to a call of a function of --caller; NULL: no such filter */
  uint64_t hidden; /* calls within those that stay */
};

static bool is_same(const struct prof_node *kept, const struct prof_node *node) {
  return kept->parent == node->parent && kept->function == node->function && kept->place == node->place &&
         kept->cold == node->cold && kept->forker == node->forker &&
         (node->parent != 0 || kept->thread == node->thread);
}

/* The kept node for a node beneath a kept parent, made if missing.  PROF_NONE: no memory. */
static uint32_t keep(struct cutting *cutting, const struct prof_node *node, uint32_t parent) {
  const struct prof_node empty = {.parent = parent,
                                  .function = node->function,
                                  .thread = node->thread,
                                  .place = cutting->what->places ? PROF_NONE : node->place,
                                  .cold = node->cold,
                                  .forker = node->forker,
                                  .sampled = node->sampled,
                                  .open_share = node->open_share};
  uint32_t hash = prof_index_hash((uint64_t)parent << 32 | node->function, (uint64_t)empty.place << 32 | node->thread);
  return prof_index_meet(&cutting->known, &cutting->kept, hash, i, is_same(&cutting->kept.items[i].node, &empty),
                         ((struct kept){.node = empty}));
}

static void add_self(struct kept *to, const struct prof_node *from, const struct prof_estimated *estimated) {
  double below = (double)estimated->self_below_ticks, above = (double)estimated->self_above_ticks;
  to->node.self_ticks += from->self_ticks;
  prof_off_add(&to->node.self_off, &from->self_off);
  to->node.own_events += from->own_events;
  to->node.own_readings += from->own_readings;
  to->estimated.what |= estimated->what & PROF_ESTIMATED_SELF;
  to->self_below2 += below * below;
  to->self_above2 += above * above;
}

/* What holds for all beneath a level, too: if it stays, that of levels that don't is part of it. */
static void add_total(struct prof_node *to, const struct prof_node *from) {
  to->total_ticks += from->total_ticks;
  prof_off_add(&to->off, &from->off);
  to->taken_ticks += from->taken_ticks;
  to->error_ticks += from->error_ticks;
}

static void add_calls(struct kept *to, const struct prof_node *from, const struct prof_estimated *estimated) {
  double below = (double)from->calls - (double)estimated->calls_low;
  double above = (double)estimated->calls_high - (double)from->calls;
  add_total(&to->node, from);
  to->node.calls += from->calls;
  to->estimated.what |= estimated->what;
  to->calls_below += below;
  to->calls_above += above;
}

static bool is_loop(const struct cutting *cutting, const struct prof_node *node) {
  return node->function != PROF_NONE && node->function >= cutting->profile->function_count;
}

/* Whether the level stays. */
static bool enter(struct cutting *cutting, uint32_t node) {
  const struct prof_node *from = &cutting->profile->nodes[node];
  const struct prof_filter *filter = cutting->what->filter;
  bool loop = is_loop(cutting, from), stays = !loop || !cutting->what->loops;
  uint32_t unknown = (uint32_t)cutting->profile->function_count - 1;
  uint32_t function = from->function == PROF_NONE ? unknown : from->function;
  if (!filter)
    return stays;
  cutting->states[node] = prof_filter_frame(filter, cutting->states[from->parent], function, loop, false,
                                            !cutting->leads || cutting->leads[node]);
  return stays && cutting->states[node].shown;
}

/* --caller, where single calls aren't known: all calls of a path that led to one.  false: no memory. */
static bool find_leads(struct cutting *cutting) {
  const struct prof_profile *profile = cutting->profile;
  const struct prof_filter *filter = cutting->what->filter;
  if (!filter || !filter->by_caller)
    return true;
  cutting->leads = calloc(profile->node_count, 1);
  for (uint32_t i = profile->node_count; cutting->leads && i-- > 1;) { /* parents come first */
    const struct prof_node *node = &profile->nodes[i];
    bool is_function = node->parent != 0 && node->function < profile->function_count;
    cutting->leads[i] |= is_function && (filter->flags[node->function] & PROF_FILTER_CALLER);
    cutting->leads[node->parent] |= cutting->leads[i];
  }
  return cutting->leads != NULL;
}

/* A level that the filter hides gives its own time to the one around it. */
static bool cut(struct cutting *cutting) {
  const struct prof_profile *profile = cutting->profile;
  struct kept top = {.node = profile->nodes[0]};
  if (!prof_vec_push(&cutting->kept, top))
    return false;
  for (uint32_t i = 1; i < profile->node_count; i++) {
    const struct prof_node *from = &profile->nodes[i];
    bool thread = from->parent == 0;
    uint32_t around = thread ? 0 : cutting->moved[from->parent];
    bool shown = thread || enter(cutting, i);
    uint32_t to = cutting->moved[i] = shown ? keep(cutting, from, around) : around;
    if (to == PROF_NONE)
      return false;
    bool inside = cutting->kept.items[to].node.parent != 0;
    if (inside && to != 0)
      add_self(&cutting->kept.items[to], from, &profile->estimated_nodes[i]);
    if (inside && !shown && !is_loop(cutting, from)) /* entries of loops are no calls */
      cutting->hidden += from->calls;
    if (inside && shown)
      add_calls(&cutting->kept.items[to], from, &profile->estimated_nodes[i]);
  }
  return true;
}

/* Threads have the time of the levels beneath them that stay.  Returns whether anything stays. */
static bool sum_up(struct cutting *cutting) {
  struct kept *kept = cutting->kept.items;
  bool any = false;
  kept[0].node.total_ticks = 0;
  kept[0].node.off = (struct prof_off_ticks){0};
  for (size_t i = 1; i < cutting->kept.count; i++) {
    const struct prof_node *node = &kept[i].node;
    if (node->parent == 0 || kept[node->parent].node.parent != 0)
      continue;
    any = true;
    add_total(&kept[node->parent].node, node);
    kept[0].node.total_ticks += node->total_ticks;
    prof_off_add(&kept[0].node.off, &node->off);
  }
  return any;
}

/* Threads without calls have no node.  *moved: by node, its new number; PROF_NONE: it is left out. */
static uint32_t drop_threads(struct cutting *cutting, uint32_t *moved) {
  struct kept *kept = cutting->kept.items;
  uint32_t count = 0;
  for (size_t i = 0; i < cutting->kept.count; i++)
    moved[i] = i != 0 && kept[i].node.parent == 0 ? PROF_NONE : 0;
  for (size_t i = 1; i < cutting->kept.count; i++)
    if (kept[i].node.parent != 0)
      moved[kept[i].node.parent] = 0;
  for (size_t i = 0; i < cutting->kept.count; i++) {
    if (moved[i] == PROF_NONE)
      continue;
    moved[i] = count;
    kept[count] = kept[i];
    if (i != 0)
      kept[count].node.parent = moved[kept[count].node.parent];
    count++;
  }
  return count;
}

static uint64_t rounded(double value) {
  return prof_whole(value + 0.5);
}

/* The kept nodes become the profile's.  false: no memory. */
static bool take(struct cutting *cutting, struct prof_profile *profile) {
  uint32_t *moved = malloc(cutting->kept.count * sizeof *moved);
  struct prof_node *nodes = malloc(cutting->kept.count * sizeof *nodes);
  struct prof_estimated *estimated = calloc(cutting->kept.count, sizeof *estimated);
  if (!nodes || !estimated || !moved) {
    free(nodes);
    free(estimated);
    free(moved);
    return false;
  }
  uint32_t count = drop_threads(cutting, moved);
  for (uint32_t i = 0; i < profile->node_count; i++)
    cutting->moved[i] = moved[cutting->moved[i]];
  free(moved);
  for (uint32_t i = 0; i < count; i++) {
    const struct kept *kept = &cutting->kept.items[i];
    nodes[i] = kept->node;
    double calls = (double)kept->node.calls;
    estimated[i] = (struct prof_estimated){.what = kept->estimated.what,
                                           .calls_low = rounded(calls - kept->calls_below),
                                           .calls_high = rounded(calls + kept->calls_above),
                                           .self_below_ticks = rounded(sqrt(kept->self_below2)),
                                           .self_above_ticks = rounded(sqrt(kept->self_above2))};
  }
  prof_profile_take_nodes(profile, nodes, count, estimated);
  return true;
}

/* Links the nodes and puts them in order; then what follows from them. */
static bool settle(struct prof_profile *profile, struct prof_samples *samples, const struct prof_burst_cut *what) {
  struct prof_burst_tree tree;
  bool done = prof_burst_tree_init(&tree, profile, NULL) && prof_burst_tree_settle(&tree, samples);
  prof_burst_tree_fini(&tree);
  if (!done)
    return false;
  if (what->loops)
    prof_profile_drop_loops(profile);
  if (what->places)
    prof_profile_drop_places(profile);
  return prof_profile_figures_anew(profile) && (!what->filter || prof_bursts_sum_functions(profile));
}

prof_status prof_burst_filter_cut(struct prof_profile *profile, struct prof_samples *samples,
                                  const struct prof_burst_cut *what, struct prof_diag *diag) {
  struct cutting cutting = {.profile = profile, .what = what};
  cutting.moved = calloc(profile->node_count, sizeof *cutting.moved);
  cutting.states = calloc(profile->node_count, sizeof *cutting.states);
  bool done = cutting.moved && cutting.states && profile->estimated_nodes && find_leads(&cutting) && cut(&cutting);
  bool any = done && sum_up(&cutting);
  if (any) {
    done = take(&cutting, profile);
    if (done)
      prof_burst_move(samples, cutting.moved);
    profile->coverage.hidden += cutting.hidden;
    done = done && settle(profile, samples, what);
  }
  prof_vec_fini(&cutting.kept);
  prof_index_fini(&cutting.known);
  free(cutting.moved);
  free(cutting.states);
  free(cutting.leads);
  return !done ? prof_diag_memory(diag) : any ? PROF_OK : prof_filter_empty(profile->trace, what->filter, diag);
}
