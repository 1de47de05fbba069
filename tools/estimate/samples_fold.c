/*
 * tools/estimate/samples_fold.c - see samples_fold.h.
 *
 * Samples and pauses become marks of the fold (marking.h), which sets their nodes.
 */
#include "estimate/samples_fold.h"

#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "estimate/burst/bursts.h"
#include "estimate/burst/filter.h"
#include "estimate/burst/loop_times.h"
#include "estimate/correct_sampled.h"
#include "estimate/light_samples.h"
#include "estimate/marking.h"
#include "estimate/samples_load.h"
#include "fold/marks.h"

static void take_nodes(struct prof_samples_owned *owned, const struct prof_marking *marking, size_t thread_count,
                       struct prof_profile *profile) {
  for (size_t i = 0; i < marking->first[thread_count]; i++) {
    const struct prof_fold_mark *mark = &marking->marks.items[i];
    bool stalled = mark->state == PROF_MARK_STALLED;
    if (marking->of[i] & PROF_MARKING_PAUSE) {
      struct prof_pause *pause = &owned->pauses.items.items[marking->of[i] & ~PROF_MARKING_PAUSE];
      pause->node = mark->node;
      pause->stalled = stalled;
      pause->choice = mark->choice;
      pause->unplaced = mark->unplaced;
      if (mark->unplaced && mark->node != PROF_NONE && profile->nodes[mark->node].parent != 0) {
        profile->coverage.unplaced_waits++;
        profile->coverage.unplaced_ticks += mark->off_ticks;
      }
      continue;
    }
    struct prof_sample *sample = &owned->items.items[marking->of[i]];
    sample->node = mark->node;
    sample->gap_ticks = mark->gap_ticks;
    sample->flags |= (uint8_t)((mark->near ? PROF_SAMPLED_AMBIGUOUS : 0) | (stalled ? PROF_SAMPLED_STALLED : 0));
    owned->samples.ambiguous += !(sample->flags & PROF_SAMPLED_EXTRA) && mark->near && mark->node != PROF_NONE &&
                                profile->nodes[mark->node].parent != 0;
  }
}

/* Takes the weights that were found over all calls. */
static void take_weights(struct prof_samples_owned *owned, const struct prof_samples *whole, size_t thread_count) {
  for (size_t i = 0; i < owned->items.count; i++) {
    struct prof_sample *sample = &owned->items.items[i];
    sample->weight_ticks = whole->items[i].weight_ticks;
    sample->flags |= whole->items[i].flags & PROF_SAMPLED_ASIDE;
  }
  memcpy(owned->light, whole->light, thread_count * sizeof *owned->light);
}

static void sum_up(struct prof_samples_owned *owned, const prof_trace *trace, const struct prof_samples *whole) {
  struct prof_samples *samples = &owned->samples;
  samples->sampler = prof_trace_sampler(trace);
  samples->items = owned->items.items;
  samples->count = owned->items.count;
  samples->light = owned->light;
  samples->pauses = owned->pauses.items.items;
  samples->pause_count = owned->pauses.items.count;
  samples->has_pauses = prof_pauses_are_known(trace);
  if (samples->sampler)
    samples->ticks_each = (double)samples->sampler->period_ns * (double)prof_trace_info(trace)->frequency_hz / 1e9;
  for (size_t i = 0; i < samples->count; i++) {
    if (samples->items[i].flags & PROF_SAMPLED_EXTRA)
      continue;
    samples->ordinary++;
    samples->where[samples->items[i].where]++;
    samples->times[samples->items[i].where] += (double)samples->items[i].times;
  }
  size_t thread_count;
  prof_trace_threads(trace, &thread_count);
  if (whole)
    take_weights(owned, whole, thread_count);
  else
    prof_light_samples_choose(trace, samples->ticks_each, owned->items.items, samples->count, owned->light);
  for (size_t i = 0; i < samples->count && !whole; i++)
    owned->items.items[i].weight_ticks *= (double)owned->items.items[i].times;
  for (size_t i = 0; i < thread_count; i++)
    samples->light_threads += owned->light[i].weight_ticks > 0;
}

/* Whether the weights of some calls' samples, or which call waited, depend on other calls. */
static bool is_shared(const prof_trace *trace, size_t thread_count) {
  bool any = prof_samples_have_light_slices(trace);
  for (uint32_t i = 0; i < thread_count && !any && prof_trace_sampler(trace); i++)
    any = prof_correct_thread_wants_samples(trace, i);
  return any;
}

static prof_status fold_as(const prof_trace *, const struct prof_filter *, const struct prof_fold_options *,
                           const struct prof_samples *whole, struct prof_diag *, struct prof_profile **,
                           struct prof_samples **);

/* Folds all calls of the threads and the time that the filter shows, if it hides some of them and that matters. */
static prof_status fold_whole(const prof_trace *trace, const struct prof_filter *filter,
                              const struct prof_fold_options *options, struct prof_diag *diag,
                              struct prof_samples **out) {
  size_t thread_count, function_count;
  prof_trace_threads(trace, &thread_count);
  prof_trace_functions(trace, &function_count);
  *out = NULL;
  if (!filter || !(filter->has_only || filter->hides || filter->depth || filter->min_ticks) ||
      !is_shared(trace, thread_count))
    return PROF_OK;
  struct prof_filter all = {.active = true,
                            .flags = calloc(function_count + 1, 1),
                            .threads = filter->threads,
                            .begin_ticks = filter->begin_ticks,
                            .end_ticks = filter->end_ticks};
  struct prof_fold_options folding = {
      .workers = options->workers, .raw = options->raw, .max_bytes = options->max_bytes, .stop = options->stop};
  struct prof_profile *profile = NULL;
  prof_status status = all.flags ? fold_as(trace, &all, &folding, NULL, diag, &profile, out) : prof_diag_memory(diag);
  prof_profile_free(profile);
  free(all.flags);
  return status == PROF_EMPTY ? PROF_OK : status;
}

