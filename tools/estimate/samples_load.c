/*
 * tools/estimate/samples_load.c - see samples_load.h.
 */
#include "estimate/samples_load.h"

#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/order.h"
#include "estimate/cut_pauses.h"
#include "estimate/join_pauses.h"
#include "estimate/own_code.h"
#include "estimate/sparse_pauses.h"
#include "estimate/summary_load.h"
#include "fold/light_slices.h"

/* ---- from chunks ---- */

static bool is_shown(const struct prof_samples_loading *loading, uint32_t thread, uint64_t begin, uint64_t end) {
  const struct prof_filter *filter = loading->filter;
  if (filter == NULL)
    return true;
  if (end < filter->begin_ticks || begin >= filter->end_ticks)
    return false;
  return thread != PROF_NONE ? filter->threads[thread] : loading->all_threads;
}

bool prof_sample_is_calibrating(const struct prof_samples_loading *loading, const struct prof_sample *sample) {
  size_t count;
  const struct prof_process *processes = prof_trace_processes(loading->trace, &count);
  return sample->process < count && sample->time < processes[sample->process].start_ticks;
}

static void place(const struct prof_samples_loading *loading, struct prof_sample *sample, uint8_t flags) {
  struct prof_place found;
  bool kernel = flags & PROF_SAMPLE_KERNEL,
       known = prof_trace_place(loading->trace, sample->process, sample->address, sample->time, &found);
  if (known && loading->modules[found.module].spins)
    sample->flags |= PROF_SAMPLED_SPINS;
  if (known && !kernel) {
    sample->module = loading->modules[found.module].twin;
    sample->address = found.address;
    sample->where = loading->modules[found.module].has_probes ? PROF_WHERE_PROBED : PROF_WHERE_LIBRARY;
    if (sample->flags & PROF_SAMPLED_EXTRA && prof_code_is_site(loading->code, sample->module, sample->address))
      sample->where = PROF_WHERE_PROFILER; /* the jump to a trampoline, which waits for what that did before */
  } else {
    sample->where = kernel                                        ? PROF_WHERE_KERNEL
                    : prof_sample_is_calibrating(loading, sample) ? PROF_WHERE_PROFILER
                                                                  : PROF_WHERE_UNKNOWN;
  }
  if (prof_sample_is_own(loading->trace, flags, known ? &found : NULL, sample->path))
    sample->where = PROF_WHERE_PROFILER;
}

static void count_ordinary(const struct prof_samples_loading *loading, const struct prof_sample *sample) {
  if (sample->thread == PROF_NONE || sample->flags & PROF_SAMPLED_EXTRA || prof_sample_is_calibrating(loading, sample))
    return;
  loading->ordinary[sample->thread].all++;
  loading->ordinary[sample->thread].probes += sample->where == PROF_WHERE_PROFILER;
}

static prof_status take_samples(struct prof_samples_loading *loading, const struct prof_sample_chunk *chunk,
                                uint32_t thread) {
  if (!prof_vec_reserve(&loading->owned->items, chunk->count))
    return PROF_NO_MEMORY;
  struct prof_light_slices slices = {0};
  if (thread != PROF_NONE)
    slices = prof_light_slices_of(loading->trace, thread);
  for (uint32_t i = 0; i < chunk->count; i++) {
    double times = chunk->flags[i] & PROF_SAMPLE_EXTRA ? prof_sample_rates_times(&loading->rates, chunk->times[i]) : 1;
    bool extra = times == 0;
    struct prof_sample sample = {.time = chunk->times[i],
                                 .address = chunk->addresses[i],
                                 .module = PROF_NONE,
                                 .process = chunk->process,
                                 .thread = thread,
                                 .tid = chunk->tid,
                                 .node = PROF_NONE,
                                 .processor = chunk->processors[i],
                                 .path = chunk->paths == NULL ? 0 : chunk->paths[i],
                                 .times = extra ? 1 : (float)times,
                                 .flags = extra ? PROF_SAMPLED_EXTRA : 0};
    place(loading, &sample, chunk->flags[i]);
    count_ordinary(loading, &sample);
    if (!is_shown(loading, thread, sample.time, sample.time) ||
        (extra && !prof_light_slices_hold(&slices, sample.time)))
      continue;
    loading->owned->items.items[loading->owned->items.count++] = sample;
  }
  return PROF_OK;
}

/* Each switch becomes a pause as prof_pauses_join expects it. */
static prof_status take_switches(struct prof_samples_loading *loading, const struct prof_sample_chunk *chunk,
                                 uint32_t thread) {
  if (thread == PROF_NONE || (loading->filter && !loading->filter->threads[thread]))
    return PROF_OK;
  if (!prof_vec_reserve(&loading->owned->pauses.items, chunk->count))
    return PROF_NO_MEMORY;
  for (uint32_t i = 0; i < chunk->count; i++)
    loading->owned->pauses.items.items[loading->owned->pauses.items.count++] =
        (struct prof_pause){.begin = chunk->times[i],
                            .end = chunk->flags[i] == PROF_SWITCH_ON ? 0 : UINT64_MAX,
                            .thread = thread,
                            .node = PROF_NONE,
                            .waits = chunk->flags[i] == PROF_SWITCH_WAITS,
                            .times = 1};
  return PROF_OK;
}

