/*
 * tools/estimate/correct.h - removes the probe overhead from measured times, where that is honest.
 *
 * Job: decides whether a thread's times can be corrected, and corrects its nodes.  In: the cost of an event, and each
 * thread's events and CPU time, from the same recording.  `prof info` shows the decision.
 *
 * An event costs `cost_ticks` among other work, at most `most_ticks` right after another event, and nothing where the
 * program waits anyway (runtime/calibrate.c).  What an entry's trampoline does before it reads the clock lies in the
 * caller's time, what it does afterwards in the callee's; an exit's the other way round.  So of a call's two events,
 * one's cost lies in the callee and one's in the caller.
 *
 *   caller    ....[entry trampoline]....callee....[exit trampoline]....
 *   clock                   ^ entry                      ^ exit
 *
 * Samples in probes estimate the cost of an event in this very thread, sparse-clock intervals included.  The more
 * samples there are, the more they count against the calibration.  Among dense probes their estimate is too high:
 * samples see too little of the program there (correct_sampled.h).
 *
 * A single call's duration is the measured one less this cost for each event after its entry, its exit included
 * (fold/core.h), also where sums come from samples; --raw keeps it as measured.  With a budget it is the calibrated
 * cost: samples in probes are those of windows and counters too, whose events are none of the thread's.
 *
 * With lines=time, lines read the clock too, in the function's self time.  The cost of a reading is calibrated in the
 * same way, and removed from the nodes that had it (line_readings.h).
 *
 * The larger the probes' share of a thread's CPU time, readings for lines included, the less this correction counts and
 * the more samples do (correct_sampled.h).  The change is gradual: times do not jump with a run's noise.
 */
#ifndef PROF_ESTIMATE_CORRECT_H
#define PROF_ESTIMATE_CORRECT_H

#include "estimate/line_readings.h"
#include "estimate/profile.h"

enum prof_correction_state {
  PROF_CORRECT_DONE = 0,
  PROF_CORRECT_NO_COST, /* an older recording, or the calibration failed */
  PROF_CORRECT_NO_CPU,  /* it ended, or was killed, before its processor time was noted */
  PROF_CORRECT_CALLS,   /* -finstrument-functions: its calls cost more than what was calibrated */
};

struct prof_correction { /* of a whole thread: no filter changes it */
  enum prof_correction_state state;
  double cost_ticks, most_ticks;         /* of one event; 0: not known */
  uint64_t events;                       /* that read the clock; the others (VALUE) cost next to nothing */
  uint64_t written;                      /* all events */
  struct prof_line_reading_cost reading; /* of the clock, for a line */
  uint64_t readings;
  uint64_t cpu_ticks; /* CPU time, probes included; 0: not known */
  double share;       /* of it, the most that probes took; over 1 if the calibration was too high; 0: not known */
};

/*
 * The most work, in ticks, that one event hides from samples: the processor does it while it reads the clock.  It is
 * half of an event's cost alone: among independent work an event costs that much less (docs/benchmarks.md).
 */
static inline double prof_correction_hides(const struct prof_correction *correction) {
  return correction->most_ticks / 2;
}

/* The same, of a reading for a line. */
static inline double prof_correction_reading_hides(const struct prof_correction *correction) {
  return correction->reading.most_ticks / 2;
}

/* The most that all events and readings cost. */
static inline double prof_correction_most(const struct prof_correction *correction) {
  return correction->most_ticks * (double)correction->events +
         correction->reading.most_ticks * (double)correction->readings;
}

/*
 * Part, 0 to 1, that a thread's samples have in its self times.  It rises with the probes' share, around a half of the
 * thread's time; around a third where light_samples are many, because these are nearer to the truth.  It rises with the
 * number of samples too, up to PROF_CORRECT_SAMPLES_LEAST.
 */
double prof_correction_sampled_part(const struct prof_correction *, uint64_t light_samples, uint64_t samples);
#define PROF_CORRECT_SAMPLES_LEAST 100u

struct prof_correction prof_correction_of(const prof_trace *, uint32_t thread);

/*
 * CPU time up to the thread's last event; 0: not known.  A thread that ends by _exit or a signal recorded its CPU time
 * when it began its last segment of events.  The time from there to its last event is added, as it ran for nearly all
 * of that.  In a single process the threads together get no more than the process's CPU time.
 */
uint64_t prof_thread_used_ns(const prof_trace *, const struct prof_thread_info *);

/*
 * The cost of one event in this thread, ticks: the mean of two estimates, by samples in probes and by calibration.
 * Each is weighed by its uncertainty.  That of samples is chance; that of the calibration is `most_ticks` less
 * `cost_ticks`, or its distance from the samples' estimate where that is larger.  All events count here: those that
 * read no clock have samples in their probes too (docs/examples/wordcount takes 102 to 110 ms more than plain; by all
 * events 85 to 123 ms are removed, 106 on average, by those that read the clock 117 to 129).  Zeros: the thread has no
 * samples or no known cost, or lines read the clock too: samples can't tell them apart.
 */
struct prof_event_cost prof_correction_sampled_cost(const struct prof_correction *, uint64_t in_probes,
                                                    uint64_t samples);

/*
 * Fills error_ticks of all nodes and removes the cost from the times of threads where that is honest, unless `raw` is
 * set.  In: nodes with times that are summed up, own_readings, and own_events of probes that belong to no node; the
 * nodes' own events are added to these.  false: no memory.
 */
struct prof_correction_sums {
  uint32_t threads, corrected; /* with nodes; of them, corrected */
};
bool prof_correct_nodes(const prof_trace *, struct prof_node *nodes, uint32_t count, const struct prof_fold_options *,
                        struct prof_correction_sums *);

/* The error of a sum, whose error was `sum` before the node was added. */
uint64_t prof_error_add(uint64_t sum, const struct prof_node *);

#endif
