/*
 * tools/fold/gpu_join.c - see gpu_join.h.
 *
 * Calls are sorted by process, thread and time, and each thread's chunks are walked once beside its calls (gpu_walk.h).
 */
#include "fold/gpu_join.h"

#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/order.h"
#include "base/vec.h"
#include "fold/gpu_chunks.h"
#include "fold/gpu_frames.h"
#include "fold/gpu_walk.h"

struct prof_gpu_join {
  const prof_trace *trace;
  PROF_VEC(struct prof_gpu_api_call) calls;
  uint32_t *by_time; /* call indices, by process, thread and start */
  struct prof_fold_core paths;
  struct prof_gpu_frames frames; /* their names are of functions from `first_name` on */
  uint32_t first_name;
  uint64_t damaged;
};

/* ---- calls out of the trace ---- */

static bool take_call(void *context, const struct prof_gpu_chunk *chunk, uint32_t index, uint32_t at) {
  (void)index;
  struct prof_gpu_join *join = context;
  return prof_vec_push(&join->calls,
                       (struct prof_gpu_api_call){.start = chunk->columns[PROF_GPU_START][at],
                                                  .duration = chunk->columns[PROF_GPU_DURATION][at],
                                                  .source = chunk->source,
                                                  .correlation = (uint32_t)chunk->columns[PROF_GPU_CORRELATION][at],
                                                  .tid = (uint32_t)chunk->columns[PROF_GPU_THREAD][at],
                                                  .name = (uint32_t)chunk->columns[PROF_GPU_NAME][at],
                                                  .result = (uint32_t)chunk->columns[PROF_GPU_RESULT][at],
                                                  .thread = PROF_NONE,
                                                  .stack = (uint32_t)chunk->columns[PROF_GPU_STACK][at],
                                                  .nested = chunk->columns[PROF_GPU_FLAGS][at] & PROF_GPU_CALL_NESTED});
}

static int compare_correlations(const void *left, const void *right) {
  const struct prof_gpu_api_call *a = left, *b = right;
  int order = prof_order(a->source, b->source) ?: prof_order(a->correlation, b->correlation);
  return order ?: (int)a->nested - (int)b->nested;
}

static uint32_t pid_of(const struct prof_gpu_join *join, uint32_t source) {
  return prof_trace_gpu_sources(join->trace, NULL)[source].pid;
}

static int compare_times(const void *left, const void *right, void *context) {
  const struct prof_gpu_join *join = context;
  const struct prof_gpu_api_call *a = &join->calls.items[*(const uint32_t *)left],
                                 *b = &join->calls.items[*(const uint32_t *)right];
  uint32_t pid_a = pid_of(join, a->source), pid_b = pid_of(join, b->source);
  return prof_order(pid_a, pid_b) ?: prof_order(a->tid, b->tid) ?: prof_order(a->start, b->start);
}

static bool sort_calls(struct prof_gpu_join *join) {
  join->by_time = malloc((join->calls.count + 1) * sizeof *join->by_time);
  if (join->by_time == NULL)
    return false;
  prof_vec_sort(&join->calls, compare_correlations);
  for (size_t i = 0; i < join->calls.count; i++)
    join->by_time[i] = (uint32_t)i;
  qsort_r(join->by_time, join->calls.count, sizeof *join->by_time, compare_times, join);
  return true;
}

/* ---- a thread's events beside its calls ---- */

struct beside {
  struct prof_gpu_join *join;
  uint32_t thread;
  const uint32_t *at, *end; /* calls without a path yet, by time */
};

static uint64_t next_call(void *context) {
  const struct beside *beside = context;
  return beside->at < beside->end ? beside->join->calls.items[*beside->at].start : UINT64_MAX;
}

/* The calls before `until` were made from this path. */
static void assign(void *context, uint32_t path, uint64_t until) {
  struct beside *beside = context;
  for (; beside->at < beside->end && beside->join->calls.items[*beside->at].start < until; beside->at++) {
    beside->join->calls.items[*beside->at].path = path;
    beside->join->calls.items[*beside->at].thread = beside->thread;
  }
}

