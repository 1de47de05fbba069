/*
 * tools/model/fold.c - see profile.h: the pieces of a plan shared out among workers, whose cores are merged.
 *
 * Threads: each worker owns a core and takes pieces from a common counter.  What comes out does not depend on who took
 * what: everything that is added up is a whole number.  A chunk that turns out to be unreadable changes what its
 * neighbours mean, so that after the first turn the plan is made anew without it, and folded again.
 */
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/hands.h"
#include "base/whole.h"
#include "model/correct.h"
#include "model/fold_whole.h"
#include "model/profile_build.h"

struct job { /* shared by the workers of one turn */
  const struct prof_fold_plan *plan;
  size_t next;         /* piece; atomic */
  uint8_t *damaged;    /* per chunk; each byte has one writer */
  uint32_t new_damage; /* atomic */
  bool stop;           /* atomic: a worker has no memory */
  struct prof_call_places *places;
  struct prof_fold_marks *marks;
  const struct prof_fork_paths *forks;
  uint64_t *costs; /* by thread: what is known of an event's probe, in PROF_FOLD_COST_PARTS of a tick */
  struct prof_fold_whole *whole;
  uint64_t max_bytes;
  bool loops;
  _Atomic uint64_t *done; /* events; NULL: nobody wants to know */
};

struct hand { /* one worker's thread */
  struct job *job;
  struct prof_fold_worker worker;
  struct prof_diag diag;
  prof_status status;
};

static void *work(void *argument) {
  struct hand *hand = argument;
  struct job *job = hand->job;
  for (;;) {
    size_t next = __atomic_fetch_add(&job->next, 1, __ATOMIC_RELAXED);
    if (next >= job->plan->count || __atomic_load_n(&job->stop, __ATOMIC_RELAXED))
      return NULL;
    const struct prof_fold_piece *piece = &job->plan->pieces[next];
    hand->status = prof_fold_piece_run(&hand->worker, piece, &hand->diag);
    if (job->done)
      *job->done += hand->worker.chunk.event_count;
    if (hand->status == PROF_OK && !prof_fold_whole_piece_done(job->whole, &hand->worker, piece))
      hand->status = prof_diag_memory(&hand->diag);
    if (hand->status == PROF_NO_MEMORY) {
      __atomic_store_n(&job->stop, true, __ATOMIC_RELAXED);
      return NULL;
    }
    if (hand->status != PROF_OK) {
      job->damaged[piece->chunk] = 1;
      __atomic_fetch_add(&job->new_damage, 1, __ATOMIC_RELAXED);
    }
    hand->status = PROF_OK;
  }
}

static void add_sums(struct prof_fold_sums *into, const struct prof_fold_sums *from) {
  into->events += from->events;
  into->lost += from->lost;
  into->unmatched += from->unmatched;
  into->skipped += from->skipped;
  into->inversions += from->inversions;
  into->stalled_ticks += from->stalled_ticks;
  into->frames_cut += from->frames_cut;
  into->hidden += from->hidden;
}

static prof_status run_hands(struct hand *hands, unsigned count, struct prof_diag *diag) {
  prof_hands_run(hands, count, sizeof *hands, work);
  for (unsigned i = 0; i < count; i++)
    if (hands[i].status != PROF_OK) {
      if (diag)
        *diag = hands[i].diag;
      return hands[i].status;
    }
  return PROF_OK;
}

/* A worker's marks follow what it counted into the first one's. */
static bool merge_marks(struct prof_fold_worker *into, const struct prof_fold_worker *from, uint16_t hand,
                        size_t mark_count, const uint32_t *moved) {
  size_t before = into->options.count;
  if (before + from->options.count > UINT32_MAX || !prof_vec_reserve(&into->options, from->options.count + 1))
    return false;
  for (size_t i = 0; i < from->options.count; i++) {
    struct prof_mark_option option = from->options.items[i];
    option.node = moved[option.node];
    into->options.items[into->options.count++] = option;
  }
  for (size_t i = 0; i < mark_count; i++) {
    struct prof_fold_mark *mark = &into->marks->items[i];
    if (mark->hand != hand || mark->state == PROF_MARK_UNSEEN)
      continue;
    mark->node = moved[mark->node];
    mark->charged = moved[mark->charged];
    mark->options_begin += (uint32_t)before;
  }
  return true;
}

