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

/* Merges the two sorted lists, thread by thread; samples of threads without events stand last and get no mark. */
bool prof_marking_make(const struct prof_samples_loading *loading, size_t thread_count, struct prof_marking *marking) {
  const struct prof_samples_owned *owned = loading->owned;
  size_t most = owned->items.count + owned->pauses.items.count, count = 0, s = 0, p = 0;
  const struct prof_sample *samples = owned->items.items;
  const struct prof_pause *pauses = owned->pauses.items.items;
  marking->marks.items = malloc((most + 1) * sizeof *marking->marks.items);
  marking->of = malloc((most + 1) * sizeof *marking->of);
  marking->first = malloc((thread_count + 1) * sizeof *marking->first);
  if (!marking->marks.items || !marking->of || !marking->first || owned->items.count >= PROF_MARKING_PAUSE ||
      owned->pauses.items.count >= PROF_MARKING_PAUSE)
    return false;
  for (uint32_t thread = 0; thread < thread_count; thread++) {
    marking->first[thread] = count;
    for (;;) {
      bool sample = s < owned->items.count && samples[s].thread == thread;
      bool pause = p < owned->pauses.items.count && pauses[p].thread == thread;
      if (!sample && !pause)
        break;
      bool is_pause = pause && (!sample || pauses[p].begin < samples[s].time);
      marking->of[count] = is_pause ? (uint32_t)p | PROF_MARKING_PAUSE : (uint32_t)s;
      const struct prof_pause *known = is_pause && marking->whole ? &marking->whole->pauses[p] : NULL;
      marking->marks.items[count++] =
          is_pause ? mark_of_pause(&pauses[p], known) : mark_of_sample(loading, &samples[s]);
      p += is_pause;
      s += !is_pause;
    }
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
