/*
 * tools/record/sampling/perf_records.h - what a record of the kernel's buffers says.
 *
 * In: the bytes behind a record's header.  Out: the record, if its kind is known and it is complete; nothing is read
 * beyond its bytes.  Source: perf_event_open(2), linux/perf_event.h.
 */
#ifndef PROF_RECORD_PERF_RECORDS_H
#define PROF_RECORD_PERF_RECORDS_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "source/unwind/unwind.h"

struct prof_perf_counter { /* one event of the kernel */
  uint64_t id;             /* first: they are sorted by it */
  int fd;
  uint32_t counter; /* index in the set */
  bool first;       /* of a thread's, one for each processor: all have the same time enabled */
};

enum prof_perf_kind {
  PROF_PERF_SAMPLE,
  PROF_PERF_SWITCH,
  PROF_PERF_MAP,
  PROF_PERF_EXEC,
  PROF_PERF_FORK, /* of a thread or a process */
  PROF_PERF_EXIT, /* of a thread */
  PROF_PERF_NAME, /* a thread got a name, not by an exec */
  PROF_PERF_COUNTED,
};

struct prof_perf_record {
  enum prof_perf_kind kind;
  uint32_t pid, tid;
  uint32_t parent_pid;    /* FORK */
  uint64_t time_ns;       /* CLOCK_MONOTONIC_RAW */
  uint64_t address;       /* SAMPLE, COUNTED: where; MAP: begin */
  uint64_t weight;        /* COUNTED: so many events */
  uint32_t counter;       /* COUNTED: index in the set */
  uint64_t bytes;         /* MAP */
  uint64_t offset;        /* MAP: in the file */
  uint64_t device, inode; /* MAP: as in struct stat; 0, 0: no file */
  uint32_t processor;     /* number + 1 */
  uint8_t flags;          /* of SAMPLE, COUNTED and SWITCH, as in the trace */
  const char *path;       /* MAP; else "".  Valid until the call returns */
  char name[16];          /* NAME: ends in NUL */
  /* SAMPLE: where the kernel took the program's registers and stack.  Valid until the call returns; NULL: it didn't */
  const struct prof_unwind_sample *stack;
};

struct prof_perf_layout {                   /* what the kernel was asked for */
  uint64_t register_mask;                   /* 0: no registers */
  uint32_t stack_bytes;                     /* copied; if not 0, with all of PROF_PERF_STACK_REGISTERS */
  uint64_t extra_ns;                        /* the period of samples with PROF_SAMPLE_EXTRA; 0: none */
  uint64_t lost, throttled;                 /* so many the kernel has reported; they grow */
  bool identified;                          /* records have the event's id: there are counters */
  const struct prof_perf_counter *counters; /* by id; changes while they are opened */
  size_t counter_count;
};

/* Masks of sample_regs_user: where the program entered the kernel; what a stack is unwound from.  0: not on this
 * machine. */
#if defined(__x86_64__)
#include <asm/perf_regs.h>
#define PROF_PERF_PLACE_REGISTER (1ull << PERF_REG_X86_IP)
#define PROF_PERF_STACK_REGISTERS                                                                                      \
  (((1ull << (PERF_REG_X86_IP + 1)) - 1) | (((1ull << 8) - 1) << PERF_REG_X86_R8)) /* AX to IP, R8 to R15 */
#else
#define PROF_PERF_PLACE_REGISTER 0ull
#define PROF_PERF_STACK_REGISTERS 0ull
#endif

/* What samples of counters have. */
#define PROF_PERF_COUNTER_SAMPLE                                                                                       \
  (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD |                 \
   (PROF_PERF_PLACE_REGISTER != 0 ? PERF_SAMPLE_REGS_USER : 0))

#define PROF_PERF_RECORD_BYTES 65536u /* a record's length has 16 bits */

/* Fills `stack`, which borrows from `body`, where it sets out->stack.  False: not a record to hand on.  *out: zeroed,
 * but for its processor; its path borrows from `body` too. */
bool prof_perf_decode(struct prof_perf_layout *, const struct perf_event_header *, const uint8_t *body, uint32_t bytes,
                      struct prof_unwind_sample *stack, struct prof_perf_record *out);

#endif