/* What a worker counted, into the first one's. */
static bool merge(struct prof_fold_worker *into, const struct prof_fold_worker *from, uint16_t hand,
                  size_t mark_count) {
  uint32_t *moved = malloc(from->core.node_count * sizeof *moved);
  bool merged = moved && prof_fold_merge_moved(&into->core, &from->core, moved);
  merged = merged && merge_marks(into, from, hand, mark_count, moved);
  free(moved);
  add_sums(&into->sums, &from->sums);
  return merged;
}

static size_t mark_count(const prof_trace *trace, const struct prof_fold_marks *marks) {
  size_t thread_count;
  prof_trace_threads(trace, &thread_count);
  return marks ? marks->first[thread_count] : 0;
}

/* One turn over a plan: hands[0].worker has everything in the end. */
static prof_status run_turn(struct hand *hands, unsigned count, struct prof_fold_whole *whole, struct prof_diag *diag) {
  size_t loop_count;
  prof_trace_loops(hands[0].worker.trace, &loop_count);
  prof_status status = run_hands(hands, count, diag);
  for (unsigned i = 0; i < count && status == PROF_OK && whole->used; i++)
    if (!prof_fold_whole_take(whole, &hands[i].worker))
      status = prof_diag_memory(diag);
  for (unsigned i = 1; i < count && status == PROF_OK; i++) {
    if (!merge(&hands[0].worker, &hands[i].worker, (uint16_t)i,
               mark_count(hands[0].worker.trace, hands[0].worker.marks)))
      hands[0].worker.core.failed = true;
    if (hands[0].worker.values)
      prof_loop_values_merge(hands[0].worker.values, hands[i].worker.values, loop_count);
    prof_fold_worker_fini(&hands[i].worker);
  }
  if (status == PROF_OK && hands[0].worker.core.failed)
    status = prof_diag_memory(diag);
  if (status == PROF_OK && whole->used && !prof_fold_whole_give(whole, &hands[0].worker))
    status = prof_diag_memory(diag);
  return status;
}

static prof_status start_hands(struct hand *hands, unsigned count, struct job *job, const prof_trace *trace,
                               const struct prof_filter *filter, struct prof_diag *diag) {
  for (unsigned i = 0; i < count; i++) {
    memset(&hands[i], 0, sizeof hands[i]);
    hands[i].job = job;
    if (prof_fold_worker_init(&hands[i].worker, trace, filter, job->places, job->loops) != PROF_OK)
      return prof_diag_memory(diag);
    hands[i].worker.marks = job->marks;
    hands[i].worker.forks = job->forks;
    hands[i].worker.hand = (uint16_t)i;
    hands[i].worker.events_before = job->plan->events_before;
    hands[i].worker.costs = job->costs;
  }
  for (size_t i = mark_count(trace, job->marks); i > 0; i--) {
    job->marks->items[i - 1].state = PROF_MARK_UNSEEN;
    job->marks->items[i - 1].options_count = 0;
  }
  return PROF_OK;
}

/* Turns until one meets no damage that it didn't know of. */
static prof_status fold(const prof_trace *trace, const struct prof_filter *filter, struct hand *hands, unsigned workers,
                        const struct job *task, struct prof_fold_plan *plan, struct prof_diag *diag) {
  for (;;) {
    prof_status status = prof_fold_plan_make(trace, filter, task->damaged, diag, plan);
    if (status != PROF_OK)
      return status;
    unsigned count = workers < plan->count ? workers : plan->count ? (unsigned)plan->count : 1;
    struct job job = {.plan = plan,
                      .damaged = task->damaged,
                      .done = task->done,
                      .places = task->places,
                      .marks = task->marks,
                      .costs = task->costs,
                      .forks = task->forks,
                      .loops = task->loops};
    if (task->done)
      *task->done = 0;
    struct prof_fold_whole whole;
    job.whole = &whole;
    status = start_hands(hands, count, &job, trace, filter, diag);
    if (!prof_fold_whole_init(&whole, trace, task->max_bytes, count))
      status = prof_diag_memory(diag);
    if (status == PROF_OK)
      status = run_turn(hands, count, &whole, diag);
    prof_fold_whole_fini(&whole);
    if (status == PROF_OK && job.new_damage == 0)
      return PROF_OK;
    for (unsigned i = 0; i < count; i++)
      prof_fold_worker_fini(&hands[i].worker);
    if (status != PROF_OK)
      return status;
    prof_fold_plan_free(plan);
  }
}

