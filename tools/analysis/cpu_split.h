/*
 * tools/analysis/cpu_split.h - of the time in each node of the call tree: how much did the thread run, wait, stand by?
 *
 * In: a profile and its samples' pauses.  Out: ticks per node, with what it called and without.  The rest of a node's
 * time its thread ran.  Times that come from samples (profile.h) have nothing in them of what a thread stood by.
 */
#ifndef PROF_ANALYSIS_CPU_SPLIT_H
#define PROF_ANALYSIS_CPU_SPLIT_H

#include "model/samples.h"

struct prof_off_cpu {
  uint64_t blocked, preempted; /* ticks */
};

struct prof_cpu_split { /* by node */
  struct prof_off_cpu *total, *self;
};

/* PROF_NO_MEMORY.  Both arrays are NULL where switches were not recorded. */
prof_status prof_cpu_split_find(const struct prof_profile *, const struct prof_samples *, struct prof_diag *,
                                struct prof_cpu_split *out) PROF_MUST_CHECK;
void prof_cpu_split_free(struct prof_cpu_split *);

/* What a thread didn't wait nor stand by, of a time, it ran. */
static inline uint64_t prof_running_ns(uint64_t time_ns, uint64_t blocked_ns, uint64_t preempted_ns) {
  uint64_t off_ns = blocked_ns + preempted_ns;
  return time_ns > off_ns ? time_ns - off_ns : 0;
}

#endif
