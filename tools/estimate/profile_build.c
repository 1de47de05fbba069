/*
 * tools/estimate/profile_build.c - see profile_build.h: from what was folded to figures per function.
 */
#include "estimate/profile_build.h"

#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/whole.h"
#include "estimate/cold_paths.h"
#include "estimate/correct.h"
#include "estimate/coverage.h"
#include "estimate/node_places.h"
#include "estimate/self_times.h"
#include "estimate/sum_up.h"
#include "estimate/wait_places.h"

struct owned { /* a profile and what its const pointers point to */
  struct prof_profile profile;
  struct prof_node *nodes;
  struct prof_function_figures *functions; /* loops' stand behind them */
  struct prof_loop_values *loop_values;    /* NULL: loops were not asked for */
  uint32_t frame_count;                    /* functions, the unknown one, and loops if they were asked for */
  uint32_t unknown;                        /* index of functions that aren't known */
  struct prof_histogram *histograms;
  void *histogram_memory;
  struct prof_self_times selves;
  struct prof_histogram_pool pool;
  struct prof_cold_paths cold;
  struct prof_call_place *places;                               /* NULL: calls are not distinguished by place */
  struct prof_estimated *estimated_nodes, *estimated_functions; /* NULL: nothing is estimated */
  struct prof_estimated_loop *estimated_loops;
  struct prof_estimated_place *estimated_places;
};

/* Adds the self time of a frame that forked another thread's calls, and none of theirs. */
static void figure_forker(struct owned *owned, const struct prof_node *node, uint32_t function, bool outermost) {
  struct prof_function_figures *figures = &owned->functions[function];
  if (node->self_ticks == 0)
    return;
  figures->self_ticks += node->self_ticks;
  prof_off_add(&figures->self_off, &node->self_off);
  figures->total_ticks += outermost ? node->self_ticks : 0;
  if (outermost)
    prof_off_add(&figures->off, &node->self_off);
  figures->durations = &owned->histograms[function];
  figures->self_durations = prof_self_times_of(&owned->selves, function, figures->durations);
}

/* Totals count a function's time once, where it is outermost: `inside` counts how often it is on the path to a node. */
static void figure_functions(struct owned *owned, uint32_t node_count, uint32_t *inside) {
  const struct prof_node *nodes = owned->nodes;
  uint32_t at = 0;
  prof_cold_paths_scale(&owned->cold, nodes, node_count, owned->frame_count);
  for (uint32_t i = 1; i < node_count; i++) {
    for (; at != nodes[i].parent; at = nodes[at].parent)
      if (nodes[at].parent != 0 && !nodes[at].cold && !nodes[at].forker)
        inside[nodes[at].function == PROF_NONE ? owned->unknown : nodes[at].function]--;
    at = i;
    if (nodes[i].cold)
      owned->profile.coverage.calls += nodes[i].calls;
    if (nodes[i].parent == 0 || nodes[i].cold)
      continue;
    uint32_t function = nodes[i].function == PROF_NONE ? owned->unknown : nodes[i].function;
    struct prof_function_figures *figures = &owned->functions[function];
    if (nodes[i].forker) {
      figure_forker(owned, &nodes[i], function, inside[function] == 0);
      continue;
    }
    figures->calls += nodes[i].calls;
    figures->self_ticks += nodes[i].self_ticks;
    prof_off_add(&figures->self_off, &nodes[i].self_off);
    if (inside[function]++ == 0) {
      figures->total_ticks += nodes[i].total_ticks;
      prof_off_add(&figures->off, &nodes[i].off);
      figures->error_ticks = prof_error_add(figures->error_ticks, &nodes[i]);
    }
    figures->sum_ticks += prof_node_called_ticks(&nodes[i]);
    figures->taken_ticks += nodes[i].taken_ticks;
    figures->durations = &owned->histograms[function];
    figures->self_durations = prof_self_times_of(&owned->selves, function, figures->durations);
    owned->profile.coverage.calls += function <= owned->unknown ? nodes[i].calls : 0;
  }
  for (uint32_t i = 0; i < owned->frame_count; i++) {
    struct prof_function_figures *figures = &owned->functions[i];
    if (prof_cold_paths_add(&owned->cold, i, figures)) {
      figures->durations = &owned->histograms[i];
      figures->self_durations = prof_self_times_of(&owned->selves, i, figures->durations);
    }
    if (!prof_figures_have_extremes(figures))
      continue;
    uint64_t min = prof_histogram_min(figures->durations), max = figures->durations->max;
    struct prof_call_times call = prof_call_times_of(min, max, figures->sum_ticks, figures->calls);
    figures->min_ticks = call.min;
    figures->max_ticks = call.max;
  }
}

