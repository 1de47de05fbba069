/*
 * tools/estimate/light_total.h - estimates a thread's plain run from its two kinds of recording.
 *
 * Job: a thread with light slices (light_slices.h) is seen with its probes at two costs.  Outside of slices samples see
 * too little of the program: it goes on while a probe waits for the clock's reading.  In slices they see too much: some
 * of what is done for probes is waited for behind them, and probes and the recorder take caches and units of the core
 * from the program.  What the program takes for an event lies between the two; the middle is taken, and half their
 * distance is its uncertainty.  What the sampling itself took is removed from both: the time between the two events
 * around a sample in a trampoline is hardly anything else (light_samples.h).  Where nothing is known of the rest,
 * slices alone count.  No program took more than the thread ran.  In and out: figures; no other run's.
 */
#ifndef PROF_ESTIMATE_LIGHT_TOTAL_H
#define PROF_ESTIMATE_LIGHT_TOTAL_H

struct prof_thread_part { /* of a thread: its slices, or the rest of its time */
  double cpu_ticks;       /* processor time */
  double sampling_ticks;  /* of it, what samples took */
  double outside;         /* part of its samples that were outside of the profiler, 0 to 1 */
  double events;
};

struct prof_light_total {
  double ticks; /* of all events; 0: not known */
  double error; /* its uncertainty, as a part of it: 0 to 1 */
};

struct prof_light_total prof_light_total_of(const struct prof_thread_part *light, const struct prof_thread_part *rest);

#endif
