/*
 * tools/fold/fork_scan.h - when threads were in parallel regions, and by which path they got there (OpenMP).
 *
 * Job: all chunks of a trace -> one interval of time for each call of a region that is not its thread's outermost call.
 * A region is open from the event before its entry to the event after its exit, in the frame that calls it: workers may
 * begin before their forker's own probe, and end after it.  Calls of one region in a row are one interval.
 *
 *   forking thread   main ---- solve ---[region]------------ next
 *                                   |<-------------------->|
 */
#ifndef PROF_FOLD_FORK_SCAN_H
#define PROF_FOLD_FORK_SCAN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "fold/core.h"
#include "proftrace.h"

#define PROF_FORK_DEPTH 1024u     /* frames of a path; regions deeper than that have none */
#define PROF_FORK_MOST (1u << 24) /* more than that have no path: a limit of memory */

struct prof_fork { /* a thread was in a region from begin to end */
  uint64_t begin, end;
  uint64_t last_end;              /* 0; for prof_fork_paths, as are the last two */
  uint64_t root_time;             /* when its thread entered `root` */
  uint32_t function;              /* the region */
  uint32_t process, thread, path; /* indices; the frames outside of the region, a node of the trie */
  uint32_t root;                  /* region that the thread was in, as its outermost call; PROF_NONE: none */
  uint32_t resolved;
  bool done;
};

struct prof_fork_task {
  const prof_trace *trace;
  const uint8_t *is_region; /* by function */
  const uint8_t *damaged;   /* by chunk; 1: it can't be read */
  unsigned workers;         /* 1 or more; the result does not depend on it */
};

typedef PROF_VEC(struct prof_fork) prof_forks;

/* Adds what the task's trace has to `forks`, in any order, and their paths to `trie`.  false: no memory. */
bool prof_fork_scan(const struct prof_fork_task *, struct prof_fold_core *trie, prof_forks *forks);

#endif
