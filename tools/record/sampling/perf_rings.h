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

enum prof_perf_kind {
  PROF_PERF_SAMPLE,
  PROF_PERF_SWITCH,
  PROF_PERF_MAP,
  PROF_PERF_EXEC,
  PROF_PERF_FORK, /* of a thread or a process */
  PROF_PERF_EXIT, /* of a thread */
  PROF_PERF_NAME, /* a thread got a name, not by an exec */
};

struct prof_perf_record {
  enum prof_perf_kind kind;
  uint32_t pid, tid;
  uint64_t time_ns;   /* CLOCK_MONOTONIC_RAW */
  uint64_t address;   /* SAMPLE: where; MAP: begin */
  uint64_t bytes;     /* MAP */
  uint64_t offset;    /* MAP: in the file */
  uint32_t processor; /* number + 1 */
  uint8_t flags;      /* of SAMPLE and SWITCH, as in the trace */
  const char *path;   /* MAP; else "".  Valid until the call returns */
  char name[16];      /* NAME: ends in NUL */
};

struct prof_perf_ring {
  int fd, extra; /* extra: -1: none */
  void *base;    /* one page of the kernel, then the data */
  uint64_t data_bytes;
  uint32_t processor;
};

struct prof_perf {
  PROF_VEC(struct prof_perf_ring) rings;
  uint64_t page_bytes;
  bool kernel;       /* samples also in the kernel */
  uint32_t extra_ns; /* CPU time between two samples with PROF_SAMPLE_EXTRA; 0: there is no extra sampler */
  uint64_t lost, throttled;
};

struct prof_perf_wish {
  pid_t pid;
  uint32_t hz;
  bool on_exec; /* begins at the process's exec */
  bool extra;   /* with the extra sampler */
};
/* false: sets `reason`, nothing is open. */
bool prof_perf_open(struct prof_perf *, const struct prof_perf_wish *, char reason[128]);
/* Switches the extra sampler of all threads.  Thread-safe, except with opening and closing. */
void prof_perf_extra(struct prof_perf *, bool on);
void prof_perf_close(struct prof_perf *); /* all zero: no effect */

/* Of the kernel's current records. */
uint64_t prof_perf_waiting_bytes(const struct prof_perf *);
/* Takes all current records. */
void prof_perf_drain(struct prof_perf *, void (*take)(void *context, const struct prof_perf_record *), void *context);

#endif
