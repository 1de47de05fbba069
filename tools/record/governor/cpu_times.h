/*
 * tools/record/governor/cpu_times.h - the CPU time of the recorded processes, by their CPU clocks.
 *
 * If there are processes whose clock can't be read (of another pid namespace), elapsed time counts for all of these.
 * A process's clock is gone when it has ended, for short ones before it was ever read: then the times that its threads
 * noted at their ends count, if they are more than what was read.  Used by the pump only.
 */
#ifndef PROF_RECORD_CPU_TIMES_H
#define PROF_RECORD_CPU_TIMES_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#include "base/vec.h"

struct prof_cpu_time {
  uint32_t process; /* number */
  pid_t pid;
  clockid_t clock;
  uint64_t before_ns; /* what its clock showed when it began to count */
  uint64_t ns;        /* counted so far */
  uint64_t told_ns;   /* by its threads that have ended */
};
struct prof_cpu_times {
  PROF_VEC(struct prof_cpu_time) live;
  PROF_VEC(struct prof_cpu_time) ended; /* the latest ones: their threads may be told later */
  uint64_t sum_ns;                      /* of all, live or not */
  uint64_t unseen_ns;                   /* when elapsed time was last added; 0: all clocks can be read */
};

/* pid 0: its clock can't be read; after an exec the process's clock goes on.  from_now: what it used before, when
 * nobody recorded it, doesn't count. */
void prof_cpu_times_add(struct prof_cpu_times *, uint32_t process, pid_t, bool from_now);
/* A thread of a process has ended, and has used so much. */
void prof_cpu_times_tell(struct prof_cpu_times *, uint32_t process, uint64_t ns);
/* Reads all clocks; forgets processes that have none any more.  Returns the sum. */
uint64_t prof_cpu_times_read(struct prof_cpu_times *);
void prof_cpu_times_fini(struct prof_cpu_times *);

#endif
