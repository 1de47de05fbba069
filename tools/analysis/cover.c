/*
 * tools/analysis/cover.c - see cover.h.
 */
#include "analysis/cover.h"

#include <stdlib.h>
#include <string.h>

#include "base/whole.h"

#define ENOUGH_SAMPLES 100u   /* of all threads: the share hangs less on chance */
#define SHORT_SAMPLES 20u     /* of a thread */
#define LEAST_LINE_SHARE 0.85 /* of running time */

/* Counts threads that have a node, and their processes. */
static void count_threads(const struct prof_profile *profile, struct prof_cover *cover) {
  size_t process_count;
  const struct prof_thread_info *threads = prof_trace_threads(profile->trace, NULL);
  prof_trace_processes(profile->trace, &process_count);
  uint8_t *seen = calloc(process_count + 1, 1);
  for (uint32_t i = profile->nodes[0].first_child; i != PROF_NONE; i = profile->nodes[i].next_sibling) {
    uint32_t process = threads[profile->nodes[i].thread].process;
    cover->threads++;
    if (seen && process < process_count && !seen[process])
      cover->processes += seen[process] = 1;
  }
  free(seen);
}

/* Two per call, also of hidden calls, and two per entry of a loop.  Half of an outermost call's cost belongs to no
 * node. */
static uint64_t events_of(const struct prof_profile *profile) {
  uint64_t events = 0;
  for (uint32_t i = 1; i < profile->node_count; i++) {
    const struct prof_node *node = &profile->nodes[i];
    const struct prof_node *caller = node->parent != 0 ? &profile->nodes[node->parent] : NULL;
    bool outermost = caller && (caller->parent == 0 || caller->forker);
    events += node->own_events + (outermost ? node->calls : 0);
  }
  return events;
}

/* Sums of threads with corrected times, without those whose times come from samples. */
static void add_corrected(const struct prof_profile *profile, struct prof_cover *cover) {
  uint64_t taken = 0, error = 0;
  for (uint32_t i = profile->nodes[0].first_child; i != PROF_NONE; i = profile->nodes[i].next_sibling) {
    taken += profile->nodes[i].sampled ? 0 : profile->nodes[i].taken_ticks;
    error += profile->nodes[i].sampled ? 0 : profile->nodes[i].error_ticks;
  }
  cover->corrected_taken_ns = prof_trace_ns(profile->trace, taken);
  cover->corrected_error_ns = prof_trace_ns(profile->trace, error);
}

/* Self time of frames that were open at a fork, or when recording was switched on again. */
static uint64_t open_ticks(const struct prof_profile *profile, enum prof_time_kind shown) {
  double ticks = 0;
  for (uint32_t i = 1; i < profile->node_count; i++)
    if (profile->nodes[i].parent != 0 && profile->nodes[i].open_share > 0)
      ticks += (double)profile->nodes[i].open_share * (double)prof_node_self(&profile->nodes[i], shown);
  return prof_whole(ticks + 0.5);
}

static void cover_bursts(const struct prof_profile *profile, struct prof_cover *out) {
  out->sparse_switches = profile->coverage.sparse_switches;
  out->has_budget = profile->estimated_functions != NULL;
  out->functions_shown = profile->coverage.functions_shown;
  out->burst_functions = profile->coverage.burst_functions;
  out->unknown_functions = profile->coverage.unknown_functions;
  out->unseen_functions = profile->coverage.unseen_functions;
  out->zones_shown = profile->coverage.zones_shown;
  out->burst_zones = profile->coverage.burst_zones;
  out->unknown_zones = profile->coverage.unknown_zones;
  for (size_t i = 0; out->has_budget && i < profile->function_count && !out->any_estimated; i++)
    out->any_estimated = prof_figures_are_shown(&profile->functions[i]) && profile->estimated_functions[i].what;
  out->windows = profile->coverage.windows;
  out->windows_damaged = profile->coverage.windows_damaged;
}