/* Pauses in sparse-clock intervals go to the calls that had them, before anything is summed up.  false: no memory. */
static bool place_waits(struct owned *owned, uint32_t count, const struct prof_fold_worker *worker) {
  const struct prof_wait_places places = {.trace = owned->profile.trace,
                                          .marks = worker->marks,
                                          .options = worker->options.items,
                                          .nodes = owned->nodes,
                                          .count = count,
                                          .unknown = owned->unknown};
  return worker->marks == NULL || prof_wait_places_settle(&places);
}

/* Gives nodes their readings of the clock for lines, which are found over all calls, whatever the filter shows. */
static prof_status give_readings(struct owned *owned, uint32_t count, const struct prof_filter *filter,
                                 uint64_t max_bytes) {
  const prof_trace *trace = owned->profile.trace;
  struct prof_line_readings readings;
  struct prof_profile *whole = NULL;
  prof_status status = PROF_OK;
  if (!prof_line_readings_are(trace))
    return PROF_OK;
  if (filter)
    status =
        prof_profile_fold(trace, NULL, &(struct prof_fold_options){.raw = true, .max_bytes = max_bytes}, NULL, &whole);
  if (status == PROF_OK)
    status = prof_line_readings_find(trace, whole ? whole->nodes : owned->nodes, whole ? whole->node_count : count,
                                     &readings);
  prof_profile_free(whole);
  if (status != PROF_OK)
    return status;
  prof_line_readings_give(&readings, trace, owned->nodes, count, owned->profile.coverage.hidden > 0);
  prof_line_readings_free(&readings);
  for (uint32_t i = 1; i < count; i++)
    owned->profile.coverage.readings += owned->nodes[i].own_readings;
  return PROF_OK;
}

/* Removes probe overhead from times, unless they are raw.  false: no memory. */
static bool correct(struct owned *owned, uint32_t count, const struct prof_fold_options *options) {
  struct prof_coverage *coverage = &owned->profile.coverage;
  struct prof_correction_sums sums;
  if (!prof_correct_nodes(owned->profile.trace, owned->nodes, count, options, &sums))
    return false;
  coverage->threads = sums.threads;
  coverage->corrected_threads = sums.corrected;
  return true;
}

struct prof_node *prof_profile_nodes_of(struct prof_profile *profile) {
  return ((struct owned *)profile)->nodes;
}

bool prof_profile_figures_anew(struct prof_profile *profile) {
  struct owned *owned = (struct owned *)profile; /* its first member */
  uint32_t *inside = calloc(owned->frame_count, sizeof *inside);
  if (!inside)
    return false;
  memset(owned->functions, 0, owned->frame_count * sizeof *owned->functions);
  profile->coverage.calls = 0;
  owned->nodes[0].total_ticks = 0;
  for (uint32_t i = owned->nodes[0].first_child; i != PROF_NONE; i = owned->nodes[i].next_sibling)
    owned->nodes[0].total_ticks += owned->nodes[i].total_ticks;
  figure_functions(owned, profile->node_count, inside);
  prof_coverage_take_nodes(profile);
  free(inside);
  return true;
}

