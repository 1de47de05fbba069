/*
 * wire/measure.h - measures beyond calls: memory, locks, input and output.
 *
 * `prof record --memory` and others set PROF_CONTROL_ flags of the region.  Then the runtime loads PROF_MEASURES_FILE,
 * which lies beside it, and calls PROF_MEASURES_SYMBOL after each module that it attached:
 *
 *   void prof_measures_attach_v1(const struct prof_measure_host *);
 *
 * The library puts its wrappers into the slots by which the program's objects call functions of the C library
 * (measures/README.md).  Each wrapper calls the real function, and writes what it saw by `put`: two slots of one
 * reservation (wire/event.h), the first of which commits both:
 *
 *    0                             8                      12                     16
 *    +-----------------------------+----------------------+----------------------+
 *    | time                        | MEASURE, operation,  | low 32 bits of the   |
 *    |                             | caller's bits 32-51  | caller's address     |
 *    +-----------------------------+----------------------+----------------------+
 *    | PROF_EVENT_VALUE_BIT        | OPERAND, bits 32-57  | low 32 bits of       |
 *    | + `first` (63 bits)         | of `second`          | `second`             |
 *    +-----------------------------+----------------------+----------------------+
 *
 * The caller is the address that the wrapped call returns to.
 */
#ifndef PROF_WIRE_MEASURE_H
#define PROF_WIRE_MEASURE_H

#include <stdbool.h>
#include <stdint.h>

#include "event.h"

#define PROF_MEASURES_FILE "libprof-measures.so"
#define PROF_MEASURES_SYMBOL "prof_measures_attach_v1"

/* At most PROF_MEASURE_OPERATIONS; the same numbers stand in the trace (docs/trace-format.md). */
enum prof_measure_operation {
  PROF_MEASURE_NONE = 0,
  /* Memory.  first: bytes asked for; second: address.  A block that is given back is written before the real call, one
   * that is taken after it: so of two threads the later owner of an address writes later. */
  PROF_MEASURE_ALLOC = 1,
  PROF_MEASURE_FREE = 2,          /* first: 0 */
  PROF_MEASURE_RESIZE_FROM = 3,   /* realloc begins; first: 0 */
  PROF_MEASURE_RESIZE_TO = 4,     /* and ends; second 0: the old block was given back */
  PROF_MEASURE_RESIZE_FAILED = 5, /* the old block stays; first: bytes asked for, second: 0 */
  PROF_MEASURE_MAP = 6,           /* mmap of memory without a file; first: bytes of whole pages, second: address */
  PROF_MEASURE_UNMAP = 7,         /* from this address on, before the call; first: bytes, which may be a part */
  /* Locks, and other things that threads wait for.  first: enum prof_measure_lock; second: address, of a join the
   * thread's.  A wait is written before the real call, and so is a release; what is taken, after it. */
  PROF_MEASURE_WAITS = 8, /* it isn't free, or there is nothing to be taken without a wait */
  PROF_MEASURE_TAKEN = 9, /* after WAITS, or at once */
  PROF_MEASURE_RELEASED = 10,
  PROF_MEASURE_GOES_ON = 11, /* after WAITS, without taking anything: what it waited for came, or it gave up */
  /* Parallel regions of OpenMP.  first: a number from 1, unique in a process and its forks; second: 0.  The caller is
   * the region's in all four.  Works of a region lie between its begin and its end, one per thread. */
  PROF_MEASURE_REGION_BEGINS = 12,
  PROF_MEASURE_WORK_BEGINS = 13,
  PROF_MEASURE_WORK_ENDS = 14,
  PROF_MEASURE_REGION_ENDS = 15, /* after the call: all threads have met */
  /* Input and output, after the call.  first: PROF_MEASURE_IO_BYTES bits of bytes, or of prof_measure_io_error; above
   * them the number of the file (PROF_LOG_FILE), 0: not known.  second: ticks that the call took. */
  PROF_MEASURE_READ = 16,
  PROF_MEASURE_PREAD = 17,
  PROF_MEASURE_READV = 18,
  PROF_MEASURE_PREADV = 19,
  PROF_MEASURE_WRITE = 20,
  PROF_MEASURE_PWRITE = 21,
  PROF_MEASURE_WRITEV = 22,
  PROF_MEASURE_PWRITEV = 23,
  PROF_MEASURE_OPEN = 24,
  PROF_MEASURE_CLOSE = 25,
  PROF_MEASURE_FSYNC = 26,
  PROF_MEASURE_FDATASYNC = 27,
  PROF_MEASURE_SENDFILE = 28, /* the file is the one that is written to; likewise the next */
  PROF_MEASURE_COPY = 29,     /* copy_file_range, splice, tee, vmsplice */
  PROF_MEASURE_RECV = 30,
  PROF_MEASURE_SEND = 31,
  PROF_MEASURE_RECVMSG = 32,
  PROF_MEASURE_SENDMSG = 33,
  PROF_MEASURE_CONNECT = 34,
  PROF_MEASURE_ACCEPT = 35, /* the file is the new connection */
  /* Statements of databases, after they ran.  first: PROF_MEASURE_IO_BYTES bits of rows, all ones: it failed; above
   * them the number of its text (PROF_LOG_FILE), 0: not known.  second: ticks that it took. */
  PROF_MEASURE_SQLITE_PREPARE = 36,
  PROF_MEASURE_SQLITE_RUN = 37,
  PROF_MEASURE_POSTGRES_PREPARE = 38,
  PROF_MEASURE_POSTGRES_RUN = 39,
};