static prof_status load_chunks(struct prof_samples_loading *loading, struct prof_diag *diag) {
  size_t count;
  const struct prof_sample_chunk_ref *refs = prof_trace_sample_chunks(loading->trace, &count);
  struct prof_sample_chunk chunk = {0};
  prof_status status = PROF_OK;
  for (size_t i = 0; i < count && status == PROF_OK; i++) {
    status = prof_sample_chunk_load(loading->trace, i, diag, &chunk);
    if (status == PROF_OK)
      status = refs[i].kind == PROF_SAMPLE_SAMPLES ? take_samples(loading, &chunk, refs[i].thread)
                                                   : take_switches(loading, &chunk, refs[i].thread);
    else if (status != PROF_NO_MEMORY) {
      loading->owned->samples.chunks_damaged++;
      status = PROF_OK;
    }
  }
  prof_sample_chunk_free(&chunk);
  return status == PROF_OK ? PROF_OK : prof_diag_memory(diag);
}

/* ---- in order ---- */

static int compare_samples(const void *left, const void *right) {
  const struct prof_sample *a = left, *b = right;
  int order = prof_order(a->thread, b->thread) ?: prof_order(a->time, b->time) ?: prof_order(a->address, b->address);
  return order ?: (int)(a->flags & PROF_SAMPLED_EXTRA) - (int)(b->flags & PROF_SAMPLED_EXTRA);
}

bool prof_samples_have_light_slices(const prof_trace *trace) {
  size_t thread_count;
  prof_trace_threads(trace, &thread_count);
  bool any = false;
  for (uint32_t i = 0; i < thread_count && !any; i++)
    any = prof_light_slices_of(trace, i).count > 0;
  return any;
}

/* false: no memory. */
static bool begin(struct prof_samples_loading *loading) {
  size_t thread_count;
  prof_trace_threads(loading->trace, &thread_count);
  bool light = prof_samples_have_light_slices(loading->trace);
  loading->modules = prof_sample_modules_of(loading->trace);
  loading->all_threads = !loading->filter || memchr(loading->filter->threads, 0, thread_count) == NULL;
  loading->owned = calloc(1, sizeof *loading->owned);
  if (loading->owned)
    loading->owned->light = calloc(thread_count + 1, sizeof *loading->owned->light);
  bool rated = prof_sample_rates_init(&loading->rates, loading->trace);
  loading->ordinary = calloc(thread_count + 1, sizeof *loading->ordinary);
  loading->code = light ? prof_code_functions_new(loading->trace) : NULL;
  return rated && loading->owned && loading->owned->light && loading->ordinary && (loading->code || !light) &&
         loading->modules;
}

/* false: no memory. */
static bool join(const struct prof_samples_loading *loading) {
  struct prof_samples_owned *owned = loading->owned;
  struct prof_switch_spans spans;
  struct prof_pause_list found = {0};
  bool done = prof_switch_spans_init(&spans, loading->trace);
  owned->samples.has_sparse_pauses = spans.sparse;
  if (done && !spans.sparse) {
    owned->pauses.items.count =
        prof_pauses_join(loading->trace, loading->filter, owned->pauses.items.items, owned->pauses.items.count);
  } else if (done) {
    prof_pauses_sort(owned->pauses.items.items, owned->pauses.items.count);
    const struct prof_sparse_task task = {.trace = loading->trace,
                                          .filter = loading->filter,
                                          .stretch = loading->stretch,
                                          .spans = &spans,
                                          .samples = owned->items.items,
                                          .sample_count = owned->items.count,
                                          .switches = owned->pauses.items.items,
                                          .switch_count = owned->pauses.items.count};
    done = prof_sparse_pauses_find(&task, &found);
    prof_vec_fini(&owned->pauses.items);
    owned->pauses = found;
  }
  prof_switch_spans_fini(&spans);
  return done && prof_pauses_cut(loading->trace, &owned->pauses);
}

prof_status prof_samples_load(struct prof_samples_loading *loading, struct prof_diag *diag) {
  if (!begin(loading))
    return prof_diag_memory(diag);
  struct prof_samples_owned *owned = loading->owned;
  if (prof_trace_summary(loading->trace, NULL))
    return prof_summary_samples_load(loading, diag);
  prof_status status = load_chunks(loading, diag);
  if (owned->items.count)
    qsort(owned->items.items, owned->items.count, sizeof *owned->items.items, compare_samples);
  if (status == PROF_OK && !join(loading))
    return prof_diag_memory(diag);
  if (status == PROF_OK && prof_pauses_are_measured(loading->trace))
    status = prof_measured_pauses_find(loading->trace, loading->filter, loading->stretch, diag, &owned->pauses);
  return status;
}

void prof_samples_load_end(struct prof_samples_loading *loading) {
  prof_code_functions_free((struct prof_code_functions *)loading->code);
  prof_sample_rates_fini(&loading->rates);
  free(loading->modules);
  free(loading->ordinary);
}

struct prof_event_cost *prof_samples_event_costs(const struct prof_samples_loading *loading) {
  size_t thread_count;
  prof_trace_threads(loading->trace, &thread_count);
  struct prof_event_cost *costs = calloc(thread_count + 1, sizeof *costs);
  for (uint32_t i = 0; costs && i < thread_count; i++) {
    struct prof_correction correction = prof_correction_of(loading->trace, i);
    costs[i] = prof_correction_sampled_cost(&correction, loading->ordinary[i].probes, loading->ordinary[i].all);
  }
  return costs;
}

void prof_samples_free(struct prof_samples *samples) {
  struct prof_samples_owned *owned = (struct prof_samples_owned *)samples; /* its first member */
  if (!owned)
    return;
  prof_vec_fini(&owned->items);
  prof_vec_fini(&owned->pauses.items);
  free(owned->light);
  free(owned);
}
