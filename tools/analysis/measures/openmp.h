/*
 * tools/analysis/measures/openmp.h - how evenly did the threads of OpenMP's parallel regions work, and what did they
 * wait for?
 *
 * In: a trace that was recorded with --locks, a summary too.  Out: a row per region in the source; or per region and
 * thread.
 *
 * A thread's part of a region is its work and its waits: at barriers, for tasks, for critical sections, locks and
 * ordered sections; and from the end of its part until all threads have met.  Sleeps and input are work here.  A region
 * within another one is work of the outer one, with waits of its own.  Regions without an end are left out.
 *
 * The filter chooses regions by the calls, threads and time in which they begin.
 */
#ifndef PROF_ANALYSIS_OPENMP_H
#define PROF_ANALYSIS_OPENMP_H

#include "analysis/measures/measured_place.h"

struct prof_openmp_row {
  struct prof_measured_place place;
  uint32_t thread;                        /* index; PROF_NONE: all threads, or what became [other] */
  uint64_t runs;                          /* of the region; of a thread: in which it had a part */
  uint64_t threads;                       /* the most in one run */
  uint64_t time_ns;                       /* from begin to end, of all runs */
  uint64_t work_ns;                       /* of all threads */
  uint64_t wait_ns;                       /* barrier_ns + tasks_ns + lock_ns + end_ns */
  uint64_t barrier_ns, tasks_ns, lock_ns; /* within it; lock: critical and ordered sections, locks */
  uint64_t end_ns;                        /* at the region's end */
  double imbalance;    /* the longest work over the mean of all threads of a run; mean of the runs, weighted by time */
  uint64_t unequal_ns; /* so much shorter the runs were, had the threads had equal work */
};

struct prof_openmp {
  struct prof_openmp_row *rows;
  size_t count;
  uint64_t runs, time_ns, wait_ns, unequal_ns; /* of all regions shown */
  bool recorded;                               /* false: nothing was measured at all */
  struct prof_measured_paths paths;
};

enum prof_openmp_sort { PROF_OPENMP_WAIT, PROF_OPENMP_TIME, PROF_OPENMP_UNEQUAL, PROF_OPENMP_RUNS };
extern const char *const prof_openmp_sorts[]; /* words, NULL-terminated */

/* Texts live as long as names and source.  Free *out with prof_openmp_free, after a failure too. */
prof_status prof_openmp_rank(const prof_trace *, const struct prof_filter *, struct prof_names *,
                             const struct prof_line_source *, bool by_thread, enum prof_openmp_sort, struct prof_diag *,
                             struct prof_openmp *out) PROF_MUST_CHECK;
void prof_openmp_free(struct prof_openmp *);

#endif
