/*
 * tools/fold/gpu_frames.c - see gpu_frames.h.
 *
 * A frame's number is above its caller's, so that in the order of numbers every caller has its path already.
 */
#include "fold/gpu_frames.h"

#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "fold/gpu_chunks.h"

static int compare(const void *left, const void *right) {
  const struct prof_gpu_stack_frame *a = left, *b = right;
  return prof_order(a->source, b->source) ?: prof_order(a->number, b->number);
}

static const struct prof_gpu_stack_frame *find(const struct prof_gpu_frames *frames, uint32_t source, uint32_t number) {
  struct prof_gpu_stack_frame key = {.source = source, .number = number};
  return frames->items.count > 0 && number > 0
             ? bsearch(&key, frames->items.items, frames->items.count, sizeof key, compare)
             : NULL;
}

static bool take(void *context, const struct prof_gpu_chunk *chunk, uint32_t index, uint32_t at) {
  (void)index;
  struct prof_gpu_frames *frames = context;
  return prof_vec_push(&frames->items,
                       (struct prof_gpu_stack_frame){.source = chunk->source,
                                                     .number = (uint32_t)chunk->columns[PROF_GPU_THING][at],
                                                     .parent = (uint32_t)chunk->columns[PROF_GPU_PARENT][at],
                                                     .text = chunk->columns[PROF_GPU_NAME][at]});
}

/* The number of a name; PROF_NONE: no memory. */
static uint32_t number_of(struct prof_gpu_frames *frames, const char *name) {
  for (size_t i = frames->names.count; i > 0; i--)
    if (strcmp(frames->names.items[i - 1], name) == 0)
      return (uint32_t)i - 1;
  return prof_vec_push(&frames->names, name) ? (uint32_t)frames->names.count - 1 : PROF_NONE;
}

prof_status prof_gpu_frames_load(const prof_trace *trace, uint32_t first, struct prof_fold_core *paths,
                                 struct prof_gpu_frames *frames, uint64_t *damaged) {
  enum { ALL_PATHS_NODE = 1, DEEPEST = 4096 }; /* deeper ones count as their callers: a damaged file may have a cycle */
  bool good = prof_gpu_records_visit(trace, 1u << PROF_GPU_FRAME, take, frames, damaged) == PROF_OK;
  prof_vec_sort(&frames->items, compare);
  for (size_t i = 0; i < frames->items.count && good; i++) {
    struct prof_gpu_stack_frame *frame = &frames->items.items[i];
    const struct prof_gpu_stack_frame *parent =
        frame->parent < frame->number ? find(frames, frame->source, frame->parent) : NULL;
    uint32_t name = number_of(frames, prof_trace_gpu_text(trace, frame->source, frame->text));
    good = name != PROF_NONE;
    frame->depth = parent != NULL ? parent->depth + 1 : 1;
    if (good && frame->depth > DEEPEST)
      frame->path = parent->path;
    else if (good)
      frame->path = prof_fold_child(paths, parent != NULL ? parent->path : ALL_PATHS_NODE, first + name);
  }
  return good && !paths->failed ? PROF_OK : PROF_NO_MEMORY;
}

uint32_t prof_gpu_frames_path(const struct prof_gpu_frames *frames, uint32_t source, uint32_t number) {
  const struct prof_gpu_stack_frame *frame = find(frames, source, number);
  return frame != NULL ? frame->path : 0;
}

void prof_gpu_frames_fini(struct prof_gpu_frames *frames) {
  prof_vec_fini(&frames->items);
  prof_vec_fini(&frames->names);
}
