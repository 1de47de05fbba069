/*
 * tools/model/slice_samples.c - see slice_samples.h.
 */
#include "model/slice_samples.h"

#include "model/correct_sampled.h"
#include "model/light_slices.h"

#define LEAST_SCALE 0.5

/* How many samples of a thread there are of a kind. */
struct counts {
  uint64_t ordinary_in, ordinary_out; /* in slices and outside of them; in the profiler too */
};

static struct counts count(const struct prof_sample *samples, size_t count, const struct prof_light_slices *slices,
                           struct prof_sliced *out) {
  struct counts counts = {0};
  for (size_t i = 0; i < count; i++) {
    if (samples[i].flags & PROF_SAMPLED_STALLED)
      continue;
    if (samples[i].flags & PROF_SAMPLED_EXTRA) {
      out->outside += samples[i].where != PROF_WHERE_PROFILER;
    } else if (prof_light_slices_hold(slices, samples[i].time)) {
      counts.ordinary_in++;
    } else {
      counts.ordinary_out++;
    }
  }
  return counts;
}

/* What samples of a thread stand for: one of the faster sampler in a slice, and an ordinary one outside of slices. */
struct weights {
  double extra, ordinary; /* ticks; 0: they don't count */
  double all, light;      /* events of the thread, and in its slices */
};

static struct weights weights_of(const prof_trace *trace, const struct prof_correction *correction, double ticks_each,
                                 const struct prof_light_slices *slices, const struct prof_sliced *sliced) {
  const struct prof_sampler *sampler = prof_trace_sampler(trace);
  struct weights weights = {.ordinary = ticks_each, .all = (double)correction->events};
  double extra_ticks = 0;
  if (sampler)
    extra_ticks = (double)sampler->extra_period_ns * (double)prof_trace_info(trace)->frequency_hz / 1e9;
  for (size_t i = 0; i < slices->count; i++)
    weights.light += (double)slices->items[i].events;
  if (sliced->outside < PROF_CORRECT_SAMPLES_LEAST || weights.light <= 0 || weights.light >= weights.all ||
      extra_ticks <= 0 || !prof_correct_wants_samples(correction->state))
    return weights;
  weights.extra = extra_ticks * weights.all / weights.light;
  weights.ordinary = ticks_each * weights.all / (weights.all - weights.light);
  return weights;
}

/*
 * What samples say that the program took is too much: what is done for a probe and for a sample lies partly in the
 * instructions behind it, and probes take caches from the program.  What the thread ran outside of slices, less the
 * most that its events can have cost there, is the least.  As the least may be too little by what hides behind probes,
 * it counts down to half of what samples say.
 */
static double scale_of(const struct prof_correction *correction, const struct weights *weights,
                       const struct counts *counts, double ticks_each, double seen_ticks) {
  double samples = (double)(counts->ordinary_in + counts->ordinary_out), ran = (double)correction->cpu_ticks;
  if (samples <= 0 || ran <= 0 || seen_ticks <= 0)
    return 1;
  double heavy = weights->all - weights->light;
  double least = (ran * (double)counts->ordinary_out / samples - heavy * correction->most_ticks) / heavy * weights->all;
  double scale = least / ran / (seen_ticks / (samples * ticks_each));
  return scale > 1 ? 1 : scale < LEAST_SCALE ? LEAST_SCALE : scale;
}

/* In a sliced thread: each kind where it tells the truth. */
static bool counts(const struct prof_sample *sample, const struct prof_light_slices *slices) {
  bool extra = sample->flags & PROF_SAMPLED_EXTRA;
  if (extra || sample->where == PROF_WHERE_PROFILER)
    return extra && sample->where == PROF_WHERE_PROBED;
  return sample->where != PROF_WHERE_PROBED && !prof_light_slices_hold(slices, sample->time);
}

/*
 * What slices saw of libraries, by what the rest of the time did: of short functions like memcpy probes hide a part
 * there, which the kernel's are too long for.  1: too few were seen.
 */
static double library_factor(const struct prof_sample *samples, size_t count, const struct weights *weights,
                             const struct prof_light_slices *slices) {
  uint64_t light = 0, rest = 0;
  for (size_t i = 0; i < count; i++) {
    bool extra = samples[i].flags & PROF_SAMPLED_EXTRA;
    if (samples[i].where != PROF_WHERE_LIBRARY || samples[i].flags & PROF_SAMPLED_STALLED)
      continue;
    light += extra;
    rest += !extra && counts(&samples[i], slices);
  }
  if (light < PROF_CORRECT_SAMPLES_LEAST || rest < PROF_CORRECT_SAMPLES_LEAST)
    return 1;
  return (double)light * weights->extra / ((double)rest * weights->ordinary);
}

/* Weights and flags of one thread's samples; sliced: zeroed. */
static void choose(const prof_trace *trace, double ticks_each, struct prof_sample *samples, size_t sample_count,
                   struct prof_sliced *sliced) {
  uint32_t thread = samples[0].thread;
  struct prof_correction correction = prof_correction_of(trace, thread);
  struct prof_light_slices slices = prof_light_slices_of(trace, thread);
  struct counts found = count(samples, sample_count, &slices, sliced);
  struct weights weights = weights_of(trace, &correction, ticks_each, &slices, sliced);
  double seen_ticks = 0, library = weights.ordinary;
  if (weights.extra > 0)
    library *= library_factor(samples, sample_count, &weights, &slices);
  for (size_t i = 0; i < sample_count; i++) {
    bool extra = samples[i].flags & PROF_SAMPLED_EXTRA;
    samples[i].weight_ticks = extra                                    ? weights.extra
                              : samples[i].where == PROF_WHERE_LIBRARY ? library
                                                                       : weights.ordinary;
    if (weights.extra > 0 ? !counts(&samples[i], &slices) : extra)
      samples[i].flags |= PROF_SAMPLED_ASIDE;
    if (prof_sample_is_counted(&samples[i]))
      seen_ticks += samples[i].weight_ticks;
  }
  if (weights.extra <= 0)
    return;
  sliced->scale = scale_of(&correction, &weights, &found, ticks_each, seen_ticks);
  sliced->weight_ticks = weights.extra * sliced->scale;
  for (size_t i = 0; i < sample_count; i++)
    samples[i].weight_ticks *= sliced->scale;
}

void prof_slice_samples_choose(const prof_trace *trace, double ticks_each, struct prof_sample *samples,
                               size_t sample_count, struct prof_sliced *sliced) {
  for (size_t begin = 0, end; begin < sample_count; begin = end) {
    uint32_t thread = samples[begin].thread;
    for (end = begin + 1; end < sample_count && samples[end].thread == thread;)
      end++;
    if (thread != PROF_NONE) {
      choose(trace, ticks_each, samples + begin, end - begin, &sliced[thread]);
      continue;
    }
    for (size_t i = begin; i < end; i++)
      samples[i].weight_ticks = ticks_each;
  }
}
