/*
 * tools/estimate/summarize.c - see summarize.h.
 */
#include "estimate/summarize.h"

#include <stdlib.h>

#include "base/diag.h"
#include "estimate/burst/stretch.h"
#include "estimate/costs_so_far.h"
#include "estimate/marking.h"
#include "estimate/profile_build.h"
#include "fold/fold.h"

struct summarizing {
  const prof_trace *trace;
  const struct prof_samples_loading *loading;
  struct prof_summary *summary;
  const struct prof_counted *counted;
  const uint32_t *moved;  /* by node of the fold */
  const uint32_t *chains; /* by sample; NULL: none has one */
};

/* mark: NULL: it has none. */
static bool take_sample(const struct summarizing *into, const struct prof_sample *sample,
                        const struct prof_fold_mark *mark) {
  size_t index = (size_t)(sample - into->loading->owned->items.items);
  const struct prof_thread_info *threads = prof_trace_threads(into->trace, NULL);
  const struct prof_process *processes = prof_trace_processes(into->trace, NULL);
  const struct prof_module *modules = prof_trace_modules(into->trace, NULL);
  bool placed = mark && mark->state != PROF_MARK_UNSEEN;
  uint8_t flags = sample->flags & PROF_SAMPLED_SPINS;
  if (placed)
    flags |= (mark->near ? PROF_SAMPLED_AMBIGUOUS : 0) | (mark->state == PROF_MARK_STALLED ? PROF_SAMPLED_STALLED : 0);
  if (prof_sample_is_calibrating(into->loading, sample))
    flags |= PROF_SUMMARY_CALIBRATING;
  into->summary->bursts.used |= sample->times != 1; /* of a stretch of samples */
  return prof_summary_add_sample(
      into->summary,
      (struct prof_summary_sample){.node = placed ? into->moved[mark->node] : 0,
                                   .process = sample->process != PROF_NONE ? processes[sample->process].number : 0,
                                   .thread = sample->thread != PROF_NONE ? threads[sample->thread].number : 0,
                                   .tid = sample->tid,
                                   .module = sample->module != PROF_NONE ? modules[sample->module].number : 0,
                                   .address = sample->address,
                                   .where = sample->where,
                                   .flags = flags,
                                   .chain = placed && into->chains ? into->chains[index] : 0,
                                   .count = 1,
                                   .times = (double)sample->times});
}

static bool take_pause(const struct summarizing *into, const struct prof_fold_mark *mark) {
  struct prof_summary_pause row = {.node = into->moved[mark->node], .count = 1, .ticks = mark->counted_ticks};
  if (mark->times > 1)
    row.ticks = (uint64_t)((double)mark->counted_ticks * (double)mark->times + 0.5);
  row.flags = (mark->waits ? PROF_SUMMARY_WAITS : 0) | (mark->state == PROF_MARK_STALLED ? PROF_SUMMARY_STALLED : 0) |
              (mark->unplaced ? PROF_SUMMARY_UNPLACED : 0) | (mark->times > 1 ? PROF_SUMMARY_SPARSE : 0);
  return prof_summary_add_pause(into->summary, row);
}

/* mark: NULL: it has none. */
static bool take_counted(const struct summarizing *into, const struct prof_counted_sample *sample,
                         const struct prof_fold_mark *mark) {
  const struct prof_thread_info *threads = prof_trace_threads(into->trace, NULL);
  const struct prof_module *modules = prof_trace_modules(into->trace, NULL);
  return prof_summary_add_counted(
      into->summary,
      (struct prof_summary_counted){.node = mark && mark->state != PROF_MARK_UNSEEN ? into->moved[mark->node] : 0,
                                    .thread = sample->thread != PROF_NONE ? threads[sample->thread].number : 0,
                                    .module = sample->module != PROF_NONE ? modules[sample->module].number : 0,
                                    .counter = into->counted->counters[sample->counter].number,
                                    .where = sample->where,
                                    .address = sample->address,
                                    .count = 1,
                                    .weight = (uint64_t)sample->weight});
}

static bool take_marks(const struct summarizing *into, const struct prof_marking *marking, size_t count) {
  const struct prof_samples_owned *owned = into->loading->owned;
  bool done = true;
  for (size_t i = 0; i < count && done; i++) {
    const struct prof_fold_mark *mark = &marking->marks.items[i];
    if (marking->of[i] & PROF_MARKING_COUNTED)
      done = take_counted(into, &into->counted->items[marking->of[i] & ~PROF_MARKING_COUNTED], mark);
    else if (!(marking->of[i] & PROF_MARKING_PAUSE))
      done = take_sample(into, &owned->items.items[marking->of[i]], mark);
    else if (mark->state != PROF_MARK_UNSEEN)
      done = take_pause(into, mark);
  }
  for (size_t i = owned->items.count; i > 0 && owned->items.items[i - 1].thread == PROF_NONE && done; i--)
    done = take_sample(into, &owned->items.items[i - 1], NULL);
  for (size_t i = into->counted->count; i > 0 && into->counted->items[i - 1].thread == PROF_NONE && done; i--)
    done = take_counted(into, &into->counted->items[i - 1], NULL);
  return done;
}