/* What is taken out of single durations for each event.  NULL: no memory. */
static uint64_t *find_costs(const prof_trace *trace, const struct prof_fold_options *options) {
  size_t thread_count;
  prof_trace_threads(trace, &thread_count);
  uint64_t *costs = calloc(thread_count + 1, sizeof *costs);
  for (uint32_t i = 0; costs && !options->raw && i < thread_count; i++) {
    struct prof_correction correction = prof_correction_of(trace, i);
    bool known = correction.state == PROF_CORRECT_DONE;
    double sampled = options->event_costs ? options->event_costs[i].ticks : 0;
    double cost = PROF_FOLD_COST_PARTS * (sampled > 0 ? sampled : known ? correction.cost_ticks : 0);
    costs[i] = cost < PROF_FOLD_COST_MOST ? prof_whole(cost + 0.5) : PROF_FOLD_COST_MOST;
  }
  return costs;
}

prof_status prof_profile_fold_as(const prof_trace *trace, const struct prof_filter *filter,
                                 const struct prof_fold_options *options, struct prof_diag *diag,
                                 struct prof_profile **out) {
  unsigned workers = options->workers;
  size_t chunk_count;
  prof_trace_chunks(trace, &chunk_count);
  *out = NULL;
  bool loops = options->loops || (filter && filter->loops);
  if (filter && !filter->active)
    filter = NULL;
  if (workers == 0)
    workers = prof_hands_most();
  struct prof_fold_plan plan = {0};
  struct hand *hands = calloc(workers, sizeof *hands);
  uint8_t *damaged = calloc(chunk_count + 1, 1);
  struct prof_call_places *places = options->places ? prof_call_places_new(trace, loops) : NULL;
  uint64_t *costs = find_costs(trace, options);
  prof_status status = hands && damaged && costs && (places || !options->places) ? PROF_OK : prof_diag_memory(diag);
  struct job task = {.damaged = damaged,
                     .done = options->done,
                     .places = places,
                     .marks = options->marks,
                     .costs = costs,
                     .max_bytes = options->max_bytes,
                     .loops = loops};
  struct prof_fork_paths *forks = NULL;
  if (status == PROF_OK)
    status = prof_fork_paths_find(trace, damaged, workers, diag, &forks);
  task.forks = forks;
  if (status == PROF_OK)
    status = fold(trace, filter, hands, workers, &task, &plan, diag);
  if (status == PROF_OK) {
    status = prof_profile_build(trace, filter, &plan, damaged, &hands[0].worker, options, diag, out);
    prof_fold_worker_fini(&hands[0].worker);
  }
  prof_fold_plan_free(&plan);
  prof_call_places_free(places);
  prof_fork_paths_free(forks);
  free(damaged);
  free(costs);
  free(hands);
  return status;
}

prof_status prof_profile_fold_counting(const prof_trace *trace, const struct prof_filter *filter, unsigned workers,
                                       _Atomic uint64_t *done, struct prof_diag *diag, struct prof_profile **out) {
  return prof_profile_fold_as(trace, filter, &(struct prof_fold_options){.workers = workers, .done = done}, diag, out);
}

prof_status prof_profile_fold(const prof_trace *trace, const struct prof_filter *filter, unsigned workers,
                              struct prof_diag *diag, struct prof_profile **out) {
  return prof_profile_fold_counting(trace, filter, workers, NULL, diag, out);
}
