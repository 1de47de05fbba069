/*
 * tools/estimate/burst/bursts.c - see bursts.h.
 */
#include "estimate/burst/bursts.h"

#include <math.h>
#include <stdlib.h>

#include "base/diag.h"
#include "base/whole.h"
#include "estimate/burst/calls.h"
#include "estimate/burst/cost.h"
#include "estimate/burst/gather.h"
#include "estimate/burst/in_summary.h"
#include "estimate/burst/places.h"
#include "estimate/burst/shape.h"
#include "estimate/burst/split.h"
#include "estimate/burst/spread.h"
#include "estimate/profile_build.h"
#include "names/loop_frames.h"
#include "row.h"

struct function {        /* sums over all nodes and threads */
  uint8_t what;          /* PROF_ESTIMATED_ */
  double shown, all;     /* estimated calls: of nodes, and of the function in the threads shown */
  double below2, above2; /* squares of the distances to the bounds of these */
  struct ticks {
    double all, unknown; /* that the threads ran while it was in state BURST; of those in which no window tells */
  } ticks;
};

#define UNKNOWN_LEAST 0.9 /* of its time in state BURST: else the threads in which windows tell stand for all */

static void add_ticks(struct ticks *to, const struct prof_burst_total *total) {
  to->all += total->ticks;
  to->unknown += total->known ? 0 : total->ticks;
}

static bool is_unknown(const struct ticks *ticks) {
  return ticks->unknown > UNKNOWN_LEAST * ticks->all;
}

/* Cost of the events in each thread's windows.  NULL: no memory. */
static double *cost_windows(const struct prof_bursts_task *task, const struct prof_burst_sums *sums) {
  double *ticks = calloc(sums->thread_count + 1, sizeof *ticks);
  for (uint32_t i = 0; ticks && !task->raw && i < sums->thread_count; i++)
    ticks[i] = (double)sums->threads[i].window_events * prof_burst_event_cost(task->trace, i).ticks;
  return ticks;
}

static void sum_functions(const struct prof_burst_tree *tree, const struct prof_burst_calls *calls,
                          struct function *functions) {
  size_t count = tree->profile->function_count;
  for (uint32_t i = 1; i < tree->nodes.count; i++) {
    const struct prof_burst_node *node = &tree->nodes.items[i];
    uint32_t function = node->function == PROF_NONE ? (uint32_t)count - 1 : node->function;
    if (node->parent == 0)
      continue;
    if (function >= count) { /* a loop's time is its function's */
      uint32_t owner = prof_burst_tree_caller(tree, i);
      functions[owner < count ? owner : count - 1].what |= node->estimated & PROF_ESTIMATED_SELF;
      continue;
    }
    functions[function].what |= node->estimated;
    functions[function].shown += node->calls;
  }
  for (size_t i = 0; i < calls->totals.count; i++) {
    const struct prof_burst_total *total = &calls->totals.items[i];
    if (total->frame >= count)
      continue;
    struct function *function = &functions[total->frame];
    double below = total->of.calls - total->of.low, above = total->of.high - total->of.calls;
    function->all += total->of.calls;
    function->below2 += below * below;
    function->above2 += isfinite(above) ? above * above : 0;
    add_ticks(&function->ticks, total);
  }
  for (size_t i = 0; i < count; i++) {
    struct function *function = &functions[i];
    if (function->ticks.all > 0)
      function->what |= is_unknown(&function->ticks) ? PROF_ESTIMATED_UNKNOWN : PROF_ESTIMATED_CALLS;
  }
}

static uint64_t rounded(double value) {
  return prof_whole(value + 0.5);
}

/* A function that a filter hides in part has that part of the uncertainty. */
static struct prof_estimated estimate(const struct function *function, const struct prof_burst_bounds *self,
                                      const struct prof_function_figures *figures) {
  double part = function->all > 0 ? fmin(function->shown / function->all, 1) : 1;
  double calls = (double)figures->calls;
  bool of_calls = function->what & PROF_ESTIMATED_CALLS;
  double exact = fmax(calls - function->shown, 0);
  return (struct prof_estimated){
      .what = function->what,
      .calls_low = of_calls ? rounded(fmax(calls - part * sqrt(function->below2), exact)) : figures->calls,
      .calls_high = of_calls ? rounded(calls + part * sqrt(function->above2)) : figures->calls,
      .self_below_ticks = rounded(sqrt(self->below2)),
      .self_above_ticks = rounded(sqrt(self->above2))};
}