void prof_profile_take_nodes(struct prof_profile *profile, struct prof_node *nodes, uint32_t count,
                             struct prof_estimated *estimated) {
  struct owned *owned = (struct owned *)profile;
  free(owned->nodes);
  free(owned->estimated_nodes);
  profile->nodes = owned->nodes = nodes;
  profile->node_count = count;
  profile->estimated_nodes = owned->estimated_nodes = estimated;
}

void prof_profile_take_estimates(struct prof_profile *profile, struct prof_estimated *functions) {
  struct owned *owned = (struct owned *)profile;
  free(owned->estimated_functions);
  profile->estimated_functions = owned->estimated_functions = functions;
}

void prof_profile_take_loops(struct prof_profile *profile, struct prof_estimated_loop *loops) {
  struct owned *owned = (struct owned *)profile;
  free(owned->estimated_loops);
  profile->estimated_loops = owned->estimated_loops = loops;
}

struct prof_estimated_loop *prof_profile_loops_of(struct prof_profile *profile) {
  return ((struct owned *)profile)->estimated_loops;
}

void prof_profile_drop_loops(struct prof_profile *profile) {
  struct owned *owned = (struct owned *)profile;
  prof_cold_paths_join_loops(&owned->cold, profile->trace);
  free(owned->loop_values);
  free(owned->estimated_loops);
  profile->loops = NULL;
  profile->loop_values = owned->loop_values = NULL;
  profile->estimated_loops = owned->estimated_loops = NULL;
}

void prof_profile_drop_places(struct prof_profile *profile) {
  struct owned *owned = (struct owned *)profile;
  prof_cold_paths_drop_places(&owned->cold);
  free(owned->places);
  free(owned->estimated_places);
  profile->places = owned->places = NULL;
  profile->estimated_places = owned->estimated_places = NULL;
  profile->cold_places = NULL;
  profile->place_count = 0;
  profile->estimated_place_count = 0;
}

bool prof_profile_take_places(struct prof_profile *profile, struct prof_call_place *places, uint32_t count,
                              struct prof_estimated_place *estimated, size_t estimated_count) {
  struct owned *owned = (struct owned *)profile;
  if (!prof_cold_paths_widen(&owned->cold, count))
    return false;
  free(owned->places);
  free(owned->estimated_places);
  profile->places = owned->places = places;
  profile->place_count = count;
  profile->cold_places = owned->cold.places;
  profile->estimated_places = owned->estimated_places = estimated;
  profile->estimated_place_count = estimated_count;
  return true;
}

static prof_status build(struct owned *owned, struct prof_fold_worker *worker, const struct prof_filter *filter,
                         const struct prof_fold_options *options) {
  struct prof_fold_core *core = &worker->core;
  uint32_t count;
  free(core->table); /* no path is looked for any more */
  core->table = NULL;
  uint32_t *placed_at = malloc(core->node_count * sizeof *placed_at);
  struct prof_node_child *children = prof_node_children_sort(core, &count);
  uint32_t *inside = calloc(owned->frame_count, sizeof *inside);
  owned->nodes = malloc(((size_t)count + 1) * sizeof *owned->nodes);
  owned->functions = calloc(owned->frame_count, sizeof *owned->functions);
  if (placed_at)
    memset(placed_at, 0xff, core->node_count * sizeof *placed_at); /* PROF_NONE */
  struct prof_node_order order = {owned->nodes, owned->places, owned->unknown};
  bool done = children && inside && placed_at && owned->nodes && owned->functions &&
              prof_nodes_place(&order, children, count, core, placed_at);
  free(children);
  if (done) {
    prof_nodes_place_opens(owned->nodes, core, placed_at);
    prof_nodes_place_marks(worker, placed_at);
    prof_fold_free_nodes(core);
    done = place_waits(owned, count + 1, worker);
  }
  if (done) {
    done = prof_sum_up(owned->nodes, count + 1, worker->marks, prof_nodes_mark_count(worker),
                       owned->profile.coverage.has_switches, &owned->profile.coverage.spun_ticks);
  }
  if (done) {
    done = give_readings(owned, count + 1, filter, options->max_bytes) == PROF_OK && correct(owned, count + 1, options);
  }
  if (done) {
    owned->profile.nodes = owned->nodes;
    owned->profile.node_count = count + 1;
    owned->profile.functions = owned->functions;
    owned->profile.function_count = owned->unknown + 1;
    if (owned->loop_values)
      owned->profile.loops = owned->functions + owned->unknown + 1;
    owned->profile.loop_values = owned->loop_values;
    figure_functions(owned, count + 1, inside);
    prof_coverage_take_nodes(&owned->profile);
  }
  free(placed_at);
  free(inside);
  return done ? PROF_OK : PROF_NO_MEMORY;
}

