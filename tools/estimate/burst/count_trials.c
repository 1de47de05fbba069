/*
 * tools/estimate/burst/count_trials.c - see count_trials.h.
 */
#include "estimate/burst/count_trials.h"

#include <math.h>

#define MOST_SEEN (1u << 20) /* functions in windows: 16 MiB, and a tenth of a second */
#define TOGETHER 12u         /* windows of which all are kept, or none: they are of all kinds in turn */
#define LEAST_RAN 0.2        /* of the time: first calls take no more than the rest */

bool prof_count_trials_init(struct prof_count_trials *trials, struct prof_burst_paths *paths,
                            const struct prof_burst_cost *costs, size_t thread_count) {
  *trials = (struct prof_count_trials){.paths = paths, .costs = costs};
  bool done = prof_vec_reserve(&trials->first, thread_count + 1);
  for (size_t i = 0; i < thread_count && done; i++)
    trials->first.items[trials->first.count++] = PROF_NONE;
  return done;
}

void prof_count_trials_fini(struct prof_count_trials *trials) {
  prof_vec_fini(&trials->met);
  prof_index_fini(&trials->numbers);
  prof_vec_fini(&trials->first);
  prof_vec_fini(&trials->threads);
  prof_count_fit_fini(&trials->fit);
}

bool prof_count_trials_meet(struct prof_count_trials *trials, uint32_t thread, uint32_t frame, uint64_t calls) {
  size_t before = trials->met.count;
  uint32_t at = prof_index_meet(&trials->numbers, &trials->met, prof_index_hash(frame, thread), i,
                                trials->met.items[i].thread == thread && trials->met.items[i].frame == frame,
                                (struct prof_count_met){.thread = thread, .frame = frame});
  if (at == UINT32_MAX)
    return false;
  struct prof_count_met *met = &trials->met.items[at];
  met->calls += calls;
  if (trials->met.count == before)
    return true;
  met->next = trials->first.items[thread];
  trials->first.items[thread] = at;
  return met->next != PROF_NONE || prof_vec_push(&trials->threads, thread);
}

bool prof_count_trials_want(const struct prof_count_trials *trials, size_t number, size_t count) {
  size_t every = count * trials->met.count / MOST_SEEN + 1;
  return number / TOGETHER % every == 0;
}

bool prof_count_trials_take(struct prof_count_trials *trials, const struct prof_counted_window *window) {
  const struct prof_burst_cost *cost = &trials->costs[window->thread];
  double ran = (double)window->in->ran;
  struct prof_count_trial trial = {.whole = window->head->part == UINT32_MAX,
                                   .weight = window->in->weight * ran / (double)window->in->length,
                                   .ran = fmax(ran - (double)window->in->firsts * cost->first_ticks, LEAST_RAN * ran),
                                   .cost = (double)window->in->events * cost->ticks,
                                   .first = (uint32_t)trials->fit.seen.count};
  bool done = true;
  for (uint32_t at = trials->first.items[window->thread]; at != PROF_NONE && done; at = trials->met.items[at].next) {
    struct prof_count_met *met = &trials->met.items[at];
    if (prof_burst_was_on(trials->paths, &trials->paths->states->frames[met->frame], window->head)) {
      done = prof_vec_push(&trials->fit.seen, ((struct prof_count_seen){at, (double)met->calls}));
      trial.count++;
    }
    met->calls = 0;
  }
  trials->fit.function_count = (uint32_t)trials->met.count;
  return done && prof_vec_push(&trials->fit.trials, trial);
}

bool prof_count_trials_find(struct prof_count_trials *trials, struct prof_count_part *out, bool *found) {
  double least = 0;
  *found = false;
  for (size_t i = 0; i < trials->threads.count; i++) {
    const struct prof_burst_cost *cost = &trials->costs[trials->threads.items[i]];
    if (cost->ticks <= 0)
      return true; /* it is not known */
    least += (cost->ticks - cost->error_ticks) / cost->ticks / (double)trials->threads.count;
  }
  trials->fit.least = least;
  return prof_count_fit_find(&trials->fit, out, found);
}
