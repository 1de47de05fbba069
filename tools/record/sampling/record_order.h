/*
 * tools/record/sampling/record_order.h - the kernel's records of all processors, in the order of their times.
 *
 * In: records, one processor's buffer after the other.  Out: those of before a moment at which no buffer had been read
 * yet: of that time all are there.  What was written while the buffers were read waits for the next reading: one
 * buffer may have it already, and another one what came before, as a thread's start before its first wait.
 *
 * Used by the pump only.
 */
#ifndef PROF_RECORD_RECORD_ORDER_H
#define PROF_RECORD_RECORD_ORDER_H

#include "record/sampling/perf_records.h"
#include "record/sampling/stacks.h"

struct prof_waiting_record {
  struct prof_perf_record record; /* its own path and stack are not set */
  char *path;                     /* of a MAP of a file; owned */
  uint32_t stack;                 /* in `copies`; 0: none */
};

struct prof_record_order { /* all zero: empty */
  PROF_VEC(struct prof_waiting_record) items;
  struct prof_stack_copies copies, spare;
};

/* Copies it, and what it points to; without memory it is left out. */
void prof_record_order_add(struct prof_record_order *, const struct prof_perf_record *, bool has_file);
/* Sorts them.  The first so many are of before that time, in ns as the records'. */
size_t prof_record_order_before(struct prof_record_order *, uint64_t until_ns);
/* The first ones have been taken. */
void prof_record_order_drop(struct prof_record_order *, size_t count);
void prof_record_order_fini(struct prof_record_order *);

#endif
