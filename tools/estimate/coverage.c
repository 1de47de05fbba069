/*
 * tools/estimate/coverage.c - see coverage.h.
 */
#include "estimate/coverage.h"

#include "estimate/line_readings.h"
#include "estimate/measured_pauses.h"
#include "estimate/switch_spans.h"

static uint64_t larger(uint64_t a, uint64_t b) {
  return a > b ? a : b;
}

/* What the trace knows of the threads that were folded: sums over the whole recording, not used with a range. */
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
      double timed = (double)(threads[i].events - threads[i].untimed + threads[i].left_out);
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

/* Of a summary, where it was only so for a time. */
static bool has_sparse_pauses(const struct prof_fold_worker *worker) {
  size_t thread_count, count;
  prof_trace_threads(worker->trace, &thread_count);
  count = worker->marks ? worker->marks->first[thread_count] : 0;
  for (size_t i = 0; i < count; i++)
    if (worker->marks->items[i].off_ticks > 0 && worker->marks->items[i].times > 1)
      return true;
  return false;
}

void prof_coverage_take_folded(struct prof_coverage *coverage, const prof_trace *trace,
                               const struct prof_filter *filter, const struct prof_folded *folded,
                               const struct prof_event_cost *event_costs) {
  const struct prof_fold_plan *plan = &folded->plan;
  const struct prof_fold_worker *worker = &folded->worker;
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
  coverage->has_switches = worker->marks && prof_pauses_are_known(trace);
  coverage->sparse_switches = coverage->has_switches && (prof_switches_are_sparse(trace) || has_sparse_pauses(worker));
  coverage->chunks = plan->count;
  for (size_t i = 0; i < chunk_count; i++)
    coverage->chunks_damaged += folded->damaged[i];
  uint64_t first = folded->last_time ? folded->first_time : UINT64_MAX, last = folded->last_time;
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

void prof_coverage_take_nodes(struct prof_profile *profile) {
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
