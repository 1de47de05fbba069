/*
 * tools/tally/openmp_tally.h - parallel regions of OpenMP by the place where they begin, event after event.
 *
 * A run of a region collects its threads' parts until it ends.  A thread has a stack of parts that are open; a wait
 * belongs to the innermost one.  A run is shown if its begin is.  Memory: open runs and parts, and the sums.
 */
#ifndef PROF_TALLY_OPENMP_TALLY_H
#define PROF_TALLY_OPENMP_TALLY_H

#include "tally/call_sites.h"

enum prof_openmp_cause {
  PROF_OPENMP_BARRIER,
  PROF_OPENMP_TASKS,
  PROF_OPENMP_LOCK, /* critical and ordered sections, locks */
  PROF_OPENMP_CAUSES
};

#define PROF_OPENMP_OTHER_THREAD (UINT32_MAX - 1) /* threads of rows that became [other] */

struct prof_openmp_sum {              /* of a site: of all threads, and of each one; in ticks */
  uint32_t site, thread;              /* thread: PROF_NONE: all */
  uint64_t runs;                      /* that are over; of a thread: in which it had a part */
  uint64_t threads;                   /* the most in one run */
  uint64_t time;                      /* from begin to end, of all runs */
  uint64_t work;                      /* of the threads' parts without waits */
  uint64_t waits[PROF_OPENMP_CAUSES]; /* within parts */
  uint64_t end;                       /* from ends of parts to that of the run */
  uint64_t longest, mean;             /* of all runs: the longest work of a thread, and the mean of all threads */
};

/* ---- what goes on ---- */

struct prof_openmp_part { /* a thread's, of a run */
  uint64_t run;           /* its number within the process */
  uint32_t process, thread;
  uint64_t begin, end; /* end 0: open */
  uint64_t waits[PROF_OPENMP_CAUSES];
  enum prof_openmp_cause cause;
  uint64_t since; /* it waits for `cause`; 0: it doesn't */
};

struct prof_openmp_run {
  uint64_t number, begin;
  uint32_t process, site;
  bool shown;
  PROF_VEC(struct prof_openmp_part) parts; /* that are over */
};

struct prof_openmp_thread { /* all zero: it has no part */
  uint32_t process;
  PROF_VEC(struct prof_openmp_part) open;
  uint64_t ended; /* caller of the region whose part ended last: it tells of its end as of a barrier, too */
};

struct prof_openmp_tally { /* all zero: empty */
  bool recorded;           /* there was such an event */
  struct prof_call_sites sites;
  PROF_VEC(struct prof_openmp_sum) sums;
  struct prof_index_map known;
  PROF_VEC(struct prof_openmp_run) runs;
  PROF_VEC(struct prof_openmp_thread) threads; /* by thread */
};

/* Events of other kinds are ignored.  False: no memory. */
bool prof_openmp_tally_take(struct prof_openmp_tally *, const struct prof_measured *);
/* Adds a sum.  False: no memory. */
bool prof_openmp_tally_add(struct prof_openmp_tally *, const struct prof_openmp_sum *);
/* Runs of a process that has ended go on no more. */
void prof_openmp_tally_end_process(struct prof_openmp_tally *, uint32_t process);
void prof_openmp_tally_fini(struct prof_openmp_tally *);

#endif
