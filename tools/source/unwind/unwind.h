/*
 * tools/source/unwind/unwind.h - the return addresses on a stack, from its registers and a copy of its top bytes.
 *
 * In: a sample, and for each address the table of the file that it lies in.  Out: the frames, innermost first, and why
 * they end.  Everything may be damaged or made up: nothing is read outside of the copy and the files' sections, a frame
 * lies above the one that it called, and there are at most PROF_UNWIND_FRAMES_MAX.  x86-64.  No memory is taken but for
 * the tables' rows.
 */
#ifndef PROF_SOURCE_UNWIND_H
#define PROF_SOURCE_UNWIND_H

#include "source/unwind/frame_table.h"
#include "source/unwind/frame_value.h"

#define PROF_UNWIND_FRAMES_MAX 256

struct prof_unwind_sample {
  uint64_t registers[PROF_FRAME_REGISTERS]; /* by DWARF number, the pc last */
  const uint8_t *stack;                     /* from the stack pointer on */
  size_t stack_bytes;
  uint64_t end_limit; /* the frame whose end reaches it is the last; 0: none */
};

/*
 * Where an address lies.  In a generated trampoline, `sled` is where it was entered from, and `pushed_bytes` is how far
 * the stack pointer lies below the sled's there: 0, or 128 and what was pushed of rax, rdx, rcx and rbx, in this order,
 * and perhaps more.
 */
struct prof_unwind_place {
  struct prof_frame_table *table; /* NULL: nothing is known there */
  uint64_t bias;                  /* an address less this is a link-time one */
  uint64_t sled;                  /* 0: it is no trampoline */
  uint32_t pushed_bytes;
};

/* *out is zeroed. */
typedef void prof_unwind_find(void *context, uint64_t address, struct prof_unwind_place *out);

struct prof_unwind_frame {
  uint64_t pc;   /* of a trampoline: its sled */
  uint64_t end;  /* where it ends on the stack, the caller's stack pointer: mostly its CFA; 0: not known */
  bool is_exact; /* the frame was interrupted at pc; else pc is a return address, and the call lies before it */
};

enum prof_unwind_end {
  PROF_UNWIND_BOTTOM,  /* the outermost frame: its return address is 0 or undefined */
  PROF_UNWIND_LIMIT,   /* `end_limit` is reached */
  PROF_UNWIND_CUT,     /* the copy of the stack ends */
  PROF_UNWIND_NO_RULE, /* nothing is known of the last address */
  PROF_UNWIND_FULL,    /* too many frames */
  PROF_UNWIND_DAMAGED, /* a frame doesn't lie above the one that it called, or its rules can't be followed */
};

/* Returns why it ended; *count is at least 1. */
enum prof_unwind_end prof_unwind(const struct prof_unwind_sample *, prof_unwind_find *, void *context,
                                 struct prof_unwind_frame frames[PROF_UNWIND_FRAMES_MAX], uint32_t *count);

#endif
