/*
 * tools/record/sampling/sampling_ends.c - what sampling knows of threads that ended: names, ends, CPU times.  See
 * sampling.h.
 */
#include "record/sampling/sampling.h"

const char *prof_sampling_name(const struct prof_sampling *sampling, uint32_t thread) {
  for (size_t i = sampling->names.count; i > 0; i--)
    if (sampling->names.items[i - 1].thread == thread)
      return sampling->names.items[i - 1].name;
  return NULL;
}

static double ns_of(const struct prof_sampling *sampling, uint64_t ticks) {
  const struct prof_clock_pair *a = &sampling->pairs[0], *b = &sampling->pairs[1];
  uint64_t span = b->ticks - a->ticks;
  return span > 0 ? (double)ticks * (double)(b->monotonic_ns - a->monotonic_ns) / (double)span : 0;
}

static struct prof_sampling_end end_from(const struct prof_sampling *sampling, const struct prof_sampling_ended *of,
                                         uint64_t start_ticks) {
  struct prof_sampling_end end = {.ticks = of->end};
  /* Before it began to record it ran without a pause, as a rule. */
  double before_ns = start_ticks > of->begin ? ns_of(sampling, start_ticks - of->begin) : 0;
  if (of->knows_runs && !sampling->lacks_switches && sampling->perf.layout.lost == 0 && (double)of->ran_ns > before_ns)
    end.cpu_ns = of->ran_ns - (uint64_t)before_ns;
  return end;
}

struct prof_sampling_end prof_sampling_end_of(const struct prof_sampling *sampling, uint32_t thread,
                                              uint64_t start_ticks) {
  uint64_t now_ns = sampling->pairs[1].monotonic_ns;
  for (size_t i = 0; i < sampling->strands.count; i++) {
    const struct prof_sampling_strand *strand = &sampling->strands.items[i];
    uint64_t more_ns = strand->on_ns != 0 && now_ns > strand->on_ns ? now_ns - strand->on_ns : 0;
    struct prof_sampling_ended of = {thread, strand->begin, strand->end, strand->ran_ns + more_ns, strand->knows_runs};
    if (strand->used && strand->thread == thread)
      return end_from(sampling, &of, start_ticks);
  }
  for (size_t i = sampling->ended.count; i > 0; i--)
    if (sampling->ended.items[i - 1].thread == thread)
      return end_from(sampling, &sampling->ended.items[i - 1], start_ticks);
  return (struct prof_sampling_end){0, 0};
}

bool prof_sampling_knows_ends(const struct prof_sampling *sampling) {
  return sampling->figures.method == PROF_SAMPLER_PERF;
}
