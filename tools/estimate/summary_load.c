/*
 * tools/estimate/summary_load.c - see summary_load.h.
 */
#include "estimate/summary_load.h"

#include <stdlib.h>

#include "base/diag.h"
#include "base/order.h"
#include "estimate/measured_pauses.h"
#include "estimate/sparse_pauses.h"

struct numbers { /* indices by number, of the summary's trace */
  struct prof_index_map threads, processes, modules;
};

static void numbers_fini(struct numbers *numbers) {
  prof_index_fini(&numbers->threads);
  prof_index_fini(&numbers->processes);
  prof_index_fini(&numbers->modules);
}

static bool numbers_init(struct numbers *numbers, const prof_trace *trace) {
  size_t thread_count, process_count, module_count;
  const struct prof_thread_info *threads = prof_trace_threads(trace, &thread_count);
  const struct prof_process *processes = prof_trace_processes(trace, &process_count);
  const struct prof_module *modules = prof_trace_modules(trace, &module_count);
  bool done = true;
  for (uint32_t i = 0; i < thread_count && done; i++)
    done = prof_index_add(&numbers->threads, threads[i].number, i);
  for (uint32_t i = 0; i < process_count && done; i++)
    done = prof_index_add(&numbers->processes, processes[i].number, i);
  for (uint32_t i = 0; i < module_count && done; i++)
    done = prof_index_add(&numbers->modules, modules[i].number, i);
  return done;
}

static bool is_shown(const struct prof_samples_loading *loading, uint32_t thread) {
  if (!loading->filter)
    return true;
  return thread != PROF_NONE ? loading->filter->threads[thread] : loading->all_threads;
}

static bool add_samples(struct prof_samples_loading *loading, const struct numbers *numbers,
                        const struct prof_summary_sample *row, double thinned) {
  uint32_t thread = row->thread ? prof_index_of(&numbers->threads, row->thread) : PROF_NONE;
  uint64_t count = (uint64_t)((double)row->count / thinned + 0.5);
  struct prof_sample sample = {.address = row->address,
                               .module = row->module ? prof_index_of(&numbers->modules, row->module) : PROF_NONE,
                               .process = prof_index_of(&numbers->processes, row->process),
                               .thread = thread,
                               .tid = row->tid,
                               .node = row->node ? row->node : PROF_NONE,
                               .path = row->chain,
                               .where = row->where,
                               .flags = row->flags & (uint8_t)~PROF_SUMMARY_CALIBRATING};
  count = count > 0 ? count : 1;
  sample.times = (float)(row->times / (double)count);
  if (thread != PROF_NONE && !(row->flags & PROF_SUMMARY_CALIBRATING)) {
    loading->ordinary[thread].all += row->count;
    loading->ordinary[thread].probes += row->where == PROF_WHERE_PROFILER ? row->count : 0;
  }
  if (!is_shown(loading, thread) || row->count == 0)
    return true;
  if (!prof_vec_reserve(&loading->owned->items, count))
    return false;
  for (; count > 0; count--)
    loading->owned->items.items[loading->owned->items.count++] = sample;
  return true;
}

/* The thread of a node: the function of the one below the root. */
static uint32_t thread_of(const struct prof_summary *summary, const struct numbers *numbers, uint32_t node) {
  while (node != 0 && summary->core.nodes[node].parent != 0)
    node = summary->core.nodes[node].parent;
  return node ? prof_index_of(&numbers->threads, summary->core.nodes[node].function) : PROF_NONE;
}

static bool add_pause(struct prof_samples_loading *loading, const struct numbers *numbers,
                      const struct prof_summary *summary, const struct prof_summary_pause *row) {
  uint32_t thread = thread_of(summary, numbers, row->node);
  double times = row->flags & PROF_SUMMARY_SPARSE ? (double)(float)PROF_SPARSE_TIMES_LEAST : 1;
  struct prof_pause pause = {.end = (uint64_t)((double)row->ticks / times + 0.5), /* times that are its ticks */
                             .thread = thread,
                             .node = row->node,
                             .times = (float)times,
                             .waits = row->flags & PROF_SUMMARY_WAITS,
                             .stalled = row->flags & PROF_SUMMARY_STALLED,
                             .unplaced = row->flags & PROF_SUMMARY_UNPLACED};
  if (thread == PROF_NONE || row->ticks == 0 || !is_shown(loading, thread))
    return true;
  loading->owned->samples.has_sparse_pauses |= pause.times > 1;
  return prof_vec_push(&loading->owned->pauses.items, pause);
}

static int by_thread(const void *left, const void *right) {
  const struct prof_sample *a = left, *b = right;
  return prof_order(a->thread, b->thread) ?: prof_order(a->node, b->node) ?: prof_order(a->address, b->address) ?:
         prof_order(a->path, b->path);
}

static int pauses_by_thread(const void *left, const void *right) {
  const struct prof_pause *a = left, *b = right;
  return prof_order(a->thread, b->thread) ?: prof_order(a->node, b->node);
}

prof_status prof_summary_samples_load(struct prof_samples_loading *loading, struct prof_diag *diag) {
  struct prof_summary summary;
  if (!prof_trace_sampler(loading->trace) &&
      !prof_pauses_are_measured(loading->trace)) /* what they stand for isn't known */
    return PROF_OK;
  prof_status status = prof_summary_of(loading->trace, diag, &summary);
  if (status != PROF_OK)
    return status;
  struct numbers numbers = {0};
  bool done = numbers_init(&numbers, loading->trace);
  double all = 0;
  for (size_t i = 0; i < summary.samples.count; i++)
    all += (double)summary.samples.items[i].count;
  double thinned = all > PROF_SUMMARY_SAMPLES_MOST ? all / PROF_SUMMARY_SAMPLES_MOST : 1;
  for (size_t i = 0; i < summary.samples.count && done; i++)
    done = add_samples(loading, &numbers, &summary.samples.items[i], thinned);
  for (size_t i = 0; i < summary.pauses.count && done; i++)
    done = add_pause(loading, &numbers, &summary, &summary.pauses.items[i]);
  struct prof_samples_owned *owned = loading->owned;
  if (owned->items.count)
    qsort(owned->items.items, owned->items.count, sizeof *owned->items.items, by_thread);
  if (owned->pauses.items.count)
    qsort(owned->pauses.items.items, owned->pauses.items.count, sizeof *owned->pauses.items.items, pauses_by_thread);
  numbers_fini(&numbers);
  prof_summary_fini(&summary);
  return done ? PROF_OK : prof_diag_memory(diag);
}
