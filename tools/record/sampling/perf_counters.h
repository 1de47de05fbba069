/*
 * tools/record/sampling/perf_counters.h - counters of processors and of the kernel, whose samples go into the buffers
 * of perf_rings.h.
 *
 * In: a plan (record/pmu/pmu_plan.h).  Out: an event per counter and processor, that children and threads inherit;
 * their samples are told apart by the kernel's id.  Used by one thread at a time.
 */
#ifndef PROF_RECORD_PERF_COUNTERS_H
#define PROF_RECORD_PERF_COUNTERS_H

#include "base/vec.h"
#include "record/pmu/pmu_plan.h"
#include "record/sampling/perf_records.h"

struct prof_perf_counters {
  struct prof_pmu_set *set; /* borrowed; NULL: none are wished */
  PROF_VEC(struct prof_perf_counter) events;
};

struct prof_perf_place { /* where counters of a thread are opened */
  pid_t pid;
  int processor, ring; /* ring: descriptor that owns the buffer */
  uint32_t hz;
  bool on_exec, first; /* first: the thread's first processor */
};
/* Opens all that are not refused; what fails is refused from then on. */
void prof_perf_counters_open(struct prof_perf_counters *, const struct prof_perf_place *);
void prof_perf_counters_sort(struct prof_perf_counters *); /* after all were opened */
void prof_perf_counters_close(struct prof_perf_counters *);

/* What each counted so far, for the trace.  Texts are borrowed from the set. */
void prof_perf_counters_read(const struct prof_perf_counters *, struct prof_pmu out[PROF_PMU_MOST]);

#endif