/*
 * Calls were counted by place: the core's keys become the places' final numbers, and the histograms of each function's
 * places one.  false: no memory.
 */
static bool settle_places(struct owned *owned, struct prof_fold_worker *worker) {
  struct prof_fold_core *core = &worker->core;
  uint32_t *moved = NULL, count = prof_call_places_count(worker->places);
  struct prof_histogram *merged = calloc(owned->frame_count, sizeof *merged);
  if (!merged || !prof_fold_widen(core, count) || !prof_call_places_finish(worker->places, &owned->places, &moved)) {
    free(merged);
    return false;
  }
  for (uint32_t i = 1; i < core->node_count; i++)
    if (core->nodes[i].parent != 0 && core->nodes[i].function < PROF_FOLD_FORKER)
      core->nodes[i].function = moved[core->nodes[i].function];
  owned->histograms = owned->histogram_memory = merged;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t function = owned->places[moved[i]].function;
    prof_histogram_merge(&owned->pool, &merged[function < owned->frame_count ? function : owned->unknown],
                         &core->histograms, &core->functions[i]);
  }
  for (uint32_t i = 0; i < count; i++) {
    uint32_t function = owned->places[moved[i]].function;
    function = function < owned->frame_count ? function : owned->unknown;
    prof_self_times_settle(&owned->selves, &owned->pool, &merged[function], function, &core->histograms, core, i);
  }
  owned->profile.places = owned->places;
  owned->profile.place_count = count;
  bool taken = prof_cold_paths_take_places(&owned->cold, worker, moved, count);
  free(moved);
  return taken && !owned->pool.failed;
}

/* Takes histograms and figures out of what was folded. */
static prof_status build_profile(const prof_trace *trace, const struct prof_filter *filter, struct prof_folded *folded,
                                 const struct prof_fold_options *options, struct prof_diag *diag,
                                 struct prof_profile **out) {
  struct prof_fold_worker *worker = &folded->worker;
  struct owned *owned = calloc(1, sizeof *owned);
  if (!owned)
    return prof_diag_memory(diag);
  owned->unknown = worker->unknown;
  owned->frame_count = worker->loops ? prof_frame_count(trace) : worker->unknown + 1;
  owned->loop_values = worker->values;
  worker->values = NULL;
  bool settled = prof_self_times_init(&owned->selves, owned->frame_count, &worker->core);
  if (settled && worker->places) {
    settled = settle_places(owned, worker);
  } else if (settled) {
    owned->histograms = worker->core.functions;
    owned->pool = worker->core.histograms;
    owned->histogram_memory = worker->core.functions_memory;
    worker->core.functions_memory = NULL;
    memset(&worker->core.histograms, 0, sizeof worker->core.histograms);
    for (uint32_t i = 0; i < owned->frame_count && i < worker->core.function_count; i++)
      prof_self_times_settle(&owned->selves, &owned->pool, &owned->histograms[i], i, &owned->pool, &worker->core, i);
    settled = !owned->pool.failed;
  }
  owned->profile.trace = trace;
  owned->profile.histograms = &owned->pool;
  prof_coverage_take_folded(&owned->profile.coverage, trace, filter, folded, options->event_costs);
  settled = settled && prof_cold_paths_take(&owned->cold, worker, &owned->profile.coverage);
  owned->profile.cold = owned->cold.figures;
  owned->profile.cold_places = owned->cold.places;
  prof_status status = settled ? build(owned, worker, filter, options) : PROF_NO_MEMORY;
  if (status != PROF_OK) {
    prof_diag_memory(diag);
  } else if (owned->profile.node_count == 1) {
    status = prof_filter_empty(trace, filter, diag);
  }
  if (status != PROF_OK)
    prof_profile_free(&owned->profile);
  else
    *out = &owned->profile;
  return status;
}

