/*
 * tools/record/sampling/stretch_share.h - when samples are taken in stretches, and in how much of the time; when
 * switches of threads are recorded in stretches only; what is left of a budget beside them: the rules alone.
 *
 * Costs are those of a virtual machine, where setting a timer leaves it (docs/decisions/bounded-cost.md).
 */
#ifndef PROF_RECORD_STRETCH_SHARE_H
#define PROF_RECORD_STRETCH_SHARE_H

#include <stdbool.h>
#include <stdint.h>

/* What a sample with its stack costs the program. */
#define PROF_SAMPLE_COST_NS 25000.0
/* What a thread's switch onto a processor or off it costs, if the thread has any event of the kernel. */
#define PROF_SWITCH_COST_NS 175.0
/* What it costs more if the kernel writes a record of it. */
#define PROF_SWITCH_RECORD_COST_NS 225.0
/* What it costs more while a sampler is on, whose timer is set and stopped. */
#define PROF_TIMER_COST_NS 2500.0

/* per_ns: switches for each nanosecond of CPU time.  part: of it, for samples.  now: they are taken in stretches. */
static inline bool prof_stretch_wanted(double per_ns, double part, bool now) {
  return per_ns * PROF_TIMER_COST_NS > part * (now ? 0.2 : 0.5);
}

/* Are records of switches to be in stretches too?  budget: of the CPU time, for all.  now: they are. */
static inline bool prof_sparse_wanted(double per_ns, double budget, bool now) {
  return per_ns * PROF_SWITCH_RECORD_COST_NS > budget * (now ? 0.08 : 0.2);
}

/* What is left of a budget beside switches, as a part of it; at least three tenths.  sparse: their records are in
 * stretches, which hardly cost anything. */
static inline double prof_left_beside_switches(double budget, double per_ns, bool sparse) {
  double cost = per_ns * (PROF_SWITCH_COST_NS + (sparse ? 0 : PROF_SWITCH_RECORD_COST_NS));
  double left = budget > 0 ? 1 - cost / budget : 1;
  return left > 0.3 ? left : 0.3;
}

/* The part of the time in which a sampler with that period may be on.  part: of the CPU time, for samples. */
static inline double prof_stretch_share(double per_ns, uint64_t period_ns, double part) {
  double cost = per_ns * (PROF_TIMER_COST_NS + PROF_SWITCH_RECORD_COST_NS) + PROF_SAMPLE_COST_NS / (double)period_ns;
  double share = part / cost;
  return share > 0.5 ? 0.5 : share < 0.001 ? 0.001 : share;
}

#endif
