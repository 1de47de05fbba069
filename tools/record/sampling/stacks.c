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

/* An address that lies in no file's code ends a walk that may have lost its way. */
static bool is_in_file(struct prof_stack_place *place, const struct prof_unwind_frame *frame) {
  struct prof_unwind_place found = {0};
  prof_stack_maps_find(place, frame->pc - !frame->is_exact, &found);
  return found.table != NULL;
}

uint32_t prof_stacks_path(struct prof_stacks *stacks, struct prof_stack_maps *maps, pid_t pid,
                          const struct prof_unwind_sample *sample) {
  struct prof_unwind_frame frames[PROF_UNWIND_FRAMES_MAX];
  struct prof_stack_place place = {maps, &stacks->files, pid};
  uint32_t count, path = 0;
  (void)prof_unwind(sample, prof_stack_maps_find, &place, frames, &count);
  if (count > 1 && !is_in_file(&place, &frames[count - 1]))
    count--;
  for (uint32_t i = count; i-- > 1;) {
    /* Readers look up the byte before: in a frame that a signal interrupted, the next instruction is the frame's own.
     */
    path = prof_paths_add(&stacks->paths, path, frames[i].pc + frames[i].is_exact);
    if (path == 0) {
      stacks->unknown++;
      return 0;
    }
  }
  return path;
}

void prof_stacks_fini(struct prof_stacks *stacks) {
  prof_stack_files_fini(&stacks->files);
  prof_vec_fini(&stacks->copies.items);
  prof_vec_fini(&stacks->copies.bytes);
  prof_paths_fini(&stacks->paths);
}