static bool estimate_functions(struct prof_profile *profile, const struct function *functions,
                               const struct prof_burst_bounds *selves) {
  struct prof_estimated *out = calloc(profile->function_count, sizeof *out);
  struct prof_coverage *coverage = &profile->coverage;
  coverage->functions_shown = coverage->burst_functions = coverage->unknown_functions = 0;
  coverage->zones_shown = coverage->burst_zones = coverage->unknown_zones = 0;
  size_t known;
  const struct prof_function *of = prof_trace_functions(profile->trace, &known);
  for (size_t i = 0; out && i < profile->function_count; i++) {
    const struct prof_function_figures *figures = &profile->functions[i];
    bool zone = i < known && (of[i].flags & PROF_FUNCTION_ZONE);
    out[i] = estimate(&functions[i], &selves[i], figures);
    if (!prof_figures_are_shown(figures))
      continue;
    bool bursts = out[i].what & (PROF_ESTIMATED_CALLS | PROF_ESTIMATED_UNKNOWN);
    bool unknown = out[i].what & PROF_ESTIMATED_UNKNOWN;
    *(zone ? &coverage->zones_shown : &coverage->functions_shown) += 1;
    *(zone ? &coverage->burst_zones : &coverage->burst_functions) += bursts;
    *(zone ? &coverage->unknown_zones : &coverage->unknown_functions) += unknown;
  }
  if (out)
    prof_profile_take_estimates(profile, out);
  return out != NULL;
}

/* That has the node: a loop belongs to its function. */
static uint32_t owner_of(const struct prof_profile *profile, uint32_t node) {
  uint32_t count = (uint32_t)profile->function_count;
  while (profile->nodes[node].function != PROF_NONE && profile->nodes[node].function >= count)
    node = profile->nodes[node].parent;
  return profile->nodes[node].function == PROF_NONE ? count - 1 : profile->nodes[node].function;
}

bool prof_bursts_sum_functions(struct prof_profile *profile) {
  uint32_t count = (uint32_t)profile->function_count;
  struct function *functions = calloc(count, sizeof *functions);
  struct prof_burst_bounds *selves = calloc(count, sizeof *selves);
  for (uint32_t i = 1; functions && selves && i < profile->node_count; i++) {
    const struct prof_node *node = &profile->nodes[i];
    const struct prof_estimated *from = &profile->estimated_nodes[i];
    if (node->parent == 0)
      continue;
    uint32_t at = owner_of(profile, i);
    double self_below = (double)from->self_below_ticks, self_above = (double)from->self_above_ticks;
    selves[at].below2 += self_below * self_below;
    selves[at].above2 += self_above * self_above;
    functions[at].what |= from->what & PROF_ESTIMATED_SELF;
    if (node->function != PROF_NONE && node->function >= count)
      continue;
    double below = (double)node->calls - (double)from->calls_low,
           above = (double)from->calls_high - (double)node->calls;
    functions[at].what |= from->what;
    functions[at].shown += (double)node->calls;
    functions[at].below2 += below * below;
    functions[at].above2 += above * above;
  }
  bool done = functions && selves && estimate_functions(profile, functions, selves);
  free(functions);
  free(selves);
  return done;
}

static uint32_t count_unseen(const struct prof_profile *profile, const struct function *functions) {
  uint32_t count = 0;
  size_t known;
  const struct prof_function *of = prof_trace_functions(profile->trace, &known);
  for (size_t i = 0; i < profile->function_count; i++)
    count += !(i < known && (of[i].flags & PROF_FUNCTION_ZONE)) && (functions[i].what & PROF_ESTIMATED_UNKNOWN) &&
             !prof_figures_are_shown(&profile->functions[i]);
  return count;
}

/* Loops in bursts have no nodes: their time is their function's. */
static bool estimate_loops(struct prof_profile *profile, const struct prof_burst_calls *calls) {
  size_t count;
  prof_trace_loops(profile->trace, &count);
  struct prof_estimated_loop *loops = profile->loops ? calloc(count + 1, sizeof *loops) : NULL;
  struct ticks *ticks = calloc(count + 1, sizeof *ticks);
  for (size_t i = 0; loops && ticks && i < calls->totals.count; i++) {
    const struct prof_burst_total *total = &calls->totals.items[i];
    uint32_t loop = prof_frame_loop(profile->trace, total->frame);
    if (loop == PROF_NONE)
      continue;
    double below = total->of.calls - total->of.low, above = total->of.high - total->of.calls;
    loops[loop].in_bursts = true;
    loops[loop].entries += rounded(total->of.calls);
    loops[loop].iterations += rounded(total->of.iterations);
    loops[loop].entries_below2 += below * below;
    loops[loop].entries_above2 += isfinite(above) ? above * above : 0;
    add_ticks(&ticks[loop], total);
    loops[loop].unknown = is_unknown(&ticks[loop]);
  }
  if (loops)
    prof_profile_take_loops(profile, loops);
  bool done = ticks && (loops || !profile->loops);
  free(ticks);
  return done;
}

