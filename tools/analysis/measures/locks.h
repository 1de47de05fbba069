/*
 * tools/analysis/measures/locks.h - for which locks did threads wait, and who held them meanwhile?
 *
 * In: a trace that was recorded with --locks.  Out: a row per lock, with the places that held it while others waited.
 * Locks without a name of their own (no variables) that were first taken at the same place are one row.
 *
 * A wait belongs to the place that waited.
 * It is divided at each change of the lock's holders.  A part in which it was held belongs to the holder, named by
 * the place where it took the lock; several readers share it equally.  A part in which nobody held it (the next thread
 * wakes up, or has no processor) was handed over by the last holder.  What is held from before the recording has no
 * known holder.  Waits that never ended count up to the recording's end.
 *
 * Conditions, semaphores, joins, barriers and futexes are rows too: nobody holds them, and each wait is an acquisition.
 * Sleeps, polls, input and child processes only on request: they say nothing of how threads work together.
 *
 * The filter chooses waits and acquisitions; holders are everybody.
 */
#ifndef PROF_ANALYSIS_LOCKS_H
#define PROF_ANALYSIS_LOCKS_H

#include "analysis/measures/measured_place.h"
#include "study/symbols.h"
#include "tally/lock_state.h"

struct prof_lock_holder {
  struct prof_measured_place place;
  uint32_t node;        /* by_path: its path */
  uint64_t wait_ns;     /* of others while it was held from there */
  uint64_t handover_ns; /* after it was released from there, until the next one took it */
};

struct prof_lock_waiting {
  struct prof_measured_place place;
  uint64_t wait_ns;
};

struct prof_lock_row {
  char *name;       /* a variable, or "mutex at app.c:30" */
  const char *kind; /* "mutex", ... */
  bool is_held;     /* false: only waited for, as a sleep */
  uint64_t locks;   /* how many of that name */
  uint64_t acquisitions, contended;
  uint64_t wait_ns, wait_p99_ns, wait_max_ns;
  uint64_t waiters_ns; /* elapsed time of the threads that waited */
  size_t waiters;
  uint64_t unknown_ns; /* part of wait_ns that has no known holder */
  uint64_t hold_ns, longest_hold_ns;
  struct prof_measured_place longest; /* where the longest hold began; function NULL: none */
  uint32_t holder_count, holder_capacity;
  struct prof_lock_holder *holders; /* most wait first */
  uint32_t waiting_count, waiting_capacity;
  struct prof_lock_waiting *waiting; /* where threads waited for it, most first; none: nobody waited */
};

struct prof_locks {
  struct prof_lock_row *rows;
  size_t count;
  bool recorded;     /* false: nothing was measured at all */
  uint64_t left_out; /* sleeps and so on that were not asked for */
  struct prof_measured_paths paths;
};

enum prof_lock_sort { PROF_LOCK_WAIT, PROF_LOCK_ACQUISITIONS, PROF_LOCK_CONTENDED, PROF_LOCK_HOLD };
extern const char *const prof_lock_sorts[]; /* words, NULL-terminated */

struct prof_lock_options {
  enum prof_lock_sort sort;
  bool all;     /* with sleeps and so on */
  bool by_path; /* a holder for each call path to its place */
};

/* Texts live as long as names and source.  Free *out with prof_locks_free, after a failure too. */
prof_status prof_locks_rank(const prof_trace *, const struct prof_filter *, struct prof_names *,
                            const struct prof_line_source *, struct prof_symbols *, const struct prof_lock_options *,
                            struct prof_diag *, struct prof_locks *out) PROF_MUST_CHECK;
void prof_locks_free(struct prof_locks *);

#endif
