/*
 * tools/estimate/counted.c - see counted.h.
 *
 * The samples become marks of a fold of their own, which sets their nodes.
 */
#include "estimate/counted.h"

#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/order.h"
#include "base/vec.h"
#include "estimate/code_functions.h"
#include "estimate/own_code.h"
#include "estimate/profile_build.h"
#include "estimate/sample_modules.h"
#include "fold/marks.h"
#include "fold/summary/summary.h"

struct loading {
  const prof_trace *trace;
  const struct prof_filter *filter; /* NULL: everything is shown */
  struct prof_counted *out;
  struct prof_sample_module *modules;
  PROF_VEC(struct prof_counted_sample) items;
  bool all_threads;
  bool raw; /* as they were counted, the profiler's own among them */
};

static bool is_shown(const struct loading *loading, uint32_t thread, uint64_t time) {
  const struct prof_filter *filter = loading->filter;
  if (filter == NULL)
    return true;
  if (time < filter->begin_ticks || time >= filter->end_ticks)
    return false;
  return thread != PROF_NONE ? filter->threads[thread] : loading->all_threads;
}

static void place(const struct loading *loading, uint32_t process, uint32_t flags, struct prof_counted_sample *sample) {
  struct prof_place found;
  bool kernel = flags & PROF_SAMPLE_KERNEL,
       known = prof_trace_place(loading->trace, process, sample->address, sample->time, &found);
  sample->where = kernel ? PROF_WHERE_KERNEL : PROF_WHERE_UNKNOWN;
  if (prof_sample_is_own(loading->trace, flags, known ? &found : NULL, 0)) {
    sample->where = PROF_WHERE_PROFILER;
  } else if (known) { /* in the kernel: where the program entered it */
    sample->module = loading->modules[found.module].twin;
    sample->address = found.address;
    if (!kernel)
      sample->where = loading->modules[found.module].has_probes ? PROF_WHERE_PROBED : PROF_WHERE_LIBRARY;
  }
}

static prof_status take(struct loading *loading, const struct prof_pmu_chunk *chunk, uint32_t thread) {
  struct prof_counted *out = loading->out;
  uint32_t counter = 0;
  while (counter < out->counter_count && out->counters[counter].number != chunk->pmu)
    counter++;
  if (counter == out->counter_count)
    return PROF_OK; /* a counter that PMU doesn't list */
  if (!prof_vec_reserve(&loading->items, chunk->count))
    return PROF_NO_MEMORY;
  for (uint32_t i = 0; i < chunk->count; i++) {
    const struct prof_pmu_record *record = &chunk->records[i];
    struct prof_counted_sample sample = {.time = record->time,
                                         .address = record->address,
                                         .weight = (double)record->weight * out->times[counter],
                                         .counter = counter,
                                         .module = PROF_NONE,
                                         .thread = thread,
                                         .node = PROF_NONE,
                                         .function = PROF_NONE};
    if (!is_shown(loading, thread, sample.time))
      continue;
    place(loading, chunk->process, record->flags, &sample);
    if (sample.where == PROF_WHERE_PROFILER && !loading->raw)
      out->own[counter] += sample.weight;
    else
      loading->items.items[loading->items.count++] = sample;
  }
  return PROF_OK;
}

static int compare(const void *left, const void *right) {
  const struct prof_counted_sample *a = left, *b = right;
  int order = prof_order(a->thread, b->thread) ?: prof_order(a->time, b->time);
  return order ?: prof_order(a->counter, b->counter) ?: prof_order(a->address, b->address) ?: prof_order(a->node, b->node);
}

static prof_status load(struct loading *loading, struct prof_diag *diag) {
  size_t count;
  const struct prof_pmu_chunk_ref *refs = prof_trace_pmu_chunks(loading->trace, &count);
  struct prof_pmu_chunk chunk = {0};
  prof_status status = PROF_OK;
  for (size_t i = 0; i < count && status == PROF_OK; i++) {
    status = prof_pmu_chunk_load(loading->trace, i, diag, &chunk);
    if (status == PROF_OK) {
      status = take(loading, &chunk, refs[i].thread);
    } else if (status != PROF_NO_MEMORY) {
      loading->out->chunks_damaged++;
      status = PROF_OK;
    }
  }
  prof_pmu_chunk_free(&chunk);
  prof_vec_sort(&loading->items, compare);
  return status == PROF_OK ? PROF_OK : prof_diag_memory(diag);
}