/* The calls of this thread: same pid and tid, not before it began. */
static struct beside find_calls(struct prof_gpu_join *join, uint32_t index, const struct prof_thread_info *thread,
                                uint32_t pid) {
  struct prof_gpu_api_call *calls = join->calls.items;
  const uint32_t *begin = join->by_time, *end = begin + join->calls.count;
  while (begin < end) { /* the first one that isn't before it */
    const uint32_t *middle = begin + (end - begin) / 2;
    uint32_t other_pid = pid_of(join, calls[*middle].source);
    bool before = other_pid != pid                    ? other_pid < pid
                  : calls[*middle].tid != thread->tid ? calls[*middle].tid < thread->tid
                                                      : calls[*middle].start < thread->start_ticks;
    begin = before ? middle + 1 : begin;
    end = before ? end : middle;
  }
  const uint32_t *last = begin, *all = join->by_time + join->calls.count;
  while (last < all && calls[*last].tid == thread->tid && pid_of(join, calls[*last].source) == pid)
    last++;
  return (struct beside){.join = join, .thread = index, .at = begin, .end = last};
}

static prof_status join_thread(struct prof_gpu_join *join, struct prof_gpu_walk *walk, uint32_t index) {
  size_t count;
  const struct prof_thread_info *thread = &prof_trace_threads(join->trace, &count)[index];
  const struct prof_process *processes = prof_trace_processes(join->trace, &count);
  if (thread->process >= count)
    return PROF_OK;
  struct beside beside = find_calls(join, index, thread, processes[thread->process].pid);
  const struct prof_gpu_visitor visitor = {&beside, next_call, assign};
  return prof_gpu_walk_thread(walk, index, &visitor);
}

struct place {
  uint64_t start;
  uint32_t thread;
};

static int compare_places(const void *left, const void *right) {
  const struct place *a = left, *b = right;
  return prof_order(a->start, b->start);
}

/* In the order in which they began: a thread that reuses a number gets the calls from then on. */
static prof_status join_threads(struct prof_gpu_join *join) {
  size_t count;
  const struct prof_thread_info *threads = prof_trace_threads(join->trace, &count);
  struct place *places = malloc((count + 1) * sizeof *places);
  struct prof_gpu_walk walk = {.trace = join->trace, .paths = &join->paths};
  prof_status status = places != NULL ? PROF_OK : PROF_NO_MEMORY;
  for (uint32_t i = 0; places != NULL && i < count; i++)
    places[i] = (struct place){threads[i].start_ticks, i};
  if (places != NULL)
    qsort(places, count, sizeof *places, compare_places);
  for (size_t i = 0; i < count && status == PROF_OK; i++)
    status = join_thread(join, &walk, places[i].thread);
  prof_chunk_free(&walk.chunk);
  join->damaged += walk.damaged;
  free(places);
  return status;
}

/* Gives a path to each call that has a stack and no thread with events. */
static prof_status join_frames(struct prof_gpu_join *join) {
  prof_status status = prof_gpu_frames_load(join->trace, join->first_name, &join->paths, &join->frames, &join->damaged);
  for (size_t i = 0; status == PROF_OK && i < join->calls.count; i++) {
    struct prof_gpu_api_call *call = &join->calls.items[i];
    if (call->thread == PROF_NONE)
      call->path = prof_gpu_frames_path(&join->frames, call->source, call->stack);
  }
  return status;
}

/* ---- stretches of time ---- */

struct charging {
  const struct prof_gpu_stretch *stretches;
  size_t at, end;
  uint64_t from; /* of stretch `at`, what lies before is charged */
  prof_gpu_charge *charge;
  void *context;
};

static uint64_t next_stretch(void *context) {
  const struct charging *charging = context;
  return charging->at < charging->end ? charging->from : UINT64_MAX;
}

static void charge_path(void *context, uint32_t path, uint64_t until) {
  struct charging *charging = context;
  while (charging->at < charging->end && charging->from < until) {
    const struct prof_gpu_stretch *stretch = &charging->stretches[charging->at];
    uint64_t to = stretch->end < until ? stretch->end : until;
    if (to > charging->from)
      charging->charge(charging->context, charging->at, path, charging->from, to);
    charging->from = to;
    if (to < stretch->end)
      return;
    if (++charging->at < charging->end)
      charging->from = charging->stretches[charging->at].begin;
  }
}

