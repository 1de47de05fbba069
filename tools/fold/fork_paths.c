/*
 * tools/fold/fork_paths.c - see fork_paths.h.
 *
 * A path whose own outermost frame is a region, in a thread that a region forked, goes on with that region's path.
 */
#include "fold/fork_paths.h"

#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/order.h"
#include "fold/core.h"
#include "fold/fork_scan.h"
#include "names/parallel.h"

#define LOOK_BACK 64u   /* intervals that began before a time, of one region */
#define NESTED_MOST 16u /* regions within regions */

struct prof_fork_paths {
  const prof_trace *trace;
  const struct prof_thread_info *threads;
  uint8_t *is_region; /* by function */
  size_t function_count;
  struct prof_fold_core trie; /* nodes alone */
  prof_forks forks;
};

bool prof_fork_paths_is_region(const struct prof_fork_paths *paths, uint32_t function) {
  return function < paths->function_count && paths->is_region[function];
}

static bool find_regions(struct prof_fork_paths *paths) {
  const struct prof_function *functions = prof_trace_functions(paths->trace, &paths->function_count);
  size_t owner;
  bool any = false;
  paths->is_region = calloc(paths->function_count + 1, 1);
  for (size_t i = 0; paths->is_region && i < paths->function_count; i++)
    any |= paths->is_region[i] = prof_name_is_parallel(functions[i].name, &owner);
  return any;
}

static int by_begin(const void *a, const void *b) {
  const struct prof_fork *left = a, *right = b;
  int order = prof_order(left->process, right->process) ?: prof_order(left->function, right->function);
  return order ?: prof_order(left->begin, right->begin) ?: prof_order(left->thread, right->thread);
}

static bool is_before(const struct prof_fork *fork, uint32_t process, uint32_t function, uint64_t time) {
  if (fork->process != process)
    return fork->process < process;
  if (fork->function != function)
    return fork->function < function;
  return fork->begin <= time;
}

static uint32_t resolve(struct prof_fork_paths *paths, struct prof_fork *fork, uint32_t levels);

/* Of intervals that hold the time each thread's latest counts.  0: none does, or they have different paths.  levels: 0
 * where all are resolved. */
static uint32_t look_up(const struct prof_fork_paths *paths, uint32_t thread, uint32_t function, uint64_t time,
                        uint32_t levels) {
  uint32_t process = paths->threads[thread].process, path = 0, of_thread = PROF_NONE;
  size_t low =
      prof_search(0, paths->forks.count, middle, is_before(&paths->forks.items[middle], process, function, time));
  for (uint32_t i = 0; i < LOOK_BACK && low > 0; i++) {
    struct prof_fork *fork = &paths->forks.items[--low];
    if (fork->process != process || fork->function != function || fork->last_end < time)
      break;
    if (fork->end < time || fork->thread == thread || fork->thread == of_thread)
      continue;
    uint32_t resolved = levels ? resolve((struct prof_fork_paths *)paths, fork, levels) : fork->resolved;
    if (of_thread != PROF_NONE && resolved != path) /* an unknown path differs from all */
      return 0;
    path = resolved;
    of_thread = fork->thread;
  }
  return path;
}

/* Frames of a node of the trie, outermost first; returns how many. */
static uint32_t frames_of(const struct prof_fork_paths *paths, uint32_t path, uint32_t *frames) {
  uint32_t count = 0;
  for (uint32_t at = path; at != 0; at = paths->trie.nodes[at].parent)
    count++;
  for (uint32_t at = path, i = count; at != 0; at = paths->trie.nodes[at].parent)
    frames[--i] = paths->trie.nodes[at].function;
  return count;
}

/* The path from the outermost frame of the thread that forked first. */
static uint32_t resolve(struct prof_fork_paths *paths, struct prof_fork *fork, uint32_t levels) {
  uint32_t frames[PROF_FORK_DEPTH], outer[PROF_FORK_DEPTH];
  if (fork->done)
    return fork->resolved;
  uint32_t base = 0;
  if (fork->root != PROF_NONE && levels > 1)
    base = look_up(paths, fork->thread, fork->root, fork->root_time, levels - 1);
  uint32_t count = frames_of(paths, fork->path, frames), outer_count = base ? frames_of(paths, base, outer) : 0;
  bool fits = count + outer_count <= PROF_FORK_DEPTH;
  fork->done = true;
  fork->resolved = fits ? base : 0;
  for (uint32_t i = 0; i < count && fits; i++)
    fork->resolved = prof_fold_child(&paths->trie, fork->resolved, frames[i]);
  return fork->resolved;
}

static void settle(struct prof_fork_paths *paths) {
  struct prof_fork *forks = paths->forks.items;
  prof_vec_sort(&paths->forks, by_begin);
  for (size_t i = 0; i < paths->forks.count; i++) {
    bool same = i > 0 && forks[i].process == forks[i - 1].process && forks[i].function == forks[i - 1].function;
    uint64_t before = same ? forks[i - 1].last_end : 0;
    forks[i].last_end = forks[i].end > before ? forks[i].end : before;
  }
  for (size_t i = 0; i < paths->forks.count; i++)
    resolve(paths, &forks[i], NESTED_MOST);
}

uint32_t prof_fork_paths_of(const struct prof_fork_paths *paths, uint32_t thread, uint32_t function, uint64_t time,
                            uint32_t *frames) {
  return frames_of(paths, look_up(paths, thread, function, time, 0), frames);
}

prof_status prof_fork_paths_find(const prof_trace *trace, const uint8_t *damaged, unsigned workers,
                                 struct prof_diag *diag, struct prof_fork_paths **out) {
  size_t thread_count;
  *out = NULL;
  const struct prof_thread_info *threads = prof_trace_threads(trace, &thread_count);
  struct prof_fork_paths *paths = calloc(1, sizeof *paths);
  if (!paths)
    return prof_diag_memory(diag);
  paths->trace = trace;
  paths->threads = threads;
  bool any = find_regions(paths), made = paths->is_region != NULL;
  if (!any || thread_count < 2) {
    prof_fork_paths_free(paths);
    return made ? PROF_OK : prof_diag_memory(diag);
  }
  struct prof_fork_task task = {trace, paths->is_region, damaged, workers};
  bool fits = prof_fold_init(&paths->trie, 1) && prof_fork_scan(&task, &paths->trie, &paths->forks);
  if (fits)
    settle(paths);
  if (!fits || paths->trie.failed) {
    prof_fork_paths_free(paths);
    return prof_diag_memory(diag);
  }
  *out = paths;
  return PROF_OK;
}

void prof_fork_paths_free(struct prof_fork_paths *paths) {
  if (!paths)
    return;
  free(paths->is_region);
  prof_fold_fini(&paths->trie);
  prof_vec_fini(&paths->forks);
  free(paths);
}
