/*
 * tools/record/sampling/stacks.c - see stacks.h.
 */
#include "record/sampling/stacks.h"

#include <string.h>

uint32_t prof_stack_copies_add(struct prof_stack_copies *copies, const struct prof_unwind_sample *sample) {
  struct prof_stack_copy_of copy = {*sample, copies->bytes.count};
  if (copy.at + sample->stack_bytes > PROF_STACK_COPIES_BYTES_MAX ||
      !prof_vec_reserve(&copies->bytes, sample->stack_bytes) || !prof_vec_push(&copies->items, copy))
    return 0;
  if (sample->stack_bytes > 0)
    memcpy(copies->bytes.items + copy.at, sample->stack, sample->stack_bytes);
  copies->bytes.count += sample->stack_bytes;
  return (uint32_t)copies->items.count;
}

struct prof_unwind_sample prof_stack_copies_get(const struct prof_stack_copies *copies, uint32_t number) {
  struct prof_unwind_sample sample = copies->items.items[number - 1].sample;
  sample.stack = copies->bytes.items + copies->items.items[number - 1].at;
  return sample;
}

void prof_stack_copies_clear(struct prof_stack_copies *copies) {
  copies->items.count = copies->bytes.count = 0;
}

void prof_stack_copies_fini(struct prof_stack_copies *copies) {
  prof_vec_fini(&copies->items);
  prof_vec_fini(&copies->bytes);
}

static const struct prof_stack_file *file_of(struct prof_stack_place *place, const struct prof_unwind_frame *frame) {
  return prof_stack_maps_file(place, frame->pc - !frame->is_exact);
}

/* Where the nearest caller is enough: the walk ends in a file with probes. */
static void find_outside(void *context, uint64_t address, struct prof_unwind_place *out) {
  const struct prof_stack_file *file = prof_stack_maps_file(context, address);
  if (file != NULL && !file->has_probes && !file->is_runtime)
    prof_stack_maps_find(context, address, out);
}

/* Was it called by the runtime, before any code with probes? */
static bool is_own(struct prof_stack_place *place, const struct prof_unwind_frame *frames, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    const struct prof_stack_file *file = file_of(place, &frames[i]);
    if (file != NULL && (file->is_runtime || file->has_probes))
      return file->is_runtime;
  }
  return false;
}

/* The number of a path that has one address more. */
static bool add(struct prof_stacks *stacks, uint32_t *path, const struct prof_unwind_frame *frame) {
  /* Readers look up the byte before: in a frame that a signal interrupted, the next instruction is the frame's own. */
  *path = prof_paths_add(&stacks->paths, *path, frame->pc + frame->is_exact);
  stacks->unknown += *path == 0;
  return *path != 0;
}

uint32_t prof_stacks_path(struct prof_stacks *stacks, struct prof_stack_maps *maps, pid_t pid,
                          const struct prof_unwind_sample *sample, bool *own) {
  struct prof_unwind_frame frames[PROF_UNWIND_FRAMES_MAX];
  struct prof_stack_place place = {maps, &stacks->files, pid};
  uint32_t count, path = 0;
  (void)prof_unwind(sample, stacks->nearest ? find_outside : prof_stack_maps_find, &place, frames, &count);
  *own = is_own(&place, frames, count);
  if (*own)
    return 0;
  const struct prof_stack_file *last = file_of(&place, &frames[count - 1]);
  if (stacks->nearest) {
    if (count > 1 && last != NULL && last->has_probes)
      (void)add(stacks, &path, &frames[count - 1]);
    return path;
  }
  if (count > 1 && (last == NULL || last->table == NULL)) /* the walk may have lost its way */
    count--;
  for (uint32_t i = count; i-- > 1;)
    if (!add(stacks, &path, &frames[i]))
      return 0;
  return path;
}

void prof_stacks_fini(struct prof_stacks *stacks) {
  prof_stack_files_fini(&stacks->files);
  prof_paths_fini(&stacks->paths);
}
