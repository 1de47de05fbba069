/*
 * tools/source/unwind/frame_value.h - what a rule yields: a number, from registers and a copy of the stack.
 *
 * In: a rule as the file has it.  Out: the value, or why there is none, and *out is as it was.  Nothing is read but the
 * section and the copy. Source: DWARF 5, 2.5 (expressions).
 */
#ifndef PROF_SOURCE_FRAME_VALUE_H
#define PROF_SOURCE_FRAME_VALUE_H

#include "source/unwind/frame_program.h"

struct prof_stack_copy {
  const uint8_t *bytes;
  size_t size;
  uint64_t address; /* of the first byte in the program */
};

enum prof_frame_value_status {
  PROF_VALUE_OK,
  PROF_VALUE_CUT,     /* it lies above the copy */
  PROF_VALUE_BELOW,   /* it lies below the copy */
  PROF_VALUE_DAMAGED, /* the rule is damaged or unknown */
};

struct prof_frame_state { /* of one frame */
  uint64_t registers[PROF_FRAME_REGISTERS];
  const struct prof_stack_copy *stack;
};

/* `cfa`: what the rule may count from; NULL for the rule of the CFA itself, which then is REGISTER or IS_EXPRESSION. */
enum prof_frame_value_status prof_frame_value(const struct prof_frame_state *, const struct prof_frame_section *,
                                              const struct prof_frame_rule *, const uint64_t *cfa, uint64_t *out);

#endif