static prof_status fold_uncut(const prof_trace *trace, const struct prof_filter *filter,
                              const struct prof_fold_options *options, struct prof_diag *diag,
                              struct prof_profile **profile, struct prof_samples **out) {
  struct prof_samples *whole = NULL;
  const struct prof_filter *active = filter && filter->active ? filter : NULL;
  prof_status status = fold_whole(trace, active, options, diag, &whole);
  if (status == PROF_OK)
    status = fold_as(trace, filter, options, whole, diag, profile, out);
  prof_samples_free(whole);
  return status;
}

/* See burst/filter.h. */
static prof_status fold_and_cut(const prof_trace *trace, const struct prof_filter *filter,
                                const struct prof_fold_options *options, const struct prof_burst_cut *cut,
                                struct prof_diag *diag, struct prof_profile **profile, struct prof_samples **out) {
  struct prof_filter wide = {0};
  struct prof_fold_options folding = *options;
  folding.loops |= cut->loops;
  folding.places |= cut->places;
  prof_status status = cut->filter ? prof_burst_filter_widen(trace, cut->filter, diag, &wide) : PROF_OK;
  if (status == PROF_OK)
    status = fold_uncut(trace, cut->filter ? &wide : filter, &folding, diag, profile, out);
  if (status == PROF_OK)
    status = prof_burst_filter_cut(*profile, *out, cut, diag);
  free(wide.flags);
  return status;
}

prof_status prof_samples_fold(const prof_trace *trace, const struct prof_filter *filter,
                              const struct prof_fold_options *options, struct prof_diag *diag,
                              struct prof_profile **profile, struct prof_samples **out) {
  *profile = NULL;
  *out = NULL;
  struct prof_burst_cut cut;
  const struct prof_filter *active = filter && filter->active ? filter : NULL;
  bool loops = options->loops || (filter && filter->loops);
  prof_status status = prof_burst_cut_find(trace, active, loops, options->places, diag, &cut);
  if (status == PROF_OK)
    status = prof_burst_cut_is_any(&cut) ? fold_and_cut(trace, filter, options, &cut, diag, profile, out)
                                         : fold_uncut(trace, filter, options, diag, profile, out);
  if (status == PROF_OK)
    status = prof_burst_loop_times(*profile, *out, diag);
  if (status == PROF_OK)
    return status;
  prof_profile_free(*profile);
  prof_samples_free(*out);
  *profile = NULL;
  *out = NULL;
  return status;
}

static prof_status add_bursts(const struct prof_samples_loading *loading, bool raw, struct prof_profile *profile,
                              struct prof_diag *diag) {
  const struct prof_bursts_task task = {loading->trace, loading->filter, loading->modules, &loading->owned->samples,
                                        raw};
  return prof_bursts_add(profile, &task, diag);
}

/* whole: of all calls of the same threads and time; NULL: these are. */
static prof_status fold_as(const prof_trace *trace, const struct prof_filter *filter,
                           const struct prof_fold_options *options, const struct prof_samples *whole,
                           struct prof_diag *diag, struct prof_profile **profile, struct prof_samples **out) {
  size_t thread_count;
  struct prof_samples_loading loading = {.trace = trace, .filter = filter && filter->active ? filter : NULL};
  struct prof_marking marking = {.whole = whole};
  prof_trace_threads(trace, &thread_count);
  *profile = NULL;
  *out = NULL;
  struct prof_event_cost *event_costs = NULL;
  prof_status status = prof_samples_load(&loading, diag);
  if (status == PROF_OK)
    event_costs = prof_samples_event_costs(&loading);
  if (status == PROF_OK && (!event_costs || !prof_marking_make(&loading, thread_count, &marking)))
    status = prof_diag_memory(diag);
  if (status == PROF_OK) {
    const struct prof_sampler *sampler = prof_trace_sampler(trace);
    struct prof_fold_options folding = *options;
    marking.marks.clock_error_ticks = sampler ? sampler->error_ticks : 0;
    folding.marks = &marking.marks;
    folding.event_costs = event_costs;
    status = prof_profile_fold(trace, filter, &folding, diag, profile);
  }
  if (status == PROF_OK) {
    take_nodes(loading.owned, &marking, thread_count, *profile);
    sum_up(loading.owned, trace, whole);
    if (!options->raw)
      status = prof_correct_by_samples(*profile, &loading.owned->samples, whole != NULL, diag);
  }
  if (status == PROF_OK)
    status = add_bursts(&loading, options->raw, *profile, diag);
  if (status == PROF_OK) {
    prof_correct_count_measured(*profile, filter, options->raw);
    *out = &loading.owned->samples;
  } else {
    prof_profile_free(*profile);
    *profile = NULL;
    if (loading.owned)
      prof_samples_free(&loading.owned->samples);
  }
  prof_samples_load_end(&loading);
  free(event_costs);
  prof_marking_fini(&marking);
  return status;
}