prof_status prof_gpu_join_charge(struct prof_gpu_join *join, const struct prof_gpu_stretch *stretches, size_t count,
                                 prof_gpu_charge *charge, void *context) {
  struct prof_gpu_walk walk = {.trace = join->trace, .paths = &join->paths};
  prof_status status = PROF_OK;
  for (size_t first = 0, next; first < count && status == PROF_OK; first = next) {
    for (next = first; next < count && stretches[next].thread == stretches[first].thread; next++)
      ;
    struct charging charging = {stretches, first, next, stretches[first].begin, charge, context};
    const struct prof_gpu_visitor visitor = {&charging, next_stretch, charge_path};
    if (stretches[first].thread != PROF_NONE)
      status = prof_gpu_walk_thread(&walk, stretches[first].thread, &visitor);
    if (status == PROF_OK) /* no events that could be read */
      charge_path(&charging, 0, UINT64_MAX);
  }
  prof_chunk_free(&walk.chunk);
  join->damaged += walk.damaged;
  return status;
}

/* ---- outside ---- */

prof_status prof_gpu_join_new(const prof_trace *trace, struct prof_diag *diag, struct prof_gpu_join **out) {
  struct prof_gpu_join *join = calloc(1, sizeof *join);
  size_t functions;
  *out = NULL;
  if (join == NULL)
    return prof_diag_memory(diag);
  join->trace = trace;
  prof_trace_functions(trace, &functions);
  prof_status status = prof_gpu_records_visit(trace, 1u << PROF_GPU_CALL, take_call, join, &join->damaged);
  bool good = status == PROF_OK && sort_calls(join) && prof_fold_init(&join->paths, (uint32_t)functions);
  if (good)
    prof_fold_begin(&join->paths, 0);
  join->first_name = (uint32_t)functions;
  if (!good || join_threads(join) != PROF_OK || join_frames(join) != PROF_OK) {
    prof_gpu_join_free(join);
    return prof_diag_memory(diag);
  }
  *out = join;
  return PROF_OK;
}

void prof_gpu_join_free(struct prof_gpu_join *join) {
  if (join == NULL)
    return;
  prof_fold_fini(&join->paths);
  prof_vec_fini(&join->calls);
  prof_gpu_frames_fini(&join->frames);
  free(join->by_time);
  free(join);
}

const struct prof_gpu_api_call *prof_gpu_join_call(const struct prof_gpu_join *join, uint32_t source,
                                                   uint64_t correlation) {
  const struct prof_gpu_api_call *calls = join->calls.items;
  /* the first one with this number: the outermost */
  size_t low =
      prof_search(0, join->calls.count, middle,
                  (prof_order(calls[middle].source, source) ?: prof_order(calls[middle].correlation, correlation)) < 0);
  const struct prof_gpu_api_call *found = low < join->calls.count ? &calls[low] : NULL;
  return found != NULL && found->source == source && found->correlation == correlation ? found : NULL;
}

const struct prof_gpu_api_call *prof_gpu_join_calls(const struct prof_gpu_join *join, size_t *count) {
  *count = join->calls.count;
  return join->calls.items;
}

uint64_t prof_gpu_join_damaged(const struct prof_gpu_join *join) {
  return join->damaged;
}

/* The fold's node 1 is the root of all paths, and its node 0 nobody's. */
uint32_t prof_gpu_join_path_count(const struct prof_gpu_join *join) {
  return join->paths.node_count;
}
uint32_t prof_gpu_join_parent(const struct prof_gpu_join *join, uint32_t path) {
  uint32_t parent = path > 1 ? join->paths.nodes[path].parent : 0;
  return parent > 1 ? parent : 0;
}
uint32_t prof_gpu_join_function(const struct prof_gpu_join *join, uint32_t path) {
  return path > 1 ? join->paths.nodes[path].function : PROF_NONE;
}
const char *prof_gpu_join_name(const struct prof_gpu_join *join, uint32_t function) {
  bool is_ours =
      function != PROF_NONE && function >= join->first_name && function - join->first_name < join->frames.names.count;
  return is_ours ? join->frames.names.items[function - join->first_name] : NULL;
}
uint32_t prof_gpu_join_name_count(const struct prof_gpu_join *join) {
  return (uint32_t)join->frames.names.count;
}