static prof_status add(const struct prof_samples_loading *loading, struct prof_marking *marking,
                       struct prof_folded *folded, const uint32_t *chains, struct prof_summary *summary) {
  size_t thread_count;
  prof_trace_threads(loading->trace, &thread_count);
  uint32_t *moved = malloc(folded->worker.core.node_count * sizeof *moved);
  const struct summarizing into = {loading->trace, loading, summary, marking->counted, moved, chains};
  prof_status status = moved ? prof_summary_add(summary, loading->trace, &folded->worker, moved) : PROF_NO_MEMORY;
  if (status == PROF_OK && !take_marks(&into, marking, marking->first[thread_count]))
    status = PROF_NO_MEMORY;
  free(moved);
  return status;
}

/* By thread: the CPU time before the stretch.  NULL: no memory. */
static uint64_t *used_before(const prof_trace *trace, const struct prof_summary *summary) {
  size_t count;
  const struct prof_thread_info *threads = prof_trace_threads(trace, &count);
  uint64_t *used_ns = calloc(count + 1, sizeof *used_ns);
  for (size_t i = 0; used_ns && i < count; i++) {
    uint32_t at = prof_index_of(&summary->bursts.known_threads, threads[i].number);
    used_ns[i] = at != UINT32_MAX ? summary->bursts.threads.items[at].used_ns : 0;
  }
  return used_ns;
}

struct before { /* this stretch, by thread */
  uint64_t *used_ns, *open_times;
  struct prof_fold_begun begun;
};

/* false: no memory; free it all the same. */
static bool before_init(struct before *before, const prof_trace *trace, const struct prof_summary *summary) {
  before->used_ns = used_before(trace, summary);
  before->open_times = prof_summary_open_times(summary, trace);
  bool has_begun = prof_summary_begun(summary, trace, &before->begun);
  return has_begun && before->used_ns && before->open_times;
}

static void before_fini(struct before *before) {
  free(before->used_ns);
  free(before->open_times);
  free(before->begun.first);
  free(before->begun.events);
}

/* What the stretch has: samples, pauses, counted events. */
static prof_status load(struct prof_samples_loading *loading, struct prof_counted *counted, struct prof_diag *diag) {
  prof_status status = prof_samples_load(loading, diag);
  return status == PROF_OK ? prof_counted_load(loading->trace, loading->filter, diag, counted) : status;
}

static uint64_t clock_error(const prof_trace *trace) {
  const struct prof_sampler *sampler = prof_trace_sampler(trace);
  return sampler ? sampler->error_ticks : 0;
}

prof_status prof_summarize(const prof_trace *trace, const struct prof_stretch_span *stretch, struct prof_diag *diag,
                           struct prof_summary *summary) {
  size_t thread_count;
  const struct prof_filter_spec spec = {.end_ns = UINT64_MAX};
  struct prof_filter filter = {0}; /* what is not forgotten */
  struct prof_samples_loading loading = {.trace = trace};
  struct prof_counted counted = {0};
  struct prof_marking marking = {.counted = &counted};
  struct prof_folded folded = {0};
  struct prof_event_cost *event_costs = NULL;
  uint32_t *chains = NULL;
  uint64_t *costs = NULL;
  struct before before;
  const bool has_before = before_init(&before, trace, summary), is_stretch = stretch != NULL;
  const struct prof_stretch_span span = {is_stretch ? stretch->begin : 0, is_stretch ? stretch->end : UINT64_MAX,
                                         before.used_ns, is_stretch ? summary : NULL};
  prof_trace_threads(trace, &thread_count);
  prof_status status = prof_filter_init(&filter, trace, &spec, diag);
  loading.filter = filter.active ? &filter : NULL;
  loading.stretch = is_stretch ? &span : NULL;
  if (status == PROF_OK)
    status = has_before ? load(&loading, &counted, diag) : prof_diag_memory(diag);
  if (status == PROF_OK) {
    event_costs = prof_event_costs_so_far(&loading, summary);
    costs = prof_profile_costs(trace, &(struct prof_fold_options){.event_costs = event_costs});
    if (!event_costs || !costs || !prof_marking_make(&loading, thread_count, &marking))
      status = prof_diag_memory(diag);
  }
  if (status == PROF_OK) {
    marking.marks.clock_error_ticks = clock_error(trace);
    const struct prof_fold_task task = {.trace = trace,
                                        .filter = loading.filter,
                                        .workers = is_stretch ? 1 : 0,
                                        .loops = true,
                                        .places = true,
                                        .is_stretch = is_stretch,
                                        .open_times = before.open_times,
                                        .begun = &before.begun,
                                        .marks = &marking.marks,
                                        .costs = costs};
    status = prof_fold_run(&task, diag, &folded);
  }
  const struct prof_burst_stretch_task bursts = {&loading, span.begin, span.end, is_stretch};
  if (status == PROF_OK)
    status = prof_burst_stretch_add(&bursts, summary, diag, &chains);
  if (status == PROF_OK && add(&loading, &marking, &folded, chains, summary) != PROF_OK)
    status = prof_diag_memory(diag);
  prof_folded_free(&folded);
  prof_marking_fini(&marking);
  prof_counted_free(&counted);
  if (loading.owned)
    prof_samples_free(&loading.owned->samples);
  prof_samples_load_end(&loading);
  prof_filter_fini(&filter);
  free(event_costs);
  free(chains);
  free(costs);
  before_fini(&before);
  return status;
}
