/*
 * tools/record/sampling/stretch_share.h - when samples are taken in stretches, and in how much of the time: the rules
 * alone.
 *
 * Costs are those of a virtual machine, where setting a timer leaves it (docs/decisions/bounded-cost.md).
 */
#ifndef PROF_RECORD_STRETCH_SHARE_H
#define PROF_RECORD_STRETCH_SHARE_H

#include <stdbool.h>
#include <stdint.h>

/* What a sample with its stack costs the program. */
#define PROF_SAMPLE_COST_NS 25000.0
/* What it costs that the kernel writes a thread's switch onto a processor or off it. */
#define PROF_SWITCH_COST_NS 400.0
/* What it costs more while a sampler is on, whose timer is set and stopped. */
#define PROF_TIMER_COST_NS 2500.0

/* per_ns: switches for each nanosecond of CPU time.  part: of it, for samples.  now: they are taken in stretches. */
static inline bool prof_stretch_wanted(double per_ns, double part, bool now) {
  return per_ns * PROF_TIMER_COST_NS > part * (now ? 0.2 : 0.5);
}

/* What is left of a part of the CPU time when records of switches are paid from it; at least three tenths. */
static inline double prof_part_beside_switches(double part, double per_ns) {
  double left = part - per_ns * PROF_SWITCH_COST_NS, least = 0.3 * part;
  return left > least ? left : least;
}

/* The part of the time in which a sampler with that period may be on. */
static inline double prof_stretch_share(double per_ns, uint64_t period_ns, double part) {
  double cost = per_ns * PROF_TIMER_COST_NS + PROF_SAMPLE_COST_NS / (double)period_ns;
  double share = prof_part_beside_switches(part, per_ns) / cost;
  return share > 0.5 ? 0.5 : share < 0.001 ? 0.001 : share;
}

#endif
