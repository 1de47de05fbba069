/*
 * tools/record/pmu/pmu_plan.h - which of the wished counters the machine has, and which fit it at the same time.
 *
 * Job: tries each counter on this process.  Counters of the processor go into groups: those of a group count at the
 * same time.  The kernel refuses what doesn't fit: the counter begins another group, and groups take turns.  In: names'
 * encodings.  Out: a group for each counter, or a reason.
 */
#ifndef PROF_RECORD_PMU_PLAN_H
#define PROF_RECORD_PMU_PLAN_H

#include "proftrace_pmu.h"
#include "record/pmu/pmu_layer.h"
#include "record/pmu/pmu_names.h"

#define PROF_PMU_REASON_BYTES 112u

struct prof_pmu_counter {
  struct prof_pmu_event event;
  bool refused, user_only;
  uint32_t group; /* of one group: it counts when its first one does */
  char reason[PROF_PMU_REASON_BYTES];
};

struct prof_pmu_set {
  struct prof_pmu_counter counters[PROF_PMU_MOST];
  uint32_t count;
  uint32_t groups; /* of counters of the processor: more than 1: they take turns */
};

void prof_pmu_plan(struct prof_pmu_set *, const struct prof_pmu_event *, uint32_t count, const struct prof_pmu_layer *);

/* What the kernel is asked for: samples at `hz`, or of each event where events are rare.  The rest is the caller's. */
struct perf_event_attr prof_pmu_attributes(const struct prof_pmu_counter *, uint32_t hz);
/* Does each event have a sample? */
bool prof_pmu_is_exact(const struct prof_pmu_counter *);

/* It is not there: the reason is the error's. */
void prof_pmu_refuse(struct prof_pmu_counter *, int error);

/* One line: which counters are not there, and why; "": all are.  Returns their number. */
uint32_t prof_pmu_missing_text(const struct prof_pmu_set *, char *text, size_t bytes);

#endif