/* Adds nodes, and then what follows from them. */
static bool add(struct prof_profile *profile, const struct prof_bursts_task *task, struct prof_burst_paths *paths,
                struct prof_burst_sums *sums, struct prof_burst_calls *calls) {
  struct prof_burst_tree tree;
  struct prof_zone_hosts zones = {0};
  struct prof_burst_bounds *selves = calloc(profile->function_count, sizeof *selves);
  struct function *functions = calloc(profile->function_count, sizeof *functions);
  double *windows_ticks = cost_windows(task, sums);
  struct prof_burst_spreading spreading = {.tree = &tree,
                                           .paths = paths,
                                           .filter = task->filter,
                                           .samples = prof_samples_items_of(task->samples),
                                           .sample_count = task->samples->count,
                                           .ticks_each = task->samples->ticks_each,
                                           .windows_ticks = windows_ticks};
  bool known = prof_zone_hosts_init(&zones, task->trace, paths->code);
  bool done = prof_burst_tree_init(&tree, profile, &zones) && known && selves && functions && windows_ticks &&
              prof_burst_shape(&tree, paths, task->samples->items, task->samples->count) &&
              prof_burst_spread(&spreading, selves) && prof_burst_tree_sum_up(&tree) &&
              prof_burst_split(&tree, calls) && prof_burst_tree_sum_up(&tree);
  if (done) {
    sum_functions(&tree, calls, functions);
    done = prof_burst_tree_settle(&tree, task->samples) && prof_profile_figures_anew(profile) &&
           estimate_functions(profile, functions, selves) && estimate_loops(profile, calls) &&
           prof_burst_places(profile, &sums->places);
    if (!task->filter || !task->filter->active)
      profile->coverage.unseen_functions = count_unseen(profile, functions);
  }
  prof_burst_tree_fini(&tree);
  prof_zone_hosts_fini(&zones);
  free(selves);
  free(functions);
  free(windows_ticks);
  return done;
}

static prof_status find_sums(const struct prof_bursts_task *task, struct prof_burst_paths *paths,
                             struct prof_burst_sums *sums, struct prof_burst_chains *chains, struct prof_diag *diag) {
  const struct prof_burst_gathering gathering = {.paths = paths,
                                                 .filter = task->filter,
                                                 .pauses = task->samples->pauses,
                                                 .pause_count = task->samples->pause_count};
  if (!prof_trace_summary(task->trace, NULL))
    return prof_burst_sums_gather(sums, &gathering, diag) ? PROF_OK : prof_diag_memory(diag);
  prof_status status = prof_bursts_load(paths, sums, chains, diag);
  paths->chains = chains;
  return status;
}

prof_status prof_bursts_add(struct prof_profile *profile, const struct prof_bursts_task *task, struct prof_diag *diag) {
  struct prof_burst_states states;
  struct prof_burst_sums sums = {0};
  struct prof_burst_chains chains = {0};
  struct prof_burst_calls calls = {0};
  struct prof_code_zones zones = {0};
  prof_status status = prof_burst_states_init(&states, task->trace) ? PROF_OK : prof_diag_memory(diag);
  if (status == PROF_OK && states.frame_count > 0) {
    struct prof_burst_paths paths = {.trace = task->trace,
                                     .states = &states,
                                     .code = prof_code_functions_new(task->trace),
                                     .zones = &zones,
                                     .modules = task->modules};
    bool known = prof_code_zones_init(&zones, task->trace, paths.code) && paths.code;
    status = known ? find_sums(task, &paths, &sums, &chains, diag) : prof_diag_memory(diag);
    bool done = status != PROF_OK || (prof_burst_calls_find(&calls, &sums, &states, task->trace, task->filter) &&
                                      add(profile, task, &paths, &sums, &calls));
    if (!done)
      status = prof_diag_memory(diag);
    profile->coverage.windows = 0;
    for (int kind = 0; kind < PROF_BURST_KINDS; kind++)
      profile->coverage.windows += sums.windows[kind].count;
    profile->coverage.windows_damaged = sums.chunks_damaged;
    prof_burst_calls_fini(&calls);
    prof_burst_sums_fini(&sums);
    prof_burst_chains_fini(&chains);
    prof_code_functions_free((struct prof_code_functions *)paths.code);
    prof_burst_paths_fini(&paths);
    prof_code_zones_fini(&zones);
  }
  prof_burst_states_fini(&states);
  return status;
}