/* ---- of a summary ---- */

static bool take_row(struct loading *loading, const struct prof_index_map *threads,
                     const struct prof_summary_counted *row) {
  struct prof_counted *out = loading->out;
  uint32_t counter = 0;
  const uint32_t thread = row->thread ? prof_index_of(threads, row->thread) : PROF_NONE;
  while (counter < out->counter_count && out->counters[counter].number != row->counter)
    counter++;
  if (counter == out->counter_count || !is_shown(loading, thread, 0))
    return true;
  const struct prof_counted_sample sample = {.address = row->address,
                                             .weight = (double)row->weight * out->times[counter],
                                             .counter = counter,
                                             .module = prof_summary_module_at(loading->trace, row->module),
                                             .thread = thread,
                                             .node = thread != PROF_NONE && row->node ? row->node : PROF_NONE,
                                             .function = PROF_NONE,
                                             .where = row->where};
  if (sample.where != PROF_WHERE_PROFILER)
    return prof_vec_push(&loading->items, sample);
  out->own[counter] += sample.weight;
  return true;
}

static prof_status load_rows(struct loading *loading, struct prof_diag *diag) {
  struct prof_summary summary;
  struct prof_index_map numbers = {0};
  size_t count;
  const struct prof_thread_info *threads = prof_trace_threads(loading->trace, &count);
  prof_status status = prof_summary_of(loading->trace, diag, &summary);
  if (status != PROF_OK)
    return status;
  bool done = true;
  for (uint32_t i = 0; i < count && done; i++)
    done = prof_index_add(&numbers, threads[i].number, i);
  for (size_t i = 0; i < summary.counted.count && done; i++)
    done = take_row(loading, &numbers, &summary.counted.items[i]);
  prof_index_fini(&numbers);
  prof_summary_fini(&summary);
  prof_vec_sort(&loading->items, compare);
  return done ? PROF_OK : prof_diag_memory(diag);
}

/* Samples of threads without events stand last, and get no mark. */
static bool make_marks(const struct loading *loading, size_t thread_count, struct prof_fold_mark **marks,
                       size_t **first) {
  size_t at = 0;
  *marks = calloc(loading->items.count + 1, sizeof **marks);
  *first = calloc(thread_count + 1, sizeof **first);
  if (!*marks || !*first)
    return false;
  for (uint32_t thread = 0; thread < thread_count; thread++) {
    (*first)[thread] = at;
    for (; at < loading->items.count && loading->items.items[at].thread == thread; at++)
      (*marks)[at] = (struct prof_fold_mark){.time = loading->items.items[at].time,
                                             .node = loading->items.items[at].node,
                                             .state = loading->items.items[at].node != PROF_NONE ? PROF_MARK_PLACED
                                                                                                 : PROF_MARK_UNSEEN,
                                             .function = PROF_NONE,
                                             .choice = PROF_MARK_NO_CHOICE};
  }
  (*first)[thread_count] = at;
  return true;
}

/* Innermost function of a node, not a loop; PROF_NONE: it is a thread's, or the root. */
static uint32_t function_of(const struct prof_profile *profile, uint32_t node, size_t function_count) {
  while (node != PROF_NONE && node != 0 && profile->nodes[node].function != PROF_NONE &&
         profile->nodes[node].function > function_count)
    node = profile->nodes[node].parent;
  return node == PROF_NONE || node == 0 ? PROF_NONE : profile->nodes[node].function;
}

