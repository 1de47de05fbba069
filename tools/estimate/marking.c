/*
 * tools/estimate/marking.c - see marking.h.
 */
#include "estimate/marking.h"

#include <stdlib.h>

static uint32_t function_at(const struct prof_samples_loading *loading, const struct prof_sample *sample) {
  bool asks = loading->code && sample->where == PROF_WHERE_PROBED;
  return asks ? prof_code_function_at(loading->code, sample->module, sample->address) : PROF_NONE;
}

static struct prof_fold_mark mark_of_sample(const struct prof_samples_loading *loading,
                                            const struct prof_sample *sample) {
  bool extra = sample->flags & PROF_SAMPLED_EXTRA;
  return (struct prof_fold_mark){.time = sample->time,
                                 .node = sample->node,
                                 .state = sample->flags & PROF_SAMPLED_STALLED ? PROF_MARK_STALLED : PROF_MARK_PLACED,
                                 .near = sample->flags & PROF_SAMPLED_AMBIGUOUS,
                                 .function = function_at(loading, sample),
                                 .choice = PROF_MARK_NO_CHOICE,
                                 .counts = !extra,
                                 .spins = !extra && sample->flags & PROF_SAMPLED_SPINS};
}

static struct prof_fold_mark mark_of_pause(const struct prof_pause *pause, const struct prof_pause *known) {
  return (struct prof_fold_mark){.time = pause->begin,
                                 .off_ticks = pause->end - pause->begin,
                                 .counted_ticks = pause->end - pause->begin,
                                 .times = pause->times,
                                 .node = pause->node,
                                 .state = pause->stalled ? PROF_MARK_STALLED : PROF_MARK_PLACED,
                                 .function = PROF_NONE,
                                 .choice = known ? known->choice : PROF_MARK_NO_CHOICE,
                                 .waits = pause->waits,
                                 .unplaced = pause->unplaced || (known && known->unplaced)};
}

static struct prof_fold_mark mark_of_counted(const struct prof_counted_sample *sample) {
  return (struct prof_fold_mark){
      .time = sample->time, .node = PROF_NONE, .function = PROF_NONE, .choice = PROF_MARK_NO_CHOICE};
}

struct merging { /* the sorted lists, and how far they were taken */
  const struct prof_samples_loading *loading;
  const struct prof_samples_owned *owned;
  struct prof_marking *marking;
  size_t sample, pause, counted;
  size_t counted_count;
};

/* Of the thread, the list whose next time is the first: samples before pauses before counted ones.  false: all are
 * taken. */
static bool merge_next(struct merging *merging, uint32_t thread, size_t at) {
  const struct prof_sample *samples = merging->owned->items.items;
  const struct prof_pause *pauses = merging->owned->pauses.items.items;
  const struct prof_counted_sample *counted = merging->counted_count ? merging->marking->counted->items : NULL;
  const size_t s = merging->sample, p = merging->pause, c = merging->counted;
  const bool has_sample = s < merging->owned->items.count && samples[s].thread == thread;
  const bool has_pause = p < merging->owned->pauses.items.count && pauses[p].thread == thread;
  const bool has_counted = c < merging->counted_count && counted[c].thread == thread;
  const uint64_t of_sample = has_sample ? samples[s].time : UINT64_MAX;
  const uint64_t of_pause = has_pause ? pauses[p].begin : UINT64_MAX;
  const uint64_t earlier = of_pause < of_sample ? of_pause : of_sample;
  const struct prof_samples *whole = merging->marking->whole;
  struct prof_fold_mark *mark = &merging->marking->marks.items[at];
  uint32_t *of = &merging->marking->of[at];
  if (has_counted && counted[c].time < earlier) {
    *mark = mark_of_counted(&counted[c]);
    *of = (uint32_t)merging->counted++ | PROF_MARKING_COUNTED;
  } else if (has_pause && of_pause < of_sample) {
    *mark = mark_of_pause(&pauses[p], whole ? &whole->pauses[p] : NULL);
    *of = (uint32_t)merging->pause++ | PROF_MARKING_PAUSE;
  } else if (has_sample) {
    *mark = mark_of_sample(merging->loading, &samples[s]);
    *of = (uint32_t)merging->sample++;
  }
  return has_sample || has_pause || has_counted;
}

/* Merges the sorted lists, thread by thread; samples of threads without events stand last and get no mark. */
bool prof_marking_make(const struct prof_samples_loading *loading, size_t thread_count, struct prof_marking *marking) {
  const struct prof_samples_owned *owned = loading->owned;
  struct merging merging = {.loading = loading,
                            .owned = owned,
                            .marking = marking,
                            .counted_count = marking->counted ? marking->counted->count : 0};
  size_t most = owned->items.count + owned->pauses.items.count + merging.counted_count, count = 0;
  marking->marks.items = malloc((most + 1) * sizeof *marking->marks.items);
  marking->of = malloc((most + 1) * sizeof *marking->of);
  marking->first = malloc((thread_count + 1) * sizeof *marking->first);
  if (!marking->marks.items || !marking->of || !marking->first || most >= PROF_MARKING_COUNTED)
    return false;
  for (uint32_t thread = 0; thread < thread_count; thread++) {
    marking->first[thread] = count;
    while (merge_next(&merging, thread, count))
      count++;
  }
  marking->first[thread_count] = count;
  marking->marks.first = marking->first;
  return true;
}

void prof_marking_fini(struct prof_marking *marking) {
  free(marking->marks.items);
  free(marking->first);
  free(marking->of);
}
