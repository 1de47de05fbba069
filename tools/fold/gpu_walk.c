/*
 * tools/fold/gpu_walk.c - see gpu_walk.h.
 */
#include "fold/gpu_walk.h"

#include "fold/steps.h"
#include "names/loop_frames.h"

#define ALL_PATHS 0u /* the fold's root under which all paths stand: its node is 1 */

static uint32_t path_of(const struct prof_fold_core *paths) {
  uint32_t node = paths->stack[paths->depth].node & PROF_FOLD_NODE;
  return node > 1 ? node : 0;
}

static void leave(struct prof_fold_core *paths, uint64_t count) {
  uint64_t held = prof_leave_beyond(&paths->beyond, count);
  paths->depth -= held < paths->depth ? (uint32_t)held : paths->depth;
}

static void leave_around(struct prof_fold_core *paths, const struct prof_step *step) {
  const uint64_t inside = prof_step_around(step, paths->depth, &paths->beyond);
  if (inside != UINT64_MAX)
    prof_fold_close_up(paths, paths->depth - (uint32_t)inside);
}

/* What is done in a loop is done by its function. */
static void enter(struct prof_gpu_walk *walk, uint32_t edge) {
  const struct prof_site_frame frame = prof_frame_of_site(walk->trace, walk->chunk.edges[edge].site, false);
  prof_fold_enter_as(walk->paths, frame.number, 0, frame.is_quiet ? PROF_FOLD_LOOP | PROF_FOLD_QUIET : 0);
}

static void walk_chunk(struct prof_gpu_walk *walk, const struct prof_gpu_visitor *visitor) {
  struct prof_fold_core *paths = walk->paths;
  struct prof_cursor cursor;
  struct prof_step step;
  prof_fold_begin(paths, ALL_PATHS);
  for (uint32_t i = 0; i < walk->chunk.frame_count; i++)
    enter(walk, walk->chunk.frames[i].edge);
  paths->beyond += walk->chunk.frames_omitted;
  prof_cursor_begin(&cursor, &walk->chunk);
  uint64_t wanted = visitor->wanted(visitor->context);
  while (wanted != UINT64_MAX && prof_cursor_next(&cursor, &step)) {
    if (wanted < step.time) {
      visitor->take(visitor->context, path_of(paths), step.time);
      wanted = visitor->wanted(visitor->context);
    }
    if (prof_effects[step.op].enters)
      enter(walk, step.value);
    leave(paths, prof_step_frames(&step));
    if (prof_effects[step.op].around)
      leave_around(paths, &step);
  }
}

prof_status prof_gpu_walk_thread(struct prof_gpu_walk *walk, uint32_t thread, const struct prof_gpu_visitor *visitor) {
  const struct prof_chunk_ref *refs = prof_trace_chunks(walk->trace, NULL);
  const struct prof_thread_info *info = &prof_trace_threads(walk->trace, NULL)[thread];
  const uint32_t *order = prof_trace_thread_chunks(walk->trace) + info->first_chunk;
  for (uint32_t i = 0; i < info->chunk_count; i++) {
    uint64_t wanted = visitor->wanted(visitor->context);
    bool is_last = i + 1 == info->chunk_count;
    if (wanted == UINT64_MAX)
      break;
    if (!is_last && wanted > refs[order[i]].last_time)
      continue;
    prof_status status = prof_chunk_load(walk->trace, order[i], NULL, &walk->chunk);
    if (status == PROF_NO_MEMORY)
      return status;
    walk->damaged += status != PROF_OK;
    if (status != PROF_OK)
      continue;
    walk_chunk(walk, visitor);
    /* Up to its last time here, the rest with the next chunk's frames. */
    uint64_t until = is_last ? UINT64_MAX : refs[order[i]].last_time + 1;
    if (visitor->wanted(visitor->context) < until)
      visitor->take(visitor->context, path_of(walk->paths), until);
  }
  return walk->paths->failed ? PROF_NO_MEMORY : PROF_OK;
}
