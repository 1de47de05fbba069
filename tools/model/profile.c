/*
 * tools/model/profile.c - see profile.h, profile_build.h: nodes put in order, figures per function, coverage.
 */
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "model/cold_paths.h"
#include "model/correct.h"
#include "model/node_order.h"
#include "model/profile_build.h"
#include "model/self_times.h"
#include "model/sum_up.h"
#include "model/wait_places.h"

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
  struct prof_call_place *places; /* NULL: calls are not told apart by place */
};

static void fill_node(struct prof_node *nodes, uint32_t index, uint32_t parent, const struct prof_fold_node *from,
                      const struct owned *owned) {
  bool thread = parent == 0, cold = from->function == PROF_FOLD_OTHER;
  bool forker = !thread && prof_fold_is_forker(from->function), placed = owned->places && !thread && !cold && !forker;
  uint32_t function = placed ? owned->places[from->function].function : cold ? PROF_NONE : from->function;
  function = forker ? function - PROF_FOLD_FORKER : function;
  nodes[index] = (struct prof_node){.parent = parent,
                                    .first_child = PROF_NONE,
                                    .next_sibling = PROF_NONE,
                                    .function = thread || function == owned->unknown ? PROF_NONE : function,
                                    .place = placed ? from->function : PROF_NONE,
                                    .forker = forker,
                                    .cold = cold,
                                    .thread = thread ? from->function : nodes[parent].thread,
                                    .calls = from->calls,
                                    .total_ticks = from->total,
                                    .taken_ticks = from->hidden};
  if (nodes[parent].first_child == PROF_NONE)
    nodes[parent].first_child = index;
}

/* Depth-first: placed_at[i] becomes where node i of the core stands.  `at` walks down to the first child not yet
 * placed, and up when there is none. */
static bool place_nodes(const struct owned *owned, const struct prof_node_child *children, uint32_t count,
                        const struct prof_fold_core *core, uint32_t *placed_at) {
  struct prof_node *nodes = owned->nodes;
  struct step {
    uint32_t next, last_placed; /* into children; node placed last under this parent */
  } *steps = malloc(((size_t)count + 1) * sizeof *steps);
  uint32_t *origin = malloc(((size_t)count + 1) * sizeof *origin); /* of each placed node, in the core */
  if (steps && origin) {
    nodes[0] = (struct prof_node){.parent = PROF_NONE,
                                  .first_child = PROF_NONE,
                                  .next_sibling = PROF_NONE,
                                  .function = PROF_NONE,
                                  .place = PROF_NONE,
                                  .thread = PROF_NONE};
    origin[0] = placed_at[0] = 0;
    steps[0] = (struct step){prof_node_children_first(children, count, 0), PROF_NONE};
    uint32_t at = 0, placed = 1;
    while (at != PROF_NONE) {
      uint32_t next = steps[at].next;
      if (next == count || children[next].key >> 32 != origin[at]) {
        at = nodes[at].parent;
        continue;
      }
      uint32_t node = placed++;
      fill_node(nodes, node, at, &core->nodes[children[next].node], owned);
      if (steps[at].last_placed != PROF_NONE)
        nodes[steps[at].last_placed].next_sibling = node;
      steps[at] = (struct step){next + 1, node};
      origin[node] = children[next].node;
      placed_at[origin[node]] = node;
      steps[node] = (struct step){prof_node_children_first(children, count, origin[node]), PROF_NONE};
      at = node;
    }
  }
  bool done = steps && origin;
  free(steps);
  free(origin);
  return done;
}

static uint64_t larger(uint64_t a, uint64_t b) {
  return a > b ? a : b;
}

/* What a frame has that forked another thread's calls: none of theirs. */
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

/* Totals count a function's time once, where it is outermost: `inside` says how often it is on the path to a node. */
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
    if (figures->calls == 0 || !prof_figures_have_durations(figures))
      continue;
    uint64_t min = prof_histogram_min(figures->durations), max = figures->durations->max;
    struct prof_call_times call = prof_call_times_of(min, max, figures->sum_ticks, figures->calls);
    figures->min_ticks = call.min;
    figures->max_ticks = call.max;
  }
}

