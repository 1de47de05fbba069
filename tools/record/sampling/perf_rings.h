/*
 * tools/record/sampling/perf_rings.h - the kernel's samples of a process and its descendants, through
 * perf_event_open(2).
 *
 * Job: one event per processor that children and threads inherit, each with a mapped buffer; no signal, and nothing in
 * the program.  In: a process that is about to exec, or runs.  Out: records, by processor, so not in time order.  Needs
 * no privilege while kernel.perf_event_paranoid is at most 2; then there are no samples in the kernel.
 *
 * Source: perf_event_open(2), linux/perf_event.h.  Used by one thread at a time.
 */
#ifndef PROF_RECORD_PERF_RINGS_H
#define PROF_RECORD_PERF_RINGS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/vec.h"
#include "record/sampling/perf_counters.h"
#include "record/sampling/perf_records.h"

struct prof_perf_ring {
  int fd;
  int usual, extra; /* samplers beside it; -1: none */
  int switches;     /* likewise, what writes switches of threads; -1: `fd` does */
  void *base;       /* one page of the kernel, then the data */
  uint64_t data_bytes;
  uint32_t processor;
};

struct prof_perf_other {          /* a thread that ran before, on one processor; its events are in the ring's buffer */
  int fd, usual, extra, switches; /* as there */
};

struct prof_perf {
  PROF_VEC(struct prof_perf_ring) rings;
  PROF_VEC(struct prof_perf_other) others;
  uint64_t page_bytes;
  bool kernel; /* samples also in the kernel */
  struct prof_perf_layout layout;
  struct prof_perf_counters counters;
  char no_stacks[128]; /* why samples have no stacks although they were wished; or "" */
};

struct prof_perf_wish {
  pid_t pid;
  uint32_t hz;
  bool on_exec;                  /* begins at the process's exec */
  bool threads;                  /* pid runs, and may have several threads */
  bool extra;                    /* with the extra sampler */
  uint32_t stack_bytes;          /* of the top of the stack, where the kernel gives it; a multiple of 8; 0: none */
  bool nearest;                  /* of a sample's callers the nearest in a file with probes is enough */
  struct prof_pmu_set *counters; /* borrowed, outlives the rings; NULL: none */
  bool apart; /* samplers and records of switches can be switched off, and all else goes on; with an extra sampler at a
                 high rate */
};
/* false: sets `reason`, nothing is open. */
bool prof_perf_open(struct prof_perf *, const struct prof_perf_wish *, char reason[128]);
/* Switches the extra sampler of all threads.  Thread-safe, except with opening and closing. */
void prof_perf_extra(struct prof_perf *, bool on);
/* Switches the usual sampler likewise; without `apart` it has no effect. */
void prof_perf_usual(struct prof_perf *, bool on);
/* Switches records of threads' switches likewise. */
void prof_perf_switches(struct prof_perf *, bool on);
void prof_perf_close(struct prof_perf *); /* all zero: no effect */

/* How many records of the kernel wait to be taken: their sizes differ by a hundred times. */
uint64_t prof_perf_waiting(const struct prof_perf *);
/* Takes all current records. */
void prof_perf_drain(struct prof_perf *, void (*take)(void *context, const struct prof_perf_record *), void *context);

#endif
