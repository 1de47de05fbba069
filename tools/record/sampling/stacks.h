/*
 * tools/record/sampling/stacks.h - the callers of samples: from registers and copied stacks to numbers of paths.
 *
 * In: stacks as the kernel copied them, and what is mapped in the process.  Out: a path's number for each, PATHS
 * chunks. A stack is unwound up to the outermost frame, to the end of the copy, or to an address without rules: the
 * profiler's generated code, that of others, files that can't be read.  What lies further out isn't known then.
 *
 * Where the nearest caller is enough, a path is one address at most: the first that lies in a file with probes.  Code
 * of such files has none.
 *
 * Used by the pump only.
 */
#ifndef PROF_RECORD_STACKS_H
#define PROF_RECORD_STACKS_H

#include "record/sampling/stack_maps.h"
#include "record/tables/path_table.h"

struct prof_stack_copy_of { /* a sample's */
  struct prof_unwind_sample sample;
  size_t at; /* of its first byte in `bytes` */
};
struct prof_stack_copies { /* stacks that wait until the kernel's records are in order */
  PROF_VEC(struct prof_stack_copy_of) items;
  PROF_VEC(uint8_t) bytes;
};
#define PROF_STACK_COPIES_BYTES_MAX (64u << 20)

/* Its number, from 1; 0: no room. */
uint32_t prof_stack_copies_add(struct prof_stack_copies *, const struct prof_unwind_sample *);
/* Valid until the next addition.  The number must be one that was given since the copies were cleared. */
struct prof_unwind_sample prof_stack_copies_get(const struct prof_stack_copies *, uint32_t number);
void prof_stack_copies_clear(struct prof_stack_copies *);
void prof_stack_copies_fini(struct prof_stack_copies *);

struct prof_stacks {
  struct prof_stack_files files;
  struct prof_path_table paths;
  bool nearest;     /* a path ends at the first caller in a file with probes */
  uint64_t unknown; /* stacks without a number, as the table of paths is full */
};

/* The path of the innermost frame's caller; 0: it has none, or it isn't known.  *own: the profiler's runtime runs, or
 * what it called, as the kernel's clock. */
uint32_t prof_stacks_path(struct prof_stacks *, struct prof_stack_maps *, pid_t, const struct prof_unwind_sample *,
                          bool *own);
void prof_stacks_fini(struct prof_stacks *);

#endif
