/*
 * tools/estimate/share_error.c - see share_error.h.
 */
#include "estimate/share_error.h"

#include <math.h>
#include <stdlib.h>

#include "estimate/correct.h"

/* Uncertainty of shares: such a part of the probes' part of the processor time, and the most. */
#define DISTURBED_BY_PROBES 0.6
#define DISTURBED_MOST 0.35
/* The same of threads that are known by sparse-clock intervals, whatever the probes' part. */
#define DISTURBED_LIGHT 0.50
/*
 * Probes that are off still move the program's code, and take a byte or five at each of them.  A function's share then
 * varies as if it came of so many samples.
 */
#define PLACED_SAMPLES 12000

static double part_of(uint64_t part, uint64_t rest) {
  return part ? (double)part / (double)(part + rest) : 0;
}

prof_status prof_share_error_find(const struct prof_profile *profile, const struct prof_samples *samples,
                                  const struct prof_weighted *all, struct prof_share_error *out) {
  const struct prof_node *nodes = profile->nodes;
  size_t thread_count;
  prof_trace_threads(profile->trace, &thread_count);
  *out = (struct prof_share_error){.sample_ticks = samples ? all->sum : 0};
  if (out->sample_ticks <= 0)
    return PROF_OK;
  out->unseen = calloc(thread_count + 1, sizeof *out->unseen);
  if (!out->unseen)
    return PROF_NO_MEMORY;
  size_t in_profiler = samples->where[PROF_WHERE_PROFILER];
  double disturbed = fmin(DISTURBED_BY_PROBES * part_of(in_profiler, samples->ordinary - in_profiler), DISTURBED_MOST);
  for (uint32_t i = nodes[0].first_child; i != PROF_NONE; i = nodes[i].next_sibling) {
    struct prof_correction correction = prof_correction_of(profile->trace, nodes[i].thread);
    struct prof_share_unseen *unseen = &out->unseen[nodes[i].thread];
    const struct prof_light_samples *light = samples->light ? &samples->light[nodes[i].thread] : NULL;
    if (light && light->weight_ticks > 0)
      unseen->disturbed = DISTURBED_LIGHT;
    else
      *unseen = (struct prof_share_unseen){prof_correction_hides(&correction),
                                           prof_correction_reading_hides(&correction), disturbed};
    out->disturbed = unseen->disturbed > out->disturbed ? unseen->disturbed : out->disturbed;
  }
  out->shadow = (double)profile->coverage.shadow_ticks / out->sample_ticks;
  return PROF_OK;
}

void prof_share_error_free(struct prof_share_error *error) {
  free(error->unseen);
}

struct prof_interval prof_share_error_interval(const struct prof_share_error *error, const struct prof_share_part *part,
                                               const struct prof_weighted *all) {
  struct prof_interval interval = prof_interval_bounded(&part->met, all, PLACED_SAMPLES);
  if (error->sample_ticks <= 0)
    return interval;
  double disturbed = part->met.sum > 0 ? part->disturbed_ticks / part->met.sum : error->disturbed;
  return prof_interval_widened(interval, error->shadow, part->unseen_ticks / error->sample_ticks, disturbed);
}