/* What the trace says of the threads that were folded: sums over the whole recording, not used with a range. */
static void cover_threads(struct prof_coverage *coverage, const prof_trace *trace, const struct prof_filter *filter,
                          const struct prof_event_cost *event_costs) {
  size_t thread_count, process_count;
  const struct prof_thread_info *threads = prof_trace_threads(trace, &thread_count);
  const struct prof_process *processes = prof_trace_processes(trace, &process_count);
  struct prof_coverage recorded = {0};
  double cost = 0, taken = 0, events = 0, reading_cost = 0, reading_taken = 0, readings = 0;
  for (size_t i = 0; i < thread_count; i++) {
    if (filter && !filter->threads[i])
      continue;
    recorded.lost += threads[i].lost;
    recorded.unmatched += threads[i].unmatched;
    recorded.skipped += threads[i].skipped;
    recorded.inversions += threads[i].inversions;
    recorded.stalled_ticks += threads[i].stalled_ticks;
    coverage->torn += threads[i].torn;
    if (threads[i].process < process_count) {
      double timed = (double)(threads[i].events - threads[i].untimed);
      cost += processes[threads[i].process].event_cost_ticks * timed;
      bool sampled = event_costs && event_costs[i].ticks > 0;
      taken += (sampled ? event_costs[i].ticks : processes[threads[i].process].event_cost_among_ticks) * timed;
      events += timed;
    }
    if (threads[i].line_readings) {
      struct prof_line_reading_cost each = prof_line_reading_cost_of(trace, threads[i].process);
      reading_cost += each.most_ticks * (double)threads[i].line_readings;
      reading_taken += each.taken_ticks * (double)threads[i].line_readings;
      readings += (double)threads[i].line_readings;
    }
  }
  coverage->event_cost_ticks = events > 0 ? cost / events : 0;
  coverage->event_taken_ticks = events > 0 ? taken / events : 0;
  coverage->reading_cost_ticks = readings > 0 ? reading_cost / readings : 0;
  coverage->reading_taken_ticks = readings > 0 ? reading_taken / readings : 0;
  if (filter && (filter->begin_ticks || filter->end_ticks != UINT64_MAX))
    return;
  coverage->lost = larger(coverage->lost, recorded.lost);
  coverage->unmatched = larger(coverage->unmatched, recorded.unmatched);
  coverage->skipped = larger(coverage->skipped, recorded.skipped);
  coverage->inversions = larger(coverage->inversions, recorded.inversions);
  coverage->stalled_ticks = larger(coverage->stalled_ticks, recorded.stalled_ticks);
}

static void cover(struct prof_coverage *coverage, const prof_trace *trace, const struct prof_filter *filter,
                  const struct prof_fold_plan *plan, const uint8_t *damaged, const struct prof_fold_worker *worker,
                  const struct prof_event_cost *event_costs) {
  size_t chunk_count;
  const struct prof_chunk_ref *refs = prof_trace_chunks(trace, &chunk_count);
  const struct prof_fold_sums *sums = &worker->sums;
  coverage->events = sums->events;
  coverage->lost = sums->lost;
  coverage->unmatched = sums->unmatched;
  coverage->skipped = sums->skipped;
  coverage->inversions = sums->inversions;
  coverage->stalled_ticks = sums->stalled_ticks;
  coverage->frames_cut = sums->frames_cut;
  coverage->hidden = sums->hidden;
  coverage->too_deep = worker->core.too_deep;
  const struct prof_sampler *sampler = prof_trace_sampler(trace);
  coverage->has_switches = worker->marks && sampler && sampler->switches;
  coverage->chunks = plan->count;
  for (size_t i = 0; i < chunk_count; i++)
    coverage->chunks_damaged += damaged[i];
  uint64_t first = UINT64_MAX, last = 0;
  for (size_t i = 0; i < plan->count; i++) {
    const struct prof_chunk_ref *ref = &refs[plan->pieces[i].chunk];
    first = ref->first_time < first ? ref->first_time : first;
    last = larger(last, ref->last_time);
  }
  if (filter) {
    first = larger(first, filter->begin_ticks);
    last = last < filter->end_ticks ? last : filter->end_ticks;
  }
  coverage->span_ticks = last > first ? last - first : 0;
  cover_threads(coverage, trace, filter, event_costs);
}

/* Marks in calls that didn't count (too short to be shown) lie in the nearest one that did. */
static uint32_t place_of(const struct prof_fold_worker *worker, const uint32_t *placed_at, uint32_t node) {
  while (placed_at[node] == PROF_NONE)
    node = worker->core.nodes[node].parent;
  return placed_at[node] ? placed_at[node] : PROF_NONE;
}

static size_t mark_count(const struct prof_fold_worker *worker) {
  size_t thread_count;
  prof_trace_threads(worker->trace, &thread_count);
  return worker->marks ? worker->marks->first[thread_count] : 0;
}

static void place_marks(const struct prof_fold_worker *worker, const uint32_t *placed_at) {
  for (size_t i = 0; i < mark_count(worker); i++) {
    struct prof_fold_mark *mark = &worker->marks->items[i];
    bool seen = mark->state != PROF_MARK_UNSEEN;
    mark->node = place_of(worker, placed_at, seen ? mark->node : 0);
    mark->charged = place_of(worker, placed_at, seen ? mark->charged : 0);
  }
  for (size_t i = 0; i < worker->options.count; i++)
    worker->options.items[i].node = place_of(worker, placed_at, worker->options.items[i].node);
}

