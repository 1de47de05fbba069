/*
 * tools/tally/sums.c - see sums.h: the events of a stretch into tallies that know no indices of it.
 */
#include "tally/sums.h"

#include <string.h>

#include "base/diag.h"
#include "names/loop_frames.h"

prof_status prof_tally_sums_init(struct prof_tally_sums *sums) {
  const struct prof_measured_node root = {.function = PROF_NONE};
  *sums = (struct prof_tally_sums){.io = {.by_place = true}, .queries = {.by_place = true}};
  sums->memory.by = PROF_MEMORY_BY_PLACE;
  sums->memory.sized = true;
  return prof_vec_push(&sums->paths.nodes, root) ? PROF_OK : PROF_NO_MEMORY;
}

void prof_tally_sums_fini(struct prof_tally_sums *sums) {
  prof_vec_fini(&sums->keys);
  prof_index_fini(&sums->known_keys);
  prof_measured_paths_fini(&sums->paths);
  prof_memory_tally_fini(&sums->memory);
  prof_lock_states_fini(&sums->locks);
  prof_io_tally_fini(&sums->io);
  prof_query_tally_fini(&sums->queries);
  prof_openmp_tally_fini(&sums->regions);
  prof_vec_fini(&sums->processes);
  prof_vec_fini(&sums->over);
  memset(sums, 0, sizeof *sums);
}

prof_status prof_tally_sums_clear(struct prof_tally_sums *sums) {
  struct prof_tally_sums fresh;
  prof_status status = prof_tally_sums_init(&fresh);
  if (status != PROF_OK)
    return status;
  prof_memory_tally_clear(&sums->memory);
  fresh.memory = sums->memory;
  memcpy(&fresh.processes, &sums->processes, sizeof fresh.processes);
  memcpy(&fresh.over, &sums->over, sizeof fresh.over);
  memset(&sums->memory, 0, sizeof sums->memory);
  memset(&sums->processes, 0, sizeof sums->processes);
  memset(&sums->over, 0, sizeof sums->over);
  prof_tally_sums_fini(sums);
  *sums = fresh;
  return PROF_OK;
}

struct adding {
  struct prof_tally_sums *sums;
  const prof_trace *trace;
  const struct prof_measured_paths *paths; /* of the walk */
  const struct prof_thread_info *threads;
  const struct prof_process *processes;
  size_t process_count;
  uint32_t *keys;           /* by frame: index of a key of the sums; PROF_NONE: not looked up yet */
  PROF_VEC(uint32_t) moved; /* by node of the walk: of the sums */
};

/* ---- processes and threads ---- */

static bool take_processes(struct adding *adding) {
  struct prof_tally_sums *sums = adding->sums;
  const struct prof_process none = {.parent = PROF_NONE};
  for (size_t i = 0; i < adding->process_count; i++) {
    struct prof_process process = adding->processes[i];
    process.parent = process.parent != PROF_NONE ? adding->processes[process.parent].number : PROF_NONE;
    process.executable = NULL;
    while (sums->processes.count <= process.number)
      if (!prof_vec_push(&sums->processes, none) || !prof_vec_push(&sums->over, 0))
        return false;
    sums->processes.items[process.number] = process;
  }
  return true;
}

/* Those that were not over before, by number. */
static bool find_ends(const struct adding *adding, struct prof_process_ends *ends) {
  size_t left = 0;
  if (!prof_process_ends_find(ends, adding->trace))
    return false;
  for (size_t i = 0; i < ends->list.count; i++) {
    struct prof_process_end end = ends->list.items[i];
    end.process = adding->processes[end.process].number;
    end.heir = end.heir != PROF_NONE ? adding->processes[end.heir].number : PROF_NONE;
    if (!adding->sums->over.items[end.process])
      ends->list.items[left++] = end;
  }
  ends->list.count = left;
  return true;
}

/* When the thread ended; UINT64_MAX: it goes on. */
static uint64_t end_of(const struct prof_thread_info *thread) {
  return thread->end_ticks ? thread->end_ticks : UINT64_MAX;
}

/* Waits that began in stretches before end with their threads at the latest. */
static bool end_waits(struct adding *adding, size_t thread_count) {
  struct prof_index_map threads = {0};
  bool good = true;
  for (uint32_t i = 0; i < thread_count && good; i++)
    good = prof_index_add(&threads, adding->threads[i].number, i);
  for (size_t i = 0; i < adding->sums->locks.locks.count && good; i++) {
    const struct prof_lock *lock = &adding->sums->locks.locks.items[i];
    for (size_t j = 0; j < lock->waiting.count; j++) {
      const uint32_t at = prof_index_of(&threads, lock->waiting.items[j].thread);
      if (at != UINT32_MAX && end_of(&adding->threads[at]) > lock->waiting.items[j].begin)
        lock->waiting.items[j].until = end_of(&adding->threads[at]);
    }
  }
  prof_index_fini(&threads);
  return good;
}

