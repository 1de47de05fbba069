/*
 * tools/fold/gpu_frames.c - see gpu_frames.h.
 *
 * A frame's number is above its caller's, so that in the order of numbers every caller has its path already.
 */
#include "fold/gpu_frames.h"
#include "base/order.h"

#include <stdlib.h>
#include <string.h>

struct frame {
  uint32_t source, number, parent, path, depth;
  uint64_t text;
};

struct frames {
  PROF_VEC(struct frame) items;
};

static int compare(const void *left, const void *right) {
  const struct frame *a = left, *b = right;
  return prof_order(a->source, b->source) ?: prof_order(a->number, b->number);
}

static const struct frame *find(const struct frames *frames, uint32_t source, uint32_t number) {
  struct frame key = {.source = source, .number = number};
  return frames->items.count > 0 && number > 0
             ? bsearch(&key, frames->items.items, frames->items.count, sizeof key, compare)
             : NULL;
}

static bool load(const prof_trace *trace, struct frames *frames, uint64_t *damaged) {
  size_t count;
  const struct prof_gpu_chunk_ref *refs = prof_trace_gpu_chunks(trace, &count);
  struct prof_gpu_chunk chunk = {0};
  bool good = true;
  for (size_t i = 0; i < count && good; i++) {
    if (refs[i].record != PROF_GPU_FRAME)
      continue;
    prof_status status = prof_gpu_chunk_load(trace, i, NULL, &chunk);
    good = status != PROF_NO_MEMORY;
    *damaged += status != PROF_OK;
    for (uint32_t at = 0; status == PROF_OK && at < chunk.count && good; at++)
      good = prof_vec_push(&frames->items, (struct frame){.source = chunk.source,
                                                          .number = (uint32_t)chunk.columns[PROF_GPU_THING][at],
                                                          .parent = (uint32_t)chunk.columns[PROF_GPU_PARENT][at],
                                                          .text = chunk.columns[PROF_GPU_NAME][at]});
  }
  prof_gpu_chunk_free(&chunk);
  if (good && frames->items.count > 0)
    qsort(frames->items.items, frames->items.count, sizeof *frames->items.items, compare);
  return good;
}

/* The number of a name; PROF_NONE: no memory. */
static uint32_t number_of(struct prof_gpu_frame_names *names, const char *name) {
  for (size_t i = names->items.count; i > 0; i--)
    if (strcmp(names->items.items[i - 1], name) == 0)
      return (uint32_t)i - 1;
  return prof_vec_push(&names->items, name) ? (uint32_t)names->items.count - 1 : PROF_NONE;
}

prof_status prof_gpu_frames_join(const prof_trace *trace, struct prof_gpu_api_call *calls, size_t count, uint32_t first,
                                 struct prof_fold_core *paths, struct prof_gpu_frame_names *names, uint64_t *damaged) {
  enum { ALL_PATHS_NODE = 1, DEEPEST = 4096 }; /* deeper ones are their callers: a damaged file knows no end */
  struct frames frames = {0};
  bool good = load(trace, &frames, damaged);
  for (size_t i = 0; i < frames.items.count && good; i++) {
    struct frame *frame = &frames.items.items[i];
    const struct frame *parent = frame->parent < frame->number ? find(&frames, frame->source, frame->parent) : NULL;
    uint32_t name = number_of(names, prof_trace_gpu_text(trace, frame->source, frame->text));
    good = name != PROF_NONE;
    frame->depth = parent != NULL ? parent->depth + 1 : 1;
    if (good && frame->depth > DEEPEST)
      frame->path = parent->path;
    else if (good)
      frame->path = prof_fold_child(paths, parent != NULL ? parent->path : ALL_PATHS_NODE, first + name);
  }
  for (size_t i = 0; i < count && good; i++) {
    const struct frame *frame = calls[i].thread == PROF_NONE ? find(&frames, calls[i].source, calls[i].stack) : NULL;
    calls[i].path = frame != NULL ? frame->path : calls[i].path;
  }
  prof_vec_fini(&frames.items);
  return good && !paths->failed ? PROF_OK : PROF_NO_MEMORY;
}