#define PROF_MEASURE_IO_BYTES 43
#define PROF_MEASURE_IO_FAILED ((1ull << PROF_MEASURE_IO_BYTES) - 1)
#define PROF_MEASURE_IO_MOST (PROF_MEASURE_IO_FAILED - 4096)          /* bytes of a call; what is more is an error */
#define PROF_MEASURE_FILES ((1u << (63 - PROF_MEASURE_IO_BYTES)) - 1) /* largest number */

enum prof_measure_lock {
  PROF_MEASURE_MUTEX = 0,
  PROF_MEASURE_READER = 1, /* of a read-write lock; its release says WRITER */
  PROF_MEASURE_WRITER = 2,
  PROF_MEASURE_SPIN = 3,
  PROF_MEASURE_CONDITION = 4, /* from here on never taken: only waited for */
  PROF_MEASURE_SEMAPHORE = 5,
  PROF_MEASURE_JOIN = 6,
  PROF_MEASURE_BARRIER = 7,
  PROF_MEASURE_SLEEP = 8,        /* second: the caller's address; likewise of the next, and of barriers of OpenMP */
  PROF_MEASURE_POLL = 9,         /* poll, select, epoll_wait and so on */
  PROF_MEASURE_INPUT = 10,       /* a call that may block; second: the number of the endpoint (PROF_LOG_FILE) */
  PROF_MEASURE_FUTEX = 11,       /* by syscall() */
  PROF_MEASURE_OMP_BARRIER = 12, /* in a region, also at the end of a loop; not the region's end */
  PROF_MEASURE_OMP_TASKS = 13,
  PROF_MEASURE_CRITICAL = 14, /* these of OpenMP are held */
  PROF_MEASURE_OMP_LOCK = 15,
  PROF_MEASURE_ORDERED = 16, /* second: 0 */
  PROF_MEASURE_CHILD = 17,   /* waitpid and so on; second: the caller's address; never taken */
};

/* In the place of a CRITICAL's address. */
#define PROF_MEASURE_UNNAMED_CRITICAL 0ul
#define PROF_MEASURE_ATOMIC 1ul /* an atomic operation that needs a lock */

/* In the place of bytes: the call failed with this errno; of one that isn't below 4096, 0: not known. */
static inline uint64_t prof_measure_io_error(int error) {
  return PROF_MEASURE_IO_FAILED - (error > 0 && error < 4096 ? (uint64_t)error : 0);
}

static inline bool prof_measure_is_held(uint64_t kind) {
  return kind < PROF_MEASURE_CONDITION || (kind >= PROF_MEASURE_CRITICAL && kind <= PROF_MEASURE_ORDERED);
}

#define PROF_MEASURE_OPERATIONS 64u
#define PROF_MEASURE_OPERATION_BITS 6
#define PROF_MEASURE_SECOND_BITS 58
#define PROF_MEASURE_CALLER_BITS 52

struct prof_measure_host {
  uint32_t version; /* PROF_REGION_VERSION */
  uint32_t wanted;  /* PROF_CONTROL_ flags of the measures */
  /* Writes an event of the calling thread.  Any context; keeps errno. */
  void (*put)(uint32_t operation, const void *caller, uint64_t first, uint64_t second);
  /* Writes a line for the user into the recording. */
  void (*say)(const char *text);
  uint64_t (*ticks)(void); /* the recording's clock */
  /* Gives a file or statement its number, once in a process (PROF_LOG_FILE). */
  void (*name)(uint32_t file, const char *name);
};

static inline uint32_t prof_measure_what(uint32_t operation, uint64_t caller) {
  return prof_event_what(operation | (uint32_t)(caller >> 32) << PROF_MEASURE_OPERATION_BITS, PROF_EVENT_MEASURE);
}
static inline uint32_t prof_measure_operation(uint32_t what) {
  return prof_event_site(what) & (PROF_MEASURE_OPERATIONS - 1);
}
static inline uint64_t prof_measure_caller(uint32_t what, uint32_t aux) {
  return (uint64_t)(prof_event_site(what) >> PROF_MEASURE_OPERATION_BITS) << 32 | aux;
}
static inline uint64_t prof_measure_second(uint32_t what, uint32_t aux) {
  return (uint64_t)prof_event_site(what) << 32 | aux;
}

#endif
