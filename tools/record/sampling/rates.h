/*
 * tools/record/sampling/rates.h - samples in short stretches, in place of all the time, where threads are switched
 * so often that the sampler's timer, which the kernel sets at each switch, costs more than the samples.  Where even the
 * records of switches cost too much, these are in the stretches only, too, and there are stretches without samples:
 * in these windows open, as samples that come fast slow the program.
 *
 * In: how many switches the kernel wrote, in how much CPU time.  Out: samplers and records of switches switched on and
 * off, RATES chunks.
 *
 *    usual rate | gap, exponential | stretch at the fast rate | gap | ...          a stretch takes 1 ms, if it wakes in
 * time
 *
 * A stretch's share of the time is such that timers and samples fit into their part of the budget.  At the fast rate
 * many samples share the cost of the switches, so about as many are taken as at the usual one.
 *
 * Threads: its own, so that a stretch's length doesn't depend on the pump.
 */
#ifndef PROF_RECORD_RATES_H
#define PROF_RECORD_RATES_H

#include "base/vec.h"
#include "proftrace_samples.h"
#include "record/clock/beat.h"
#include "record/clock/ticks.h"
#include "record/governor/choice.h"
#include "record/sampling/perf_rings.h"
#include "trace/write/write_samples.h"

struct prof_rates {
  struct prof_perf *perf;
  enum prof_ticks_of clock;
  double budget; /* of the CPU time */
  struct prof_parts parts;
  /* A stretch for windows begins or ends (NULL: nobody wants to know).  With the beat's lock. */
  void (*stretch)(void *context, bool on);
  void *context;
  struct prof_beat beat;
  /* with its lock */
  bool wanted;                  /* samples in stretches */
  bool sparse;                  /* records of switches, too */
  enum prof_sample_rate rate;   /* as it is */
  bool lacks;                   /* records of switches are off */
  uint64_t lacks_ns, lacked_ns; /* since when; how long they were off before */
  double share;                 /* of the time that stretches may take */
  double cpus;                  /* processors that the program uses */
  uint64_t took_ns, stretch_ns; /* CPU time to switch the samplers last; the last stretch */
  PROF_VEC(struct prof_rate_change) changes;
  /* the pump's */
  bool is_open;
  uint64_t switches, cpu_ns;     /* at the last look */
  uint64_t looked_ns, missed_ns; /* when it was; how long records of switches had been off then */
  double per_ns;                 /* switches for each nanosecond of CPU time, then */
  bool lacked;                   /* records of switches were ever off */
  uint64_t seldom_ns;            /* since when there are few switches, of CPU time; 0: there are many */
  double all, timed;             /* switches, about; those while a sampler was on */
  uint64_t written_ns;
};

/* budget: of the processes' CPU time; without a part for samples, or without an extra sampler, the usual rate stays. */
void prof_rates_start(struct prof_rates *, struct prof_perf *, enum prof_ticks_of, double budget,
                      const struct prof_parts *);
/* From now on; the rates follow at the next look. */
void prof_rates_set_budget(struct prof_rates *, double budget, const struct prof_parts *);
/* Ends the current stretch and begins no other: call it before `perf` is closed.  May be called again. */
void prof_rates_stop(struct prof_rates *);
void prof_rates_fini(struct prof_rates *); /* all zero: no effect */

/* By the pump: both numbers grow.  switches: those that the kernel wrote. */
void prof_rates_look(struct prof_rates *, uint64_t switches, uint64_t cpu_ns);
/* How many processors the program uses: while it uses next to none, stretches are seldom. */
void prof_rates_note_cpus(struct prof_rates *, double cpus);
/* What is left of the budget beside switches, as a part of it. */
double prof_rates_left(const struct prof_rates *);
/* What all switches cost the program.  switches: as above, of the whole recording. */
double prof_rates_cost_ns(const struct prof_rates *, uint64_t switches);

/* Writes the changes, if it is time or the last time. */
void prof_rates_write(struct prof_rates *, prof_writer *, uint64_t now_ns, bool last);
/* Maximum size of what that would write. */
uint64_t prof_rates_waiting_bytes(struct prof_rates *);

#endif
