/*
 * tools/match/fork_stacks.h - the frames that were open when threads forked, by the fork's number.
 *
 * In: the stack of a matcher that has read a FORK event.  Out: the same, for the matcher of the child's thread.  It may
 * ask much later, more than once, or never.  So the newest stacks are kept, up to a number of bytes.
 */
#ifndef PROF_MATCH_FORK_STACKS_H
#define PROF_MATCH_FORK_STACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct prof_fork_stacks prof_fork_stacks;

struct prof_open_frame; /* trace/write/encode.h */

struct prof_fork_stack {
  uint32_t fork;    /* number, from 1 */
  uint32_t depth;   /* frames */
  uint32_t omitted; /* inner frames beyond the limit of depth */
  uint64_t time;    /* of the fork, ticks */
  struct prof_open_frame *frames;
};

/* bytes: limit of all frames together; one stack is always kept.  NULL: no memory. */
prof_fork_stacks *prof_fork_stacks_new(size_t bytes);
void prof_fork_stacks_free(prof_fork_stacks *); /* NULL: nothing */

/* Copies the frames; without memory it keeps nothing.  Several threads may call it at once. */
void prof_fork_stacks_keep(prof_fork_stacks *, const struct prof_fork_stack *);

/* NULL: not kept, dropped, or not yet there.  Valid until the next one is kept. */
const struct prof_fork_stack *prof_fork_stacks_find(const prof_fork_stacks *, uint32_t fork);

#endif