static prof_status set_nodes(const struct loading *loading, const struct prof_profile *profile,
                             const struct prof_fold_mark *marks, size_t marked, struct prof_diag *diag) {
  size_t function_count, state_count;
  prof_trace_functions(loading->trace, &function_count);
  bool budget = prof_trace_states(loading->trace, &state_count) != NULL && state_count > 0;
  struct prof_code_functions *code = budget ? prof_code_functions_new(loading->trace) : NULL;
  if (budget && !code)
    return prof_diag_memory(diag);
  for (size_t i = 0; i < loading->items.count; i++) {
    struct prof_counted_sample *sample = &loading->items.items[i];
    if (i < marked && marks[i].state != PROF_MARK_UNSEEN)
      sample->node = marks[i].node;
    sample->function = function_of(profile, sample->node, function_count);
    if (budget && sample->where == PROF_WHERE_PROBED) {
      uint32_t function = prof_code_function_running(code, sample->module, sample->address);
      sample->function = function != PROF_NONE ? function : sample->function;
    }
  }
  prof_code_functions_free(code);
  return PROF_OK;
}

/* What counted in a part of the time stands for all of it. */
static bool begin(struct loading *loading) {
  struct prof_counted *out = loading->out;
  size_t count, thread_count;
  prof_trace_threads(loading->trace, &thread_count);
  out->counters = prof_trace_pmus(loading->trace, &count);
  out->counter_count = (uint32_t)count;
  out->own = calloc(count + 1, sizeof *out->own);
  out->times = calloc(count + 1, sizeof *out->times);
  loading->modules = prof_sample_modules_of(loading->trace);
  loading->all_threads = !loading->filter || memchr(loading->filter->threads, 0, thread_count) == NULL;
  for (size_t i = 0; out->times && i < count; i++) {
    const struct prof_pmu *pmu = &out->counters[i];
    bool partial = !loading->raw && pmu->running_ns > 0 && pmu->running_ns < pmu->enabled_ns;
    out->times[i] = partial ? (double)pmu->enabled_ns / (double)pmu->running_ns : 1;
  }
  return out->own && out->times && loading->modules;
}

static prof_status fold(struct loading *loading, const struct prof_filter *filter, struct prof_diag *diag,
                        struct prof_profile **profile) {
  struct prof_fold_mark *marks = NULL;
  size_t *first = NULL, thread_count;
  prof_trace_threads(loading->trace, &thread_count);
  prof_status status = make_marks(loading, thread_count, &marks, &first) ? PROF_OK : prof_diag_memory(diag);
  if (status == PROF_OK) {
    const struct prof_sampler *sampler = prof_trace_sampler(loading->trace);
    struct prof_fold_marks set = {marks, first, sampler ? sampler->error_ticks : 0};
    const struct prof_fold_options options = {.marks = &set, .loops = true, .raw = true};
    status = prof_profile_fold(loading->trace, filter, &options, diag, profile);
  }
  if (status == PROF_OK)
    status = set_nodes(loading, *profile, marks, first[thread_count], diag);
  free(marks);
  free(first);
  return status;
}

prof_status prof_counted_fold(const prof_trace *trace, const struct prof_filter *filter, struct prof_diag *diag,
                              struct prof_profile **profile, struct prof_counted *out) {
  struct loading loading = {.trace = trace, .filter = filter && filter->active ? filter : NULL, .out = out};
  *profile = NULL;
  *out = (struct prof_counted){0};
  prof_status status = PROF_OK;
  if (!begin(&loading))
    status = prof_diag_memory(diag);
  else
    status = prof_trace_summary(trace, NULL) ? load_rows(&loading, diag) : load(&loading, diag);
  if (status == PROF_OK)
    status = fold(&loading, filter, diag, profile);
  out->items = loading.items.items;
  out->count = loading.items.count;
  free(loading.modules);
  return status;
}

prof_status prof_counted_load(const prof_trace *trace, const struct prof_filter *filter, struct prof_diag *diag,
                              struct prof_counted *out) {
  struct loading loading = {.trace = trace, .filter = filter, .out = out, .raw = true};
  *out = (struct prof_counted){0};
  prof_status status = begin(&loading) ? load(&loading, diag) : prof_diag_memory(diag);
  out->items = loading.items.items;
  out->count = loading.items.count;
  free(loading.modules);
  return status;
}

void prof_counted_free(struct prof_counted *counted) {
  free(counted->items);
  free(counted->own);
  free(counted->times);
  *counted = (struct prof_counted){0};
}
