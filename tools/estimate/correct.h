/*
 * tools/estimate/correct.h - the probes' cost, taken out of the callers' times where that is honest.
 *
 * Job: whether a thread's times can be corrected, and the correction of its nodes.  In: what the recording says of the
 * cost of an event and of each thread's events and processor time; nothing of any other run.  Used by the one fold, so
 * that all views say the same, and by `prof info`.
 *
 * An event costs `cost_ticks` among other work, at most `most_ticks`, right after another one, and nothing where the
 * program waits all the while (runtime/calibrate.c).  What a body does after it has read the clock falls into the
 * callee of an entry and into the caller of an exit, what it does before into the other one: of a call's two events,
 * one's cost lies in the callee and one's in the caller.
 *
 *   caller    ....[entry body]....callee....[exit body]....
 *   clock             ^ entry                   ^ exit
 *
 * Samples that were in probes tell what an event cost in this very thread: the part of its processor time that they
 * were there, light slices included; the more of them there are, the more that counts, and calibration the less.  Among
 * dense probes they say somewhat too much, as samples see too little of the program there (correct_sampled.h).
 *
 * A single call's duration is what was measured less this cost for each event after its entry, its exit included
 * (fold_core.h), also where sums come from samples; --raw: as measured.
 *
 * Lines with lines=time read the clock too, in the function's own time: what a reading costs, calibrated in the same
 * way, is taken out of the nodes that had it (line_readings.h).
 *
 * The more of a thread's processor time its probes took, readings for lines included, the less does that say and the
 * more do samples (correct_sampled.h): one goes over into the other, so that a program's times don't jump by how loud a
 * run was.
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
 * Part, 0 to 1, that a thread's samples have in its own times: by the probes' share, from a fourth of a thread's time
 * up around a half, around a third where light_samples are many, because these are nearer to the truth; and by how many
 * samples there are, up to PROF_CORRECT_SAMPLES_LEAST.
 */
double prof_correction_sampled_part(const struct prof_correction *, uint64_t light_samples, uint64_t samples);
#define PROF_CORRECT_SAMPLES_LEAST 100u

struct prof_correction prof_correction_of(const prof_trace *, uint32_t thread);

/*
 * Processor time up to the thread's last event; 0: not known.  A thread that ends without telling (_exit, a signal)
 * told it last when it began its last segment of events; since then it ran at most as long as it wrote events, and one
 * with many of them ran for nearly all of that.  In a single process it ran no longer than the process did, less what
 * the threads told.
 */
uint64_t prof_thread_used_ns(const prof_trace *, const struct prof_thread_info *);

/*
 * What one event cost in this thread, ticks: what so many of its samples that were in probes say, and calibration, each
 * weighed by how far it may be off: samples by chance, calibration by what an event costs more right after another one,
 * or by what samples say otherwise.
 * So no number of samples makes one figure the other.  Events are all that were written here: those that read no clock
 * are written by probes too, and samples lie in them (docs/examples/wordcount takes 102 to 110 ms more than plain; by
 * all events 85 to 123 ms are taken out, 106 on average, by those that read the clock 117 to 129).  Zeros: there are
 * none, nothing else is known of its time, or lines read the clock too and samples don't tell which is which.
 */
struct prof_event_cost prof_correction_sampled_cost(const struct prof_correction *, uint64_t in_probes,
                                                    uint64_t samples);

/*
 * Fills error_ticks of all nodes and, but for raw ones, takes the cost out of the times of threads where that is
 * honest.  In: nodes as in a profile; their times are summed up already, own_readings known, and own_events counts the
 * probes that belong to no node.  Adds the nodes' own to these.  false: no memory.
 */
struct prof_correction_sums {
  uint32_t threads, corrected; /* with nodes; of them, corrected */
};
bool prof_correct_nodes(const prof_trace *, struct prof_node *nodes, uint32_t count, const struct prof_fold_options *,
                        struct prof_correction_sums *);

#endif