static bool begin(struct adding *adding) {
  struct prof_tally_sums *sums = adding->sums;
  size_t thread_count, number = 0;
  adding->threads = prof_trace_threads(adding->trace, &thread_count);
  adding->processes = prof_trace_processes(adding->trace, &adding->process_count);
  for (size_t i = 0; i < thread_count; i++)
    number = adding->threads[i].number > number ? adding->threads[i].number : number;
  const size_t frames = prof_frame_count(adding->trace);
  adding->keys = malloc(frames * sizeof *adding->keys);
  if (!adding->keys || !take_processes(adding) || !end_waits(adding, thread_count))
    return false;
  memset(adding->keys, 0xff, frames * sizeof *adding->keys);
  struct prof_process_ends ends = {0};
  bool good = find_ends(adding, &ends) &&
              prof_memory_tally_go_on(&sums->memory, sums->processes.items, sums->processes.count, number + 1, &ends);
  prof_process_ends_fini(&ends);
  return good;
}

/* ---- events ---- */

/* *key: PROF_NONE: not known.  False: no memory. */
static bool key_of(struct adding *adding, uint32_t frame, uint32_t *key) {
  struct prof_tally_sums *sums = adding->sums;
  const struct prof_summary_key *keys = sums->keys.items;
  *key = PROF_NONE;
  if (frame == PROF_NONE)
    return true;
  if (adding->keys[frame] == PROF_NONE) {
    const struct prof_summary_key fresh = prof_summary_key_of_frame(adding->trace, frame);
    adding->keys[frame] = prof_index_meet(
        &sums->known_keys, &sums->keys, prof_index_hash((uint64_t)fresh.module << 32 | fresh.index, fresh.kind), i,
        keys[i].kind == fresh.kind && keys[i].module == fresh.module && keys[i].index == fresh.index, fresh);
  }
  *key = adding->keys[frame];
  return *key != UINT32_MAX;
}

/* Nodes come after their parents.  False: no memory. */
static bool move_node(struct adding *adding, uint32_t *node) {
  while (adding->moved.count <= *node) {
    const struct prof_measured_node *from = &adding->paths->nodes.items[adding->moved.count];
    uint32_t key, to = 0;
    if (adding->moved.count > 0) {
      if (!key_of(adding, from->function, &key))
        return false;
      to = prof_measured_path_below(&adding->sums->paths, adding->moved.items[from->parent], key);
    }
    if (to == UINT32_MAX || !prof_vec_push(&adding->moved, to))
      return false;
  }
  *node = adding->moved.items[*node];
  return true;
}

static bool take(void *context, const struct prof_measured *measured) {
  struct adding *adding = context;
  struct prof_tally_sums *sums = adding->sums;
  const struct prof_thread_info *thread = &adding->threads[measured->thread];
  struct prof_measured event = *measured;
  if (!move_node(adding, &event.node) || !key_of(adding, measured->function, &event.function))
    return false;
  event.thread = thread->number;
  event.process = measured->process < adding->process_count ? adding->processes[measured->process].number : 0;
  event.ends_ticks = end_of(thread) > event.time_ticks ? end_of(thread) : UINT64_MAX;
  return prof_memory_tally_take(&sums->memory, &event) && prof_lock_states_take(&sums->locks, &event) &&
         prof_io_tally_take(&sums->io, &event) && prof_query_tally_take(&sums->queries, &event) &&
         prof_openmp_tally_take(&sums->regions, &event);
}

prof_status prof_tally_sums_add(struct prof_tally_sums *sums, const prof_trace *trace, struct prof_diag *diag) {
  const struct prof_filter_spec spec = {.end_ns = UINT64_MAX};
  struct prof_filter filter = {0}; /* what is not forgotten */
  struct prof_measured_paths paths = {0};
  struct adding adding = {.sums = sums, .trace = trace, .paths = &paths};
  prof_status status = prof_filter_init(&filter, trace, &spec, diag);
  if (status == PROF_OK && !begin(&adding))
    status = prof_diag_memory(diag);
  if (status == PROF_OK)
    status = prof_measured_walk(trace, &filter, take, &adding, &paths, diag);
  for (size_t i = 0; i < sums->memory.past; i++) {
    const uint32_t process = sums->memory.ends.list.items[i].process;
    if (!sums->over.items[process])
      prof_openmp_tally_end_process(&sums->regions, process);
    sums->over.items[process] = 1;
  }
  prof_measured_paths_fini(&paths);
  prof_vec_fini(&adding.moved);
  free(adding.keys);
  prof_filter_fini(&filter);
  return status;
}