uint64_t *prof_profile_costs(const prof_trace *trace, const struct prof_fold_options *options) {
  size_t thread_count, state_count;
  prof_trace_threads(trace, &thread_count);
  (void)prof_trace_states(trace, &state_count);
  /* With a budget samples in probes are those of windows and counters too, whose events are none of the thread's. */
  const struct prof_event_cost *sampled_costs = state_count ? NULL : options->event_costs;
  uint64_t *costs = calloc(thread_count + 1, sizeof *costs);
  for (uint32_t i = 0; costs && !options->raw && i < thread_count; i++) {
    struct prof_correction correction = prof_correction_of(trace, i);
    bool known = correction.state == PROF_CORRECT_DONE;
    double sampled = sampled_costs ? sampled_costs[i].ticks : 0;
    double cost = PROF_FOLD_COST_PARTS * (sampled > 0 ? sampled : known ? correction.cost_ticks : 0);
    costs[i] = cost < PROF_FOLD_COST_MOST ? prof_whole(cost + 0.5) : PROF_FOLD_COST_MOST;
  }
  return costs;
}

prof_status prof_profile_fold(const prof_trace *trace, const struct prof_filter *filter,
                              const struct prof_fold_options *options, struct prof_diag *diag,
                              struct prof_profile **out) {
  uint64_t *costs = prof_profile_costs(trace, options);
  struct prof_fold_task task = {.trace = trace,
                                .filter = filter && filter->active ? filter : NULL,
                                .workers = options->workers,
                                .loops = options->loops || (filter && filter->loops),
                                .places = options->places,
                                .max_bytes = options->max_bytes,
                                .done = options->done,
                                .stop = options->stop,
                                .marks = options->marks,
                                .costs = costs};
  struct prof_folded folded;
  *out = NULL;
  prof_status status = costs ? prof_fold_run(&task, diag, &folded) : prof_diag_memory(diag);
  if (status == PROF_OK) {
    status = build_profile(trace, task.filter, &folded, options, diag, out);
    prof_folded_free(&folded);
  }
  free(costs);
  return status;
}

void prof_profile_drop_paths(struct prof_profile *profile) {
  struct owned *owned = (struct owned *)profile; /* its first member */
  free(owned->nodes);
  free(owned->estimated_nodes);
  free(owned->estimated_places);
  free(owned->places);
  owned->nodes = NULL;
  owned->estimated_nodes = NULL;
  owned->estimated_places = NULL;
  owned->places = NULL;
  profile->nodes = NULL;
  profile->node_count = 0;
  profile->estimated_nodes = NULL;
  profile->estimated_places = NULL;
  profile->estimated_place_count = 0;
  profile->places = NULL;
  profile->place_count = 0;
}

void prof_profile_free(struct prof_profile *profile) {
  struct owned *owned = (struct owned *)profile; /* its first member */
  if (!owned)
    return;
  free(owned->nodes);
  free(owned->functions);
  free(owned->estimated_nodes);
  free(owned->estimated_functions);
  free(owned->estimated_loops);
  free(owned->estimated_places);
  free(owned->histogram_memory);
  prof_self_times_fini(&owned->selves);
  free(owned->places);
  prof_cold_paths_fini(&owned->cold);
  free(owned->loop_values);
  prof_histogram_pool_free(&owned->pool);
  free(owned);
}
