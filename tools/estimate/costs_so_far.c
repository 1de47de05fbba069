/*
 * tools/estimate/costs_so_far.c - see costs_so_far.h.
 */
#include "estimate/costs_so_far.h"

#include <stdlib.h>

#include "estimate/correct.h"
#include "estimate/samples_load.h"

/* Samples as prof_samples_load counts them, but for those before what is shown.  false: no memory. */
static bool add_samples(const struct prof_samples_loading *loading, struct prof_summary *summary) {
  const struct prof_thread_info *threads = prof_trace_threads(loading->trace, NULL);
  bool done = true;
  for (size_t i = 0; i < loading->owned->items.count && done; i++) {
    const struct prof_sample *sample = &loading->owned->items.items[i];
    if (sample->thread == PROF_NONE || sample->flags & PROF_SAMPLED_EXTRA ||
        prof_sample_is_calibrating(loading, sample))
      continue;
    done = prof_summary_add_thread(
        summary, (struct prof_summary_thread){.number = threads[sample->thread].number,
                                              .in_probes = sample->where == PROF_WHERE_PROFILER ? 1 : 0,
                                              .placed = 1});
  }
  return done;
}

struct prof_event_cost *prof_event_costs_so_far(const struct prof_samples_loading *loading,
                                                struct prof_summary *summary) {
  size_t thread_count;
  const struct prof_thread_info *threads = prof_trace_threads(loading->trace, &thread_count);
  const uint64_t begin = loading->filter ? loading->filter->begin_ticks : 0;
  if (!prof_summary_add_events(summary, loading->trace, begin) || !add_samples(loading, summary))
    return NULL;
  struct prof_event_cost *costs = calloc(thread_count + 1, sizeof *costs);
  for (uint32_t i = 0; costs && i < thread_count; i++) {
    uint32_t at = prof_index_of(&summary->known_threads, threads[i].number);
    if (at == UINT32_MAX)
      continue;
    const struct prof_summary_thread *so_far = &summary->threads.items[at];
    struct prof_correction correction = prof_correction_of(loading->trace, i);
    correction.written = so_far->events + threads[i].left_out;
    costs[i] = prof_correction_sampled_cost(&correction, so_far->in_probes, so_far->placed);
  }
  return costs;
}
