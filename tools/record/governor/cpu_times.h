/*
 * tools/record/governor/cpu_times.h - the CPU time of the recorded processes, by their CPU clocks.
 *
 * If there are processes whose clock can't be read (of another pid namespace), elapsed time counts for all of these.
 * Used by the pump only.
 */
#ifndef PROF_RECORD_CPU_TIMES_H
#define PROF_RECORD_CPU_TIMES_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#include "base/vec.h"

struct prof_cpu_time {
  pid_t pid;
  clockid_t clock;
  uint64_t ns; /* at the last reading */
};
struct prof_cpu_times {
  PROF_VEC(struct prof_cpu_time) live;
  uint64_t sum_ns;    /* of all, live or not */
  uint64_t unseen_ns; /* when elapsed time was last added; 0: all clocks can be read */
};

/* From now on; pid 0: its clock can't be read; after an exec the process's clock goes on. */
void prof_cpu_times_add(struct prof_cpu_times *, pid_t);
/* Reads all clocks; forgets processes that have none any more.  Returns the sum. */
uint64_t prof_cpu_times_read(struct prof_cpu_times *);
void prof_cpu_times_fini(struct prof_cpu_times *);

#endif
