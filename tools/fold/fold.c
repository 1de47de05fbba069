/*
 * tools/fold/fold.c - see fold.h: the pieces of a plan shared out among workers, whose cores are merged.
 *
 * Threads: each worker owns a core and takes pieces from a common counter.  The result does not depend on which worker
 * took which piece: all sums are of whole numbers.  A chunk that turns out to be unreadable changes what its neighbours
 * mean, so that after the first turn the plan is made anew without it, and folded again.
 */
#include "fold/fold.h"

#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/hands.h"
#include "fold/summary/summary.h"
#include "fold/whole.h"

struct job { /* shared by the workers of one turn */
  const struct prof_fold_task *task;
  const struct prof_fold_plan *plan;
  size_t next;         /* piece; atomic */
  uint8_t *damaged;    /* per chunk; each byte has one writer */
  uint32_t new_damage; /* atomic */
  bool stop;           /* atomic: a worker has no memory, or nobody wants the fold */
  struct prof_call_places *places;
  const struct prof_fork_paths *forks;
  const struct prof_caller_ends *callers;
  struct prof_fold_whole *whole;
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
    if (prof_stop_wanted(job->task->stop)) {
      __atomic_store_n(&job->stop, true, __ATOMIC_RELAXED);
      hand->status = prof_diag_fill(&hand->diag, PROF_STOPPED, NULL, PROF_NO_OFFSET, NULL, "stopped");
      return NULL;
    }
    const struct prof_fold_piece *piece = &job->plan->pieces[next];
    hand->status = prof_fold_piece_run(&hand->worker, piece, &hand->diag);
    if (job->task->done)
      *job->task->done += hand->worker.chunk.event_count;
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

void prof_fold_sums_add(struct prof_fold_sums *into, const struct prof_fold_sums *from) {
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

/* A worker's nodes have moved into the first one's: its marks follow. */
static bool merge_marks(struct prof_fold_worker *into, const struct prof_fold_worker *from, uint16_t hand,
                        size_t mark_count, const uint32_t *moved) {
  size_t before = into->options.count;
  if (!prof_mark_options_add(&into->options, &from->options, moved))
    return false;
  for (size_t i = 0; i < mark_count; i++)
    if (into->marks->items[i].hand == hand)
      prof_mark_move(&into->marks->items[i], moved, before);
  return true;
}

/* What a worker counted, into the first one's. */
static bool merge(struct prof_fold_worker *into, const struct prof_fold_worker *from, uint16_t hand,
                  size_t mark_count) {
  uint32_t *moved = malloc(from->core.node_count * sizeof *moved);
  bool merged = moved && prof_fold_merge_moved(&into->core, &from->core, moved);
  merged = merged && merge_marks(into, from, hand, mark_count, moved);
  free(moved);
  prof_fold_sums_add(&into->sums, &from->sums);
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
    for (size_t loop = 0; hands[0].worker.values && loop < loop_count; loop++)
      prof_loop_values_add(&hands[0].worker.values[loop], &hands[i].worker.values[loop]);
    prof_fold_worker_fini(&hands[i].worker);
  }
  if (status == PROF_OK && hands[0].worker.core.failed)
    status = prof_diag_memory(diag);
  if (status == PROF_OK && whole->used && !prof_fold_whole_give(whole, &hands[0].worker))
    status = prof_diag_memory(diag);
  return status;
}

static prof_status start_hands(struct hand *hands, unsigned count, struct job *job, struct prof_diag *diag) {
  const struct prof_fold_task *task = job->task;
  for (unsigned i = 0; i < count; i++) {
    memset(&hands[i], 0, sizeof hands[i]);
    hands[i].job = job;
    if (prof_fold_worker_init(&hands[i].worker, task->trace, task->filter, job->places, task->loops) != PROF_OK)
      return prof_diag_memory(diag);
    hands[i].worker.marks = task->marks;
    hands[i].worker.forks = job->forks;
    hands[i].worker.callers = job->callers;
    hands[i].worker.hand = (uint16_t)i;
    hands[i].worker.events_before = job->plan->events_before;
    hands[i].worker.costs = task->costs;
    hands[i].worker.begun = task->begun;
  }
  for (size_t i = mark_count(task->trace, task->marks); i > 0; i--) {
    task->marks->items[i - 1].state = PROF_MARK_UNSEEN;
    task->marks->items[i - 1].options_count = 0;
  }
  return PROF_OK;
}

/* Turns until one meets no new damage; hands[0].worker then has everything. */
static prof_status fold(const struct prof_fold_task *task, struct hand *hands, const struct prof_fork_paths *forks,
                        const struct prof_caller_ends *callers, struct prof_folded *out, struct prof_diag *diag) {
  for (;;) {
    const struct prof_fold_plan_of of = {task->trace, task->filter, task->is_stretch, task->open_times};
    prof_status status = prof_fold_plan_make(&of, out->damaged, diag, &out->plan);
    if (status != PROF_OK)
      return status;
    size_t pieces = out->plan.count;
    unsigned count = task->workers < pieces ? task->workers : pieces ? (unsigned)pieces : 1;
    struct prof_fold_whole whole;
    struct job job = {.task = task,
                      .plan = &out->plan,
                      .damaged = out->damaged,
                      .places = out->places,
                      .forks = forks,
                      .callers = callers,
                      .whole = &whole};
    if (task->done)
      *task->done = 0;
    status = start_hands(hands, count, &job, diag);
    if (!prof_fold_whole_init(&whole, task->trace, task->max_bytes, count))
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
    prof_fold_plan_free(&out->plan);
  }
}

/* Their nodes are those of a summary (prof_mark.node); PROF_NONE: in none. */
static void place_marks(struct prof_fold_marks *marks, size_t count, const uint32_t *moved) {
  for (size_t i = 0; i < count; i++) {
    struct prof_fold_mark *mark = &marks->items[i];
    uint32_t node = mark->node != PROF_NONE ? moved[mark->node] : PROF_NONE;
    if (node == PROF_NONE) {
      mark->state = PROF_MARK_UNSEEN;
      continue;
    }
    mark->node = mark->charged = node;
    mark->hand = 0;
  }
}

/* Takes the summary of a trace that has no chunks. */
static prof_status take_summary(const struct prof_fold_task *task, struct prof_folded *out, struct prof_diag *diag) {
  struct prof_summary summary;
  prof_status status = prof_summary_of(task->trace, diag, &summary);
  if (status != PROF_OK)
    return status;
  out->first_time = summary.first_time;
  out->last_time = summary.last_time;
  uint32_t *moved = malloc(summary.core.node_count * sizeof *moved);
  status =
      moved ? prof_fold_worker_init(&out->worker, task->trace, task->filter, out->places, task->loops) : PROF_NO_MEMORY;
  if (status == PROF_OK)
    status = prof_summary_give(&summary, &out->worker, moved);
  if (status == PROF_OK && task->marks) {
    out->worker.marks = task->marks;
    place_marks(task->marks, mark_count(task->trace, task->marks), moved);
  }
  if (task->done)
    *task->done = summary.sums.events;
  free(moved);
  prof_summary_fini(&summary);
  return status == PROF_OK ? PROF_OK : prof_diag_memory(diag);
}

/* The pieces of all threads, by workers. */
static prof_status fold_chunks(struct prof_fold_task *task, struct prof_folded *out, struct prof_diag *diag) {
  struct hand *hands = calloc(task->workers, sizeof *hands);
  struct prof_fork_paths *forks = NULL;
  struct prof_caller_ends *callers = NULL;
  bool by_caller = task->filter && task->filter->active && task->filter->by_caller;
  prof_status status = hands ? PROF_OK : prof_diag_memory(diag);
  if (status == PROF_OK)
    status = prof_fork_paths_find(task->trace, out->damaged, task->workers, diag, &forks);
  if (status == PROF_OK && by_caller) {
    callers = prof_caller_ends_all(task->trace, task->filter, task->workers);
    status = callers ? PROF_OK : prof_diag_memory(diag);
  }
  if (status == PROF_OK)
    status = fold(task, hands, forks, callers, out, diag);
  if (status == PROF_OK)
    out->worker = hands[0].worker;
  out->worker.callers = NULL;
  free(callers);
  prof_fork_paths_free(forks);
  free(hands);
  return status;
}

prof_status prof_fold_run(const struct prof_fold_task *given, struct prof_diag *diag, struct prof_folded *out) {
  struct prof_fold_task task = *given;
  size_t chunk_count;
  prof_trace_chunks(task.trace, &chunk_count);
  if (task.workers == 0)
    task.workers = prof_hands_most();
  *out = (struct prof_folded){.damaged = calloc(chunk_count + 1, 1),
                              .places = task.places ? prof_call_places_new(task.trace, task.loops) : NULL};
  prof_status status = out->damaged && (out->places || !task.places) ? PROF_OK : prof_diag_memory(diag);
  if (status == PROF_OK)
    status = prof_trace_summary(task.trace, NULL) ? take_summary(&task, out, diag) : fold_chunks(&task, out, diag);
  if (status != PROF_OK)
    prof_folded_free(out);
  return status;
}

void prof_folded_free(struct prof_folded *folded) {
  prof_fold_worker_fini(&folded->worker);
  prof_fold_plan_free(&folded->plan);
  prof_call_places_free(folded->places);
  free(folded->damaged);
  *folded = (struct prof_folded){0};
}
