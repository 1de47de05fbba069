/*
 * tools/model/fork_paths.c - see fork_paths.h.
 *
 * Chunks without a region's call are not walked.  A path whose own outermost frame is a region, in a thread that a
 * region forked, goes on with that region's path.
 */
#include "model/fork_paths.h"

#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/vec.h"
#include "model/fold_core.h"
#include "model/loop_frames.h"
#include "model/names_parallel.h"

#define FORKS_MOST (1u << 24) /* later ones have no path: a limit of memory */
#define LOOK_BACK 64u         /* intervals that began before a time, of one region */
#define NESTED_MOST 16u       /* regions within regions */

struct fork { /* a thread was in a region from begin to end */
  uint64_t begin, end;
  uint64_t last_end;              /* the latest of those up to this one */
  uint64_t root_time;             /* when its thread entered `root` */
  uint32_t function;              /* the region */
  uint32_t process, thread, path; /* indices; of the frames outside of the region */
  uint32_t root;                  /* region that the thread was in, as its outermost call; PROF_NONE: none */
  uint32_t resolved;              /* with the path of `root`; 0: not yet, or not known */
  bool done;                      /* it was looked for */
};

struct prof_fork_paths {
  const prof_trace *trace;
  const struct prof_thread_info *threads;
  uint8_t *is_region; /* by function */
  size_t function_count;
  struct prof_fold_core trie; /* nodes alone */
  PROF_VEC(struct fork) forks;
};

struct frame {
  uint64_t entry, since; /* since: the last event in the frame itself that has to do with no region */
  uint32_t number;       /* function or loop */
  uint32_t first_open;   /* forks that were open when it was entered */
  bool region;
};

