/*
 * tools/estimate/correct.h - removes the probe overhead from measured times, where that is honest.
 *
 * Job: decides whether a thread's times can be corrected, and corrects its nodes.  In: what the recording knows of the
 * cost of an event, and of each thread's events and processor time; nothing of any other run.  The one fold calls it,
 * so that all views agree, and `prof info` does.
 *
 * An event costs `cost_ticks` among other work, at most `most_ticks`, right after another one, and nothing where the
 * program waits all the while (runtime/calibrate.c).  A trampoline's work after its reading of the clock falls into the
 * callee of an entry and into the caller of an exit, its work before that into the other one.  So of a call's two
 * events, one's cost lies in the callee and one's in the caller.
 *
 *   caller    ....[entry trampoline]....callee....[exit trampoline]....
 *   clock                   ^ entry                      ^ exit
 *
 * Samples in probes estimate what an event cost in this very thread, light slices included.  The more of them there
 * are, the more they count, and the less calibration does.  Among dense probes they overestimate it somewhat, as
 * samples see too little of the program there (correct_sampled.h).
 *
 * A single call's duration is the measured one less this cost for each event after its entry, its exit included
 * (fold/core.h), also where sums come from samples; --raw: as measured.
 *
 * Lines with lines=time read the clock too, in the function's self time.  What a reading costs is calibrated in the
 * same way, and removed from the nodes that had it (line_readings.h).
 *
 * The more of a thread's processor time its probes took, readings for lines included, the less this correction counts,
 * and the more samples do (correct_sampled.h).  One goes over into the other, so that a program's times don't jump by
 * how loud a run was.
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

struct prof_correction { /* of one thread, whole: a filter changes nothing of it */
  enum prof_correction_state state;
  double cost_ticks, most_ticks;         /* of one event; 0: not known */
  uint64_t events;                       /* those that read the clock: the others (VALUE) cost next to nothing */
  uint64_t written;                      /* all events */
  struct prof_line_reading_cost reading; /* of the clock, for a line */
  uint64_t readings;
  uint64_t cpu_ticks; /* processor time, probes included; 0: not known */
  double share;       /* of it, the most that the probes took; over 1 if calibration was too high; 0: not known */
};

/*
 * The most work, in ticks, that one event hides from samples: it is done by the time that the clock has been read.
 * Taken as half of what an event costs alone, which is what it costs less among independent work (docs/benchmarks.md).
 */
static inline double prof_correction_hides(const struct prof_correction *correction) {
  return correction->most_ticks / 2;
}

/* The same, of a reading for a line. */
static inline double prof_correction_reading_hides(const struct prof_correction *correction) {
  return correction->reading.most_ticks / 2;
}

/* The most that all of it cost. */
static inline double prof_correction_most(const struct prof_correction *correction) {
  return correction->most_ticks * (double)correction->events +
         correction->reading.most_ticks * (double)correction->readings;
}

/*
 * Part, 0 to 1, that a thread's samples have in its self times: by the probes' share, from a fourth of a thread's time
 * up around a half, around a third where light_samples are many, because these are nearer to the truth; and by how many
 * samples there are, up to PROF_CORRECT_SAMPLES_LEAST.
 */
double prof_correction_sampled_part(const struct prof_correction *, uint64_t light_samples, uint64_t samples);
#define PROF_CORRECT_SAMPLES_LEAST 100u

struct prof_correction prof_correction_of(const prof_trace *, uint32_t thread);

/*
 * Processor time up to the thread's last event; 0: not known.  A thread that ends without recording it (_exit, a
 * signal) recorded it last when it began its last segment of events; since then it ran at most as long as it wrote
 * events, and one with many of them ran for nearly all of that.  In a single process it ran no longer than the process
 * did, less what the threads recorded.
 */
uint64_t prof_thread_used_ns(const prof_trace *, const struct prof_thread_info *);

/*
 * What one event cost in this thread, ticks: the mean of two estimates, by its samples that were in probes and by
 * calibration.  Each is weighed by its uncertainty: samples by chance, calibration by what an event costs more right
 * after another one, or by its distance from the samples' estimate.
 * So no number of samples makes one figure the other.  Events are all that were written here: those that read no clock
 * are written by probes too, and samples lie in them (docs/examples/wordcount takes 102 to 110 ms more than plain; by
 * all events 85 to 123 ms are removed, 106 on average, by those that read the clock 117 to 129).  Zeros: there are
 * none, nothing else is known of its time, or lines read the clock too and samples don't show which is which.
 */
struct prof_event_cost prof_correction_sampled_cost(const struct prof_correction *, uint64_t in_probes,
                                                    uint64_t samples);

/*
 * Fills error_ticks of all nodes and, but for raw ones, removes the cost from the times of threads where that is
 * honest.  In: nodes as in a profile; their times are summed up already, own_readings known, and own_events counts the
 * probes that belong to no node.  Adds the nodes' own to these.  false: no memory.
 */
struct prof_correction_sums {
  uint32_t threads, corrected; /* with nodes; of them, corrected */
};
bool prof_correct_nodes(const prof_trace *, struct prof_node *nodes, uint32_t count, const struct prof_fold_options *,
                        struct prof_correction_sums *);

/* The error of a sum, whose error was `sum` before the node was added. */
uint64_t prof_error_add(uint64_t sum, const struct prof_node *);

#endif