/* Frames that were open at a fork; before anything changes the nodes' totals. */
static void place_opens(struct owned *owned, const struct prof_fold_core *core, const uint32_t *placed_at) {
  for (size_t i = 0; i < core->opens.count; i++) {
    const struct prof_fold_open *open = &core->opens.items[i];
    struct prof_node *node = &owned->nodes[placed_at[open->node] == PROF_NONE ? 0 : placed_at[open->node]];
    double share = node->total_ticks ? (double)open->ticks / (double)node->total_ticks : 0;
    node->open_share = node->calls ? (float)((double)node->open_share + share) : 1;
  }
}

/* Pauses in light slices go to the calls that had them, before anything is summed up.  false: no memory. */
static bool place_waits(struct owned *owned, uint32_t count, const struct prof_fold_worker *worker) {
  const struct prof_wait_places places = {.trace = owned->profile.trace,
                                          .marks = worker->marks,
                                          .options = worker->options.items,
                                          .nodes = owned->nodes,
                                          .count = count,
                                          .unknown = owned->unknown};
  return worker->marks == NULL || prof_wait_places_settle(&places);
}

/* Sums over all threads. */
static void cover_nodes(struct prof_profile *profile) {
  struct prof_coverage *coverage = &profile->coverage;
  const struct prof_node *nodes = profile->nodes;
  coverage->folded_calls = coverage->folded_ticks = 0;
  for (uint32_t i = 1; i < profile->node_count && coverage->folded_paths; i++)
    if (nodes[i].cold) {
      coverage->folded_calls += nodes[i].calls;
      coverage->folded_ticks += nodes[i].total_ticks;
    }
  coverage->thread_ticks = coverage->error_ticks = coverage->taken_ticks = 0;
  coverage->off = nodes[0].off;
  for (uint32_t i = nodes[0].first_child; i != PROF_NONE; i = nodes[i].next_sibling) {
    coverage->thread_ticks += nodes[i].total_ticks;
    coverage->error_ticks += nodes[i].error_ticks;
    coverage->taken_ticks += nodes[i].taken_ticks;
  }
}

/* Which nodes had the readings of the clock for lines: only everything tells, whatever the filter shows. */
static prof_status give_readings(struct owned *owned, uint32_t count, const struct prof_filter *filter,
                                 uint64_t max_bytes) {
  const prof_trace *trace = owned->profile.trace;
  struct prof_line_readings readings;
  struct prof_profile *whole = NULL;
  prof_status status = PROF_OK;
  if (!prof_line_readings_are(trace))
    return PROF_OK;
  if (filter)
    status = prof_profile_fold_as(trace, NULL, &(struct prof_fold_options){.raw = true, .max_bytes = max_bytes}, NULL,
                                  &whole);
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

/* The probes' cost, out of the times or not; hidden calls stand in taken_ticks until then.  false: no memory. */
static bool correct(struct owned *owned, uint32_t count, const struct prof_fold_options *options) {
  struct prof_coverage *coverage = &owned->profile.coverage;
  struct prof_correction_sums sums;
  uint64_t *hidden = malloc(count * sizeof *hidden);
  if (!hidden)
    return false;
  for (uint32_t i = 0; i < count; i++) {
    hidden[i] = owned->nodes[i].taken_ticks;
    owned->nodes[i].taken_ticks = 0;
  }
  prof_correct_nodes(owned->profile.trace, owned->nodes, count, hidden, options, &sums);
  free(hidden);
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
  cover_nodes(profile);
  free(inside);
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
  bool done = children && inside && placed_at && owned->nodes && owned->functions &&
              place_nodes(owned, children, count, core, placed_at);
  free(children);
  if (done) {
    place_opens(owned, core, placed_at);
    place_marks(worker, placed_at);
    prof_fold_free_nodes(core);
    done = place_waits(owned, count + 1, worker);
  }
  if (done) {
    done = prof_sum_up(owned->nodes, count + 1, worker->marks, mark_count(worker), owned->profile.coverage.has_switches,
                       &owned->profile.coverage.spun_ticks);
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
    cover_nodes(&owned->profile);
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

prof_status prof_profile_build(const prof_trace *trace, const struct prof_filter *filter,
                               const struct prof_fold_plan *plan, const uint8_t *damaged,
                               struct prof_fold_worker *worker, const struct prof_fold_options *options,
                               struct prof_diag *diag, struct prof_profile **out) {
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
  cover(&owned->profile.coverage, trace, filter, plan, damaged, worker, options->event_costs);
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

void prof_profile_free(struct prof_profile *profile) {
  struct owned *owned = (struct owned *)profile; /* its first member */
  if (!owned)
    return;
  free(owned->nodes);
  free(owned->functions);
  free(owned->histogram_memory);
  prof_self_times_fini(&owned->selves);
  free(owned->places);
  prof_cold_paths_fini(&owned->cold);
  free(owned->loop_values);
  prof_histogram_pool_free(&owned->pool);
  free(owned);
}