struct scan {
  struct prof_fork_paths *paths;
  struct prof_chunk chunk;
  PROF_VEC(struct frame) stack;
  PROF_VEC(struct fork) open;
  uint64_t beyond; /* frames deeper than those */
  uint32_t thread;
  bool failed;
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

/* ---- what threads forked ---- */

static void close_forks(struct scan *scan, uint32_t first, uint64_t time) {
  for (size_t i = first; i < scan->open.count; i++) {
    scan->open.items[i].end = time;
    if (scan->paths->forks.count < FORKS_MOST && !prof_vec_push(&scan->paths->forks, scan->open.items[i]))
      scan->failed = true;
  }
  scan->open.count = first < scan->open.count ? first : scan->open.count;
}

static void open_fork(struct scan *scan, uint32_t function) {
  const struct frame *top = &scan->stack.items[scan->stack.count - 1];
  for (size_t i = top->first_open; i < scan->open.count; i++)
    if (scan->open.items[i].function == function)
      return;
  if (scan->stack.count > PROF_FORK_DEPTH)
    return;
  struct fork fork = {.begin = top->since,
                      .function = function,
                      .process = scan->paths->threads[scan->thread].process,
                      .thread = scan->thread,
                      .root = PROF_NONE};
  for (size_t i = 0; i < scan->stack.count; i++) {
    const struct frame *frame = &scan->stack.items[i];
    if (frame->region && frame->number == function)
      return;                       /* a task that makes others like it: forked by none of them alone */
    if (frame->number != PROF_NONE) /* a loop that isn't known is part of its function */
      fork.path = prof_fold_child(&scan->paths->trie, fork.path, frame->number);
  }
  if (scan->stack.items[0].region) {
    fork.root = scan->stack.items[0].number;
    fork.root_time = scan->stack.items[0].entry;
  }
  scan->failed |= !prof_vec_push(&scan->open, fork);
}

static struct frame frame_of(const struct scan *scan, uint32_t edge, uint64_t time) {
  struct prof_site_info site = prof_trace_site(scan->paths->trace, scan->chunk.edges[edge].site);
  struct frame frame = {.entry = time, .since = time, .first_open = (uint32_t)scan->open.count};
  size_t count = scan->paths->function_count;
  if (prof_site_is_loop(&site))
    frame.number = site.loop == PROF_NONE ? PROF_NONE : prof_frame_of_loop(scan->paths->trace, site.loop);
  else
    frame.number = site.function < count ? site.function : (uint32_t)count;
  frame.region = prof_fork_paths_is_region(scan->paths, frame.number);
  return frame;
}

static void enter(struct scan *scan, uint32_t edge, uint64_t time) {
  struct frame frame = frame_of(scan, edge, time);
  if (scan->beyond || scan->stack.count == PROF_FOLD_DEPTH) {
    scan->beyond++;
    return;
  }
  if (scan->stack.count && frame.region)
    open_fork(scan, frame.number);
  else if (scan->stack.count)
    close_forks(scan, scan->stack.items[scan->stack.count - 1].first_open, time);
  frame.first_open = (uint32_t)scan->open.count;
  scan->failed |= !prof_vec_push(&scan->stack, frame);
}

static void leave(struct scan *scan, uint64_t count, uint64_t time) {
  uint64_t beyond = count < scan->beyond ? count : scan->beyond;
  bool region = false;
  scan->beyond -= beyond;
  for (count -= beyond; count > 0 && scan->stack.count; count--) {
    const struct frame *frame = &scan->stack.items[--scan->stack.count];
    close_forks(scan, frame->first_open, time);
    region = frame->region;
  }
  if (scan->stack.count && !region) {
    struct frame *top = &scan->stack.items[scan->stack.count - 1];
    close_forks(scan, top->first_open, time);
    top->since = time;
  }
}

/* ---- chunks of a thread ---- */

static bool has_regions(const struct scan *scan) {
  for (uint32_t i = 0; i < scan->chunk.edge_count; i++)
    if (prof_fork_paths_is_region(scan->paths, prof_trace_site(scan->paths->trace, scan->chunk.edges[i].site).function))
      return true;
  return false;
}

/* The open frames as the chunk lists them; `before`: the last event before. */
static void take_list(struct scan *scan, uint64_t before) {
  scan->stack.count = 0;
  scan->beyond = scan->chunk.frames_omitted;
  for (uint32_t i = 0; i < scan->chunk.frame_count; i++) {
    const struct prof_frame *listed = &scan->chunk.frames[i];
    if (scan->stack.count) /* then its caller did nothing else since */
      scan->stack.items[scan->stack.count - 1].since = listed->entry;
    enter(scan, listed->edge, listed->entry);
  }
  if (scan->stack.count)
    scan->stack.items[scan->stack.count - 1].since = before;
}

static void walk(struct scan *scan) {
  struct prof_cursor cursor;
  struct prof_step step;
  prof_cursor_begin(&cursor, &scan->chunk);
  while (!scan->failed && prof_cursor_next(&cursor, &step))
    switch (step.op) {
    case PROF_OP_ENTRY:
      enter(scan, step.value, step.time);
      break;
    case PROF_OP_EXIT:
      leave(scan, step.count < UINT64_MAX ? step.count + 1 : step.count, step.time);
      break;
    case PROF_OP_LANDED:
      leave(scan, step.count, step.time);
      break;
    case PROF_OP_STOP:
      leave(scan, UINT64_MAX, step.time);
      break;
    default:
      break;
    }
}

static void scan_thread(struct scan *scan, uint32_t thread, const uint8_t *damaged) {
  const struct prof_thread_info *info = &scan->paths->threads[thread];
  const uint32_t *chunks = prof_trace_thread_chunks(scan->paths->trace) + info->first_chunk;
  size_t chunk_count;
  const struct prof_chunk_ref *refs = prof_trace_chunks(scan->paths->trace, &chunk_count);
  uint64_t before = 0;
  bool follows = false; /* the stack is that of the next chunk's begin */
  scan->thread = thread;
  for (uint32_t i = 0; i < info->chunk_count && !scan->failed; i++) {
    const struct prof_chunk_ref *ref = &refs[chunks[i]];
    follows = follows && !(ref->flags & (PROF_CHUNK_RUN_BEGIN | PROF_CHUNK_RESUMED));
    bool loaded = !damaged[chunks[i]] && prof_chunk_load(scan->paths->trace, chunks[i], NULL, &scan->chunk) == PROF_OK;
    bool walked = loaded && has_regions(scan);
    if (!walked || !follows)
      close_forks(scan, 0, before > ref->first_time ? before : ref->first_time);
    if (walked && !follows)
      take_list(scan, before ? before : scan->chunk.base_time);
    if (walked)
      walk(scan);
    follows = walked;
    before = ref->last_time;
  }
  close_forks(scan, 0, before);
  scan->stack.count = 0;
}

/* ---- what a worker's call finds ---- */

static int by_begin(const void *a, const void *b) {
  const struct fork *left = a, *right = b;
  if (left->process != right->process)
    return left->process < right->process ? -1 : 1;
  if (left->function != right->function)
    return left->function < right->function ? -1 : 1;
  if (left->begin != right->begin)
    return left->begin < right->begin ? -1 : 1;
  return left->thread < right->thread ? -1 : left->thread > right->thread;
}

static bool is_before(const struct fork *fork, uint32_t process, uint32_t function, uint64_t time) {
  if (fork->process != process)
    return fork->process < process;
  if (fork->function != function)
    return fork->function < function;
  return fork->begin <= time;
}

static uint32_t resolve(struct prof_fork_paths *paths, struct fork *fork, uint32_t levels);

/* Of intervals that hold the time each thread's latest counts.  0: none does, or they have different paths.  levels: 0
 * where all are resolved. */
static uint32_t look_up(const struct prof_fork_paths *paths, uint32_t thread, uint32_t function, uint64_t time,
                        uint32_t levels) {
  uint32_t process = paths->threads[thread].process, path = 0, of_thread = PROF_NONE;
  size_t low = 0, high = paths->forks.count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (is_before(&paths->forks.items[middle], process, function, time))
      low = middle + 1;
    else
      high = middle;
  }
  for (uint32_t i = 0; i < LOOK_BACK && low > 0; i++) {
    struct fork *fork = &paths->forks.items[--low];
    if (fork->process != process || fork->function != function || fork->last_end < time)
      break;
    if (fork->end < time || fork->thread == thread || fork->thread == of_thread)
      continue;
    uint32_t resolved = levels ? resolve((struct prof_fork_paths *)paths, fork, levels) : fork->resolved;
    if (of_thread != PROF_NONE && resolved != path) /* a path that isn't known is another one */
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
static uint32_t resolve(struct prof_fork_paths *paths, struct fork *fork, uint32_t levels) {
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
  struct fork *forks = paths->forks.items;
  if (paths->forks.count)
    qsort(forks, paths->forks.count, sizeof *forks, by_begin);
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

prof_status prof_fork_paths_find(const prof_trace *trace, const uint8_t *damaged, struct prof_diag *diag,
                                 struct prof_fork_paths **out) {
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
  struct scan scan = {.paths = paths, .failed = !prof_fold_init(&paths->trie, 1)};
  for (uint32_t i = 0; i < thread_count && !scan.failed; i++)
    scan_thread(&scan, i, damaged);
  prof_chunk_free(&scan.chunk);
  prof_vec_fini(&scan.stack);
  prof_vec_fini(&scan.open);
  if (!scan.failed)
    settle(paths);
  if (scan.failed || paths->trie.failed) {
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