void prof_cover_of(const struct prof_profile *profile, enum prof_time_kind shown, struct prof_cover *out) {
  const struct prof_coverage *coverage = &profile->coverage;
  const prof_trace *trace = profile->trace;
  const struct prof_trace_info *info = prof_trace_info(trace);
  struct prof_damage damage;
  prof_trace_damage(trace, &damage);
  double ns_per_tick = info->frequency_hz ? 1e9 / (double)info->frequency_hz : 0;
  double cost_ticks = 2 * coverage->event_cost_ticks; /* per call: entry and exit */
  *out = (struct prof_cover){.events = coverage->events,
                             .calls = coverage->calls,
                             .hidden = coverage->hidden,
                             .span_ns = prof_trace_ns(trace, coverage->span_ticks),
                             .thread_ns = prof_trace_ns(trace, coverage->thread_ticks),
                             .has_switches = coverage->has_switches,
                             .shown = shown,
                             .time = prof_time_split(trace, coverage->thread_ticks, &coverage->off),
                             .open_ns = prof_trace_ns(trace, open_ticks(profile, shown)),
                             .spun_ns = prof_trace_ns(trace, coverage->spun_ticks),
                             .corrected_threads = coverage->corrected_threads,
                             .sampled_threads = coverage->sampled_threads,
                             .light_threads = coverage->light_threads,
                             .shadow_ns = prof_trace_ns(trace, coverage->shadow_ticks),
                             .taken_ns = prof_trace_ns(trace, coverage->taken_ticks),
                             .error_ns = prof_trace_ns(trace, coverage->error_ticks),
                             .call_taken_ns = 2 * coverage->event_taken_ticks * ns_per_tick,
                             .call_cost_ns = cost_ticks * ns_per_tick,
                             .readings = coverage->readings < 1e18 ? (uint64_t)(coverage->readings + 0.5) : 0,
                             .reading_taken_ns = coverage->reading_taken_ticks * ns_per_tick,
                             .reading_cost_ns = coverage->reading_cost_ticks * ns_per_tick,
                             .step_ns = info->clock_step_ticks * ns_per_tick,
                             .stalled_ns = prof_trace_ns(trace, coverage->stalled_ticks),
                             .lost = coverage->lost,
                             .unmatched = coverage->unmatched,
                             .skipped = coverage->skipped,
                             .inversions = coverage->inversions,
                             .torn = coverage->torn,
                             .too_deep = coverage->too_deep,
                             .folded_paths = coverage->folded_paths,
                             .folded_calls = coverage->folded_calls,
                             .folded_ns = prof_trace_ns(trace, coverage->folded_ticks),
                             .frames_cut = coverage->frames_cut,
                             .few_threads = coverage->few_threads,
                             .loose_threads = coverage->loose_threads,
                             .unplaced_waits = coverage->unplaced_waits,
                             .unplaced_wait_ns = prof_trace_ns(trace, coverage->unplaced_ticks),
                             .chunks_damaged = coverage->chunks_damaged,
                             .bytes_skipped = damage.bytes_skipped,
                             .cut = damage.cut};
  out->measured_ns = out->thread_ns + out->taken_ns;
  out->low_ns = out->thread_ns - (out->error_ns < out->time.running ? out->error_ns : out->time.running);
  out->high_ns = out->thread_ns + (out->error_ns < out->taken_ns ? out->error_ns : out->taken_ns);
  uint64_t events = events_of(profile);
  out->has_loops = events > 2 * (coverage->calls + coverage->hidden);
  out->cost_ns = out->call_cost_ns / 2 * (double)events + out->reading_cost_ns * coverage->readings;
  if (out->thread_ns + out->taken_ns)
    out->cost_share = out->cost_ns / (double)(out->thread_ns + out->taken_ns);
  count_threads(profile, out);
  add_corrected(profile, out);
  cover_bursts(profile, out);
}

void prof_cover_add_samples(struct prof_cover *cover, const struct prof_profile *profile,
                            const struct prof_samples *samples, bool everything) {
  const struct prof_trace_info *info = prof_trace_info(profile->trace);
  const double *where = samples->times;
  double all = 0, kernel = 0;
  cover->samples = samples->ordinary - samples->where[PROF_WHERE_PROFILER];
  if (cover->samples == 0)
    return;
  for (int i = 0; i < PROF_WHERE_COUNT; i++)
    all += i == PROF_WHERE_PROFILER ? 0 : where[i];
  if (samples->sampler->kernel)
    kernel = where[PROF_WHERE_KERNEL] / all;
  else if (everything && info->user_ns + info->system_ns > 0) {
    kernel = (double)info->system_ns / (double)(info->user_ns + info->system_ns);
    cover->kernel_by_accounts = true;
  }
  double user = all - where[PROF_WHERE_KERNEL], part = user > 0 ? (1 - kernel) / user : 0;
  cover->kernel_share = kernel;
  cover->probed_share = where[PROF_WHERE_PROBED] * part;
  cover->library_share = where[PROF_WHERE_LIBRARY] * part;
  cover->unknown_share = where[PROF_WHERE_UNKNOWN] * part;
}

void prof_cover_add_lines(struct prof_cover *cover, const struct prof_samples *samples, uint64_t line_samples) {
  cover->line_samples = line_samples;
  if (samples && samples->sampler && samples->has_pauses && !cover->light_threads && cover->time.running)
    cover->line_share = (double)line_samples * (double)samples->sampler->period_ns / (double)cover->time.running;
}

bool prof_cover_lacks_samples(const struct prof_cover *cover) {
  bool short_threads = cover->line_samples < cover->threads * SHORT_SAMPLES;
  return short_threads && cover->line_samples >= ENOUGH_SAMPLES && cover->line_share > 0 &&
         cover->line_share < LEAST_LINE_SHARE;
}
