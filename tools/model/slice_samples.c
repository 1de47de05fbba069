/*
 * tools/model/slice_samples.c - see slice_samples.h.
 */
#include "model/slice_samples.h"

#include "model/correct_sampled.h"
#include "model/light_slices.h"

static void count(const struct prof_sample *samples, size_t count, struct prof_sliced *out) {
  for (size_t i = 0; i < count; i++) {
    if (!(samples[i].flags & PROF_SAMPLED_EXTRA) || samples[i].flags & PROF_SAMPLED_STALLED)
      continue;
    bool in_profiler = samples[i].where == PROF_WHERE_PROFILER;
    out->in_profiler += in_profiler;
    out->outside += !in_profiler;
  }
}

/* What a sample in a slice stands for; 0: they don't count. */
static double weight_of(const prof_trace *trace, uint32_t thread, const struct prof_sliced *sliced) {
  const struct prof_sampler *sampler = prof_trace_sampler(trace);
  struct prof_correction correction = prof_correction_of(trace, thread);
  struct prof_light_slices slices = prof_light_slices_of(trace, thread);
  double events = 0, extra_ticks = 0;
  if (sampler)
    extra_ticks = (double)sampler->extra_period_ns * (double)prof_trace_info(trace)->frequency_hz / 1e9;
  for (size_t i = 0; i < slices.count; i++)
    events += (double)slices.items[i].events;
  bool enough = sliced->outside >= PROF_CORRECT_SAMPLES_LEAST && events > 0 && extra_ticks > 0;
  return enough && prof_correct_wants_samples(correction.state) ? extra_ticks * (double)correction.events / events : 0;
}

void prof_slice_samples_choose(const prof_trace *trace, double ticks_each, struct prof_sample *samples,
                               size_t sample_count, struct prof_sliced *sliced) {
  for (size_t begin = 0, end; begin < sample_count; begin = end) {
    uint32_t thread = samples[begin].thread;
    double weight = 0;
    for (end = begin + 1; end < sample_count && samples[end].thread == thread;)
      end++;
    if (thread != PROF_NONE) {
      count(samples + begin, end - begin, &sliced[thread]);
      weight = sliced[thread].weight_ticks = weight_of(trace, thread, &sliced[thread]);
    }
    for (size_t i = begin; i < end; i++) {
      bool extra = samples[i].flags & PROF_SAMPLED_EXTRA;
      samples[i].weight_ticks = extra ? weight : ticks_each;
      samples[i].flags |= extra == (weight > 0) ? 0 : PROF_SAMPLED_ASIDE;
    }
  }
}
