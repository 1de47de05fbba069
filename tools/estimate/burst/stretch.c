/*
 * tools/estimate/burst/stretch.c - see stretch.h.
 */
#include "estimate/burst/stretch.h"

#include <stdlib.h>

#include "base/diag.h"
#include "estimate/burst/gather.h"
#include "estimate/correct.h"
#include "estimate/samples_load.h"

/* Samples that no share counts need no chain. */
static bool has_chain(const struct prof_samples_loading *loading, const struct prof_sample *sample) {
  return sample->thread != PROF_NONE && prof_sample_is_counted(sample) && !prof_sample_is_calibrating(loading, sample);
}

/* NULL: no memory. */
static uint32_t *find_chains(const struct prof_samples_loading *loading, struct prof_burst_paths *paths,
                             struct prof_bursts_keeping *keeping) {
  const struct prof_samples_owned *owned = loading->owned;
  struct prof_burst_chains chains = {0};
  uint32_t *out = calloc(owned->items.count + 1, sizeof *out);
  bool done = out != NULL;
  for (size_t i = 0; i < owned->items.count && done; i++)
    if (has_chain(loading, &owned->items.items[i]))
      done = prof_burst_paths_chain(paths, &owned->items.items[i], &chains, &out[i]);
  done = done && prof_bursts_keep_chains(keeping, &chains);
  for (size_t i = 0; i < owned->items.count && done; i++)
    out[i] = keeping->chains[out[i]];
  prof_burst_chains_fini(&chains);
  if (done)
    return out;
  free(out);
  return NULL;
}

static bool add_sums(const struct prof_burst_stretch_task *task, struct prof_burst_paths *paths,
                     struct prof_bursts_keeping *keeping, struct prof_diag *diag) {
  struct prof_summary_bursts *bursts = &keeping->summary->bursts;
  const struct prof_samples_owned *owned = task->loading->owned;
  struct prof_burst_sums sums = {0};
  struct prof_burst_stretch_of stretch = {.begin = task->begin, .end = task->end};
  for (int kind = 0; kind < PROF_BURST_KINDS; kind++)
    stretch.weighed[kind] = bursts->windows[kind].weighed;
  const struct prof_burst_gathering gathering = {.paths = paths,
                                                 .filter = task->loading->filter,
                                                 .pauses = owned->pauses.items.items,
                                                 .pause_count = owned->pauses.items.count,
                                                 .stretch = task->is_stretch ? &stretch : NULL};
  bool done = prof_bursts_keep_resume(keeping, &stretch.callers) && prof_burst_sums_gather(&sums, &gathering, diag) &&
              prof_bursts_keep_sums(keeping, &sums);
  for (int kind = 0; kind < PROF_BURST_KINDS; kind++)
    bursts->windows[kind].weighed = stretch.weighed[kind];
  prof_burst_callers_fini(&stretch.callers);
  prof_burst_sums_fini(&sums);
  return done;
}

/* For the next stretch, and for pruning. */
static void note_threads(const prof_trace *trace, struct prof_summary_bursts *bursts) {
  size_t thread_count, process_count;
  const struct prof_thread_info *threads = prof_trace_threads(trace, &thread_count);
  const struct prof_process *processes = prof_trace_processes(trace, &process_count);
  for (size_t i = 0; i < thread_count; i++) {
    uint32_t at = prof_index_of(&bursts->known_threads, threads[i].number);
    if (at == UINT32_MAX)
      continue;
    struct prof_summary_window_thread *row = &bursts->threads.items[at];
    row->used_ns = prof_thread_used_ns(trace, &threads[i]);
    row->process = threads[i].process < process_count ? processes[threads[i].process].number : 0;
    row->over = threads[i].end_ticks != 0;
  }
}

static uint64_t count_changes(const prof_trace *trace, uint64_t after) {
  size_t count;
  const struct prof_state_change *changes = prof_trace_states(trace, &count);
  uint64_t found = 0;
  for (size_t i = 0; i < count; i++)
    found += changes[i].time > after;
  return found;
}

prof_status prof_burst_stretch_add(const struct prof_burst_stretch_task *task, struct prof_summary *summary,
                                   struct prof_diag *diag, uint32_t **chains) {
  const prof_trace *trace = task->loading->trace;
  struct prof_burst_states states;
  struct prof_code_zones zones = {0};
  struct prof_bursts_keeping keeping = {0};
  *chains = NULL;
  bool done = prof_burst_states_init(&states, trace);
  summary->bursts.used |= states.frame_count > 0;
  if (done && states.frame_count > 0) {
    struct prof_burst_paths paths = {.trace = trace,
                                     .states = &states,
                                     .code = prof_code_functions_new(trace),
                                     .zones = &zones,
                                     .modules = task->loading->modules};
    summary->bursts.changes += count_changes(trace, task->is_stretch ? task->begin : 0);
    done = paths.code && prof_code_zones_init(&zones, trace, paths.code) &&
           prof_bursts_keep_begin(&keeping, trace, summary) && add_sums(task, &paths, &keeping, diag);
    *chains = done ? find_chains(task->loading, &paths, &keeping) : NULL;
    done = *chains != NULL;
    if (done)
      note_threads(trace, &summary->bursts);
    prof_bursts_keep_fini(&keeping);
    prof_code_functions_free((struct prof_code_functions *)paths.code);
    prof_burst_paths_fini(&paths);
    prof_code_zones_fini(&zones);
  }
  prof_burst_states_fini(&states);
  return done ? PROF_OK : prof_diag_memory(diag);
}
