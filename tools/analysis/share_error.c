/*
 * tools/analysis/share_error.c - see share_error.h.
 */
#include "analysis/share_error.h"

#include <stdlib.h>

#include "model/correct.h"

/* So much of the probes' part of the processor time, and at most so much, may shares be off. */
#define DISTURBED_BY_PROBES 0.6
#define DISTURBED_MOST 0.35

prof_status prof_share_error_find(const struct prof_profile *profile, const struct prof_samples *samples,
                                  uint64_t sample_count, struct prof_share_error *out) {
  const struct prof_node *nodes = profile->nodes;
  size_t thread_count;
  prof_trace_threads(profile->trace, &thread_count);
  *out = (struct prof_share_error){.sample_ticks = samples ? (double)sample_count * samples->ticks_each : 0};
  if (out->sample_ticks <= 0)
    return PROF_OK;
  out->unseen = calloc(thread_count + 1, sizeof *out->unseen);
  if (!out->unseen)
    return PROF_NO_MEMORY;
  for (uint32_t i = nodes[0].first_child; i != PROF_NONE; i = nodes[i].next_sibling) {
    struct prof_correction correction = prof_correction_of(profile->trace, nodes[i].thread);
    out->unseen[nodes[i].thread] =
        (struct prof_share_unseen){prof_correction_hides(&correction), prof_correction_reading_hides(&correction)};
  }
  out->shadow = (double)profile->coverage.shadow_ticks / out->sample_ticks;
  double disturbed = DISTURBED_BY_PROBES * (double)samples->where[PROF_WHERE_PROFILER] / (double)samples->ordinary;
  out->disturbed = disturbed < DISTURBED_MOST ? disturbed : DISTURBED_MOST;
  return PROF_OK;
}

void prof_share_error_free(struct prof_share_error *error) {
  free(error->unseen);
}

struct prof_interval prof_share_error_interval(const struct prof_share_error *error, uint64_t count, uint64_t all,
                                               double unseen_ticks) {
  struct prof_interval interval = prof_interval_share(count, all);
  if (error->sample_ticks <= 0)
    return interval;
  return prof_interval_widened(interval, error->shadow, unseen_ticks / error->sample_ticks, error->disturbed);
}
