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

/* What samples of a thread stand for: one of the faster sampler in a slice, and an ordinary one outside of slices. */
struct weights {
  double extra, ordinary; /* ticks; 0: they don't count */
};

static struct weights weights_of(const prof_trace *trace, uint32_t thread, double ticks_each,
                                 const struct prof_sliced *sliced) {
  const struct prof_sampler *sampler = prof_trace_sampler(trace);
  struct prof_correction correction = prof_correction_of(trace, thread);
  struct prof_light_slices slices = prof_light_slices_of(trace, thread);
  double all = (double)correction.events, light = 0, extra_ticks = 0;
  if (sampler)
    extra_ticks = (double)sampler->extra_period_ns * (double)prof_trace_info(trace)->frequency_hz / 1e9;
  for (size_t i = 0; i < slices.count; i++)
    light += (double)slices.items[i].events;
  if (sliced->outside < PROF_CORRECT_SAMPLES_LEAST || light <= 0 || light >= all || extra_ticks <= 0 ||
      !prof_correct_wants_samples(correction.state))
    return (struct weights){0, ticks_each};
  return (struct weights){extra_ticks * all / light, ticks_each * all / (all - light)};
}

/* In a sliced thread: each kind where it tells the truth. */
static bool counts(const struct prof_sample *sample, const struct prof_light_slices *slices) {
  bool extra = sample->flags & PROF_SAMPLED_EXTRA;
  if (extra || sample->where == PROF_WHERE_PROFILER)
    return extra && sample->where == PROF_WHERE_PROBED;
  return sample->where != PROF_WHERE_PROBED && !prof_light_slices_hold(slices, sample->time);
}

void prof_slice_samples_choose(const prof_trace *trace, double ticks_each, struct prof_sample *samples,
                               size_t sample_count, struct prof_sliced *sliced) {
  for (size_t begin = 0, end; begin < sample_count; begin = end) {
    uint32_t thread = samples[begin].thread;
    struct weights weights = {0, ticks_each};
    struct prof_light_slices slices = {0};
    for (end = begin + 1; end < sample_count && samples[end].thread == thread;)
      end++;
    if (thread != PROF_NONE) {
      count(samples + begin, end - begin, &sliced[thread]);
      weights = weights_of(trace, thread, ticks_each, &sliced[thread]);
      sliced[thread].weight_ticks = weights.extra;
      slices = prof_light_slices_of(trace, thread);
    }
    for (size_t i = begin; i < end; i++) {
      bool extra = samples[i].flags & PROF_SAMPLED_EXTRA;
      samples[i].weight_ticks = extra ? weights.extra : weights.ordinary;
      if (weights.extra > 0 ? !counts(&samples[i], &slices) : extra)
        samples[i].flags |= PROF_SAMPLED_ASIDE;
    }
  }
}
