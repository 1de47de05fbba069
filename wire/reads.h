/*
 * wire/reads.h - a program asks the recorder for its own figures (prof_read of prof.h): slots of the shared region.
 *
 * PROF_READ_SLOTS slots lie at `reads_offset` of the header (control.h), before the segments.  One request has one
 * slot:
 *
 *    FREE --program--> FILLING --program--> ASKED --recorder--> TAKEN --recorder--> ANSWERED --program--> FREE
 *
 * Who may write what:
 *   FREE      nobody; a thread takes the slot by its compare-and-swap to FILLING
 *   FILLING   that thread, `name`; its signals are blocked, so that only the end of the process ends this step
 *   ASKED     nobody
 *   TAKEN     the recorder, `answer`
 *   ANSWERED  nobody; the thread copies `answer` and frees the slot
 *
 * `state` holds the step, a number that grows with each FILLING, and the owner's process number.  Every change of it is
 * a compare-and-swap of the whole.  So a side that has lost a slot meanwhile sees it: its change fails, and what
 * it had copied doesn't count.
 *
 * A thread that gives up frees a slot that is ASKED or TAKEN.  The recorder frees slots of processes that have ended,
 * and those that have been ASKED, TAKEN or ANSWERED for PROF_READ_FORGOTTEN_NS: their threads left prof_read by
 * longjmp.  It never frees a FILLING one of a living process.  Only the recorder writes `answer`, in one thread.  So an
 * answer that is late does no harm: the slot's next answer replaces it.
 *
 * A thread that stores ASKED, or finds no slot FREE, adds 1 to `reads` of the header and rings the bell.  It waits on
 * the low half of `state`, a futex.
 */
#ifndef PROF_WIRE_READS_H
#define PROF_WIRE_READS_H

#include <stdint.h>

#define PROF_READ_SLOTS 32u
#define PROF_READ_NAME_BYTES 1792u             /* with its NUL */
#define PROF_READ_LIMIT_NS 60000000000ll       /* a thread waits no longer */
#define PROF_READ_FORGOTTEN_NS 180000000000ull /* well beyond that limit */

enum prof_read_step {
  PROF_READ_FREE = 0,
  PROF_READ_FILLING = 1,
  PROF_READ_ASKED = 2,
  PROF_READ_TAKEN = 3,
  PROF_READ_ANSWERED = 4,
};

/* process << 32 | number of the FILLING << 3 | step; of a FREE slot the process is 0. */
#define PROF_READ_STEPS 7u
static inline uint32_t prof_read_step(uint64_t state) {
  return (uint32_t)state & PROF_READ_STEPS;
}
static inline uint32_t prof_read_process(uint64_t state) {
  return (uint32_t)(state >> 32);
}
/* The same request, one step on. */
static inline uint64_t prof_read_at(uint64_t state, enum prof_read_step step) {
  return (state & ~(uint64_t)PROF_READ_STEPS) | step;
}
static inline uint64_t prof_read_filling(uint64_t free, uint32_t process) {
  return (uint64_t)process << 32 | (uint32_t)((free | PROF_READ_STEPS) + 1) | PROF_READ_FILLING;
}
static inline uint64_t prof_read_freed(uint64_t state) {
  return (uint32_t)state & ~PROF_READ_STEPS;
}

/* As struct prof_figures of prof.h: members are only added, at its end. */
struct prof_read_figures {
  uint64_t time_ns;
  uint64_t functions;
  uint64_t calls, calls_low, calls_high;
  uint64_t total_ns, running_ns, waiting_ns;
  uint64_t self_ns, self_running_ns, self_waiting_ns;
  uint64_t min_ns, avg_ns, max_ns, p50_ns, p95_ns, p99_ns;
};

struct prof_read_answer {
  uint64_t found; /* 1: there are figures; 0: there is no such function, or it has no calls */
  struct prof_read_figures figures;
};

struct prof_read_slot {
  uint64_t state;
  uint8_t pad[56];
  struct prof_read_answer answer;
  uint8_t pad2[192 - sizeof(struct prof_read_answer)];
  uint8_t name[PROF_READ_NAME_BYTES];
};
_Static_assert(sizeof(struct prof_read_slot) == 2048, "two slots are a page");

/* The futex: the low half, on a little-endian processor. */
static inline uint32_t *prof_read_futex(struct prof_read_slot *slot) {
  return (uint32_t *)(void *)&slot->state;
}

#endif
