/*
 * tools/estimate/light_samples.c - see light_samples.h.
 */
#include "estimate/light_samples.h"

#include "estimate/correct_sampled.h"
#include "estimate/light_total.h"
#include "fold/light_slices.h"

/* Samples of a thread in slices, of the faster sampler and of the other, or outside of them; in the profiler too. */
enum part { PART_EXTRA, PART_LIGHT, PART_REST, PART_COUNT };

struct counts {
  uint64_t all[PART_COUNT], outside[PART_COUNT]; /* of them not in the profiler */
};

static enum part part_of(const struct prof_sample *sample, const struct prof_light_slices *slices) {
  return sample->flags & PROF_SAMPLED_EXTRA             ? PART_EXTRA
         : prof_light_slices_hold(slices, sample->time) ? PART_LIGHT
                                                        : PART_REST;
}

static struct counts count(const struct prof_sample *samples, size_t count, const struct prof_light_slices *slices) {
  struct counts counts = {0};
  for (size_t i = 0; i < count; i++) {
    if (samples[i].flags & PROF_SAMPLED_STALLED)
      continue;
    enum part part = part_of(&samples[i], slices);
    counts.all[part]++;
    counts.outside[part] += samples[i].where != PROF_WHERE_PROFILER;
  }
  return counts;
}

/* What samples of a thread stand for: one of the faster sampler in a slice, and an ordinary one outside of slices. */
struct weights {
  double extra, ordinary; /* ticks; 0: they don't count */
  double all, light;      /* events of the thread, and in its slices */
};

static struct weights weights_of(const prof_trace *trace, const struct prof_correction *correction, double ticks_each,
                                 const struct prof_light_slices *slices, const struct prof_light_samples *light) {
  const struct prof_sampler *sampler = prof_trace_sampler(trace);
  struct weights weights = {.ordinary = ticks_each, .all = (double)correction->written};
  double extra_ticks = 0;
  if (sampler)
    extra_ticks = (double)sampler->extra_period_ns * (double)prof_trace_info(trace)->frequency_hz / 1e9;
  for (size_t i = 0; i < slices->count; i++)
    weights.light += (double)slices->items[i].events;
  if (light->outside < PROF_CORRECT_SAMPLES_LEAST || weights.light <= 0 || weights.light >= weights.all ||
      extra_ticks <= 0 || !prof_correct_wants_samples(correction))
    return weights;
  weights.extra = extra_ticks * weights.all / weights.light;
  weights.ordinary = ticks_each * weights.all / (weights.all - weights.light);
  return weights;
}

static bool tells_cost(const struct prof_sample *sample, const struct prof_light_slices *slices, bool light) {
  return sample->where == PROF_WHERE_PROFILER && !(sample->flags & PROF_SAMPLED_STALLED) && sample->gap_ticks > 0 &&
         (part_of(sample, slices) != PART_REST) == light;
}

/*
 * What a sample takes from its thread, ticks: the median time between the two events around samples in trampolines,
 * where the program does next to nothing else; found bit by bit, from the highest.  0: too few samples.
 */
static uint32_t sampling_cost(const struct prof_sample *samples, size_t count, const struct prof_light_slices *slices,
                              bool light) {
  size_t found = 0;
  uint32_t median = 0;
  for (size_t i = 0; i < count; i++)
    found += tells_cost(&samples[i], slices, light);
  for (uint32_t bit = 1u << 31; found >= PROF_CORRECT_SAMPLES_LEAST && bit > 0; bit >>= 1) {
    size_t below = 0;
    for (size_t i = 0; i < count; i++)
      below += tells_cost(&samples[i], slices, light) && samples[i].gap_ticks < (median | bit);
    median |= below <= found / 2 ? bit : 0;
  }
  return median;
}

static double quotient(uint64_t part, uint64_t whole) {
  return whole ? (double)part / (double)whole : 0;
}

static struct prof_light_total total_of(const struct weights *weights, const struct counts *counts, double ticks_each,
                                        double light_cost, double rest_cost) {
  struct prof_thread_part light = {
      .cpu_ticks = (double)counts->all[PART_EXTRA] * weights->extra * weights->light / weights->all,
      .sampling_ticks = (double)(counts->all[PART_EXTRA] + counts->all[PART_LIGHT]) * light_cost,
      .outside = quotient(counts->outside[PART_EXTRA], counts->all[PART_EXTRA]),
      .events = weights->light,
  };
  struct prof_thread_part rest = {
      .cpu_ticks = (double)counts->all[PART_REST] * ticks_each,
      .sampling_ticks = (double)counts->all[PART_REST] * rest_cost,
      .outside = quotient(counts->outside[PART_REST], counts->all[PART_REST]),
      .events = weights->all - weights->light,
  };
  return prof_light_total_of(&light, &rest);
}

/* Whether a sample of a thread with sparse-clock intervals counts: each kind where it is right. */
static bool counts(const struct prof_sample *sample, const struct prof_light_slices *slices) {
  bool extra = sample->flags & PROF_SAMPLED_EXTRA;
  if (extra || sample->where == PROF_WHERE_PROFILER)
    return extra && sample->where == PROF_WHERE_PROBED;
  return sample->where != PROF_WHERE_PROBED && !prof_light_slices_hold(slices, sample->time);
}

/* Weights and flags of one thread's samples; light: zeroed. */
static void choose(const prof_trace *trace, double ticks_each, struct prof_sample *samples, size_t sample_count,
                   struct prof_light_samples *light) {
  uint32_t thread = samples[0].thread;
  struct prof_correction correction = prof_correction_of(trace, thread);
  struct prof_light_slices slices = prof_light_slices_of(trace, thread);
  struct counts found = count(samples, sample_count, &slices);
  light->outside = found.outside[PART_EXTRA];
  struct weights weights = weights_of(trace, &correction, ticks_each, &slices, light);
  double seen_ticks = 0;
  for (size_t i = 0; i < sample_count; i++) {
    bool extra = samples[i].flags & PROF_SAMPLED_EXTRA;
    samples[i].weight_ticks = extra ? weights.extra : weights.ordinary;
    if (weights.extra > 0 ? !counts(&samples[i], &slices) : extra)
      samples[i].flags |= PROF_SAMPLED_ASIDE;
    if (prof_sample_is_of_program(&samples[i]))
      seen_ticks += samples[i].weight_ticks;
  }
  if (weights.extra <= 0)
    return;
  struct prof_light_total total =
      total_of(&weights, &found, ticks_each, sampling_cost(samples, sample_count, &slices, true),
               sampling_cost(samples, sample_count, &slices, false));
  double scale = total.ticks > 0 && seen_ticks > 0 ? total.ticks / seen_ticks : 1;
  light->weight_ticks = weights.extra * scale;
  light->error = total.error;
  for (size_t i = 0; i < sample_count; i++)
    samples[i].weight_ticks *= scale;
}

void prof_light_samples_choose(const prof_trace *trace, double ticks_each, struct prof_sample *samples,
                               size_t sample_count, struct prof_light_samples *light) {
  for (size_t begin = 0, end; begin < sample_count; begin = end) {
    uint32_t thread = samples[begin].thread;
    for (end = begin + 1; end < sample_count && samples[end].thread == thread;)
      end++;
    if (thread != PROF_NONE) {
      choose(trace, ticks_each, samples + begin, end - begin, &light[thread]);
      continue;
    }
    for (size_t i = begin; i < end; i++)
      samples[i].weight_ticks = ticks_each;
  }
}
