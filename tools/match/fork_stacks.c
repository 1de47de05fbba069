/*
 * tools/match/fork_stacks.c - see fork_stacks.h: a queue, the oldest first, searched from its end.
 */
#include "fork_stacks.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "trace/write/encode.h"

struct prof_fork_stacks {
  PROF_VEC(struct prof_fork_stack) kept; /* items before `first` are dropped */
  size_t first;
  size_t bytes, most_bytes;
  pthread_mutex_t lock; /* of the others, for keep */
};

static size_t bytes_of(const struct prof_fork_stack *stack) {
  return sizeof *stack + stack->depth * sizeof *stack->frames;
}

prof_fork_stacks *prof_fork_stacks_new(size_t bytes) {
  prof_fork_stacks *stacks = calloc(1, sizeof *stacks);
  if (stacks) {
    stacks->most_bytes = bytes;
    pthread_mutex_init(&stacks->lock, NULL);
  }
  return stacks;
}

static void forget_first(prof_fork_stacks *stacks) {
  struct prof_fork_stack *oldest = &stacks->kept.items[stacks->first++];
  stacks->bytes -= bytes_of(oldest);
  free(oldest->frames);
  oldest->frames = NULL;
  if (stacks->first < stacks->kept.count / 2)
    return;
  stacks->kept.count -= stacks->first;
  memmove(stacks->kept.items, stacks->kept.items + stacks->first, stacks->kept.count * sizeof *stacks->kept.items);
  stacks->first = 0;
}

void prof_fork_stacks_free(prof_fork_stacks *stacks) {
  if (!stacks)
    return;
  while (stacks->first < stacks->kept.count)
    forget_first(stacks);
  prof_vec_fini(&stacks->kept);
  pthread_mutex_destroy(&stacks->lock);
  free(stacks);
}

void prof_fork_stacks_keep(prof_fork_stacks *stacks, const struct prof_fork_stack *stack) {
  struct prof_fork_stack copy = *stack;
  copy.frames = malloc((stack->depth + 1) * sizeof *copy.frames);
  if (!copy.frames)
    return;
  if (stack->depth)
    memcpy(copy.frames, stack->frames, stack->depth * sizeof *copy.frames);
  pthread_mutex_lock(&stacks->lock);
  bool kept = prof_vec_push(&stacks->kept, copy);
  stacks->bytes += kept ? bytes_of(&copy) : 0;
  while (stacks->bytes > stacks->most_bytes && stacks->kept.count - stacks->first > 1)
    forget_first(stacks);
  pthread_mutex_unlock(&stacks->lock);
  if (!kept)
    free(copy.frames);
}

const struct prof_fork_stack *prof_fork_stacks_find(const prof_fork_stacks *stacks, uint32_t fork) {
  for (size_t i = stacks->kept.count; i > stacks->first; i--)
    if (stacks->kept.items[i - 1].fork == fork)
      return &stacks->kept.items[i - 1];
  return NULL;
}
