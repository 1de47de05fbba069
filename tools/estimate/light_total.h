/*
 * tools/estimate/light_total.h - estimates the CPU time of a thread's plain run from its two kinds of recording.
 *
 * Job: in sparse-clock intervals (light_slices.h) a thread's probes cost less than outside of them.  Outside, samples
 * see too little of the program: it goes on while a probe reads the clock.  In slices they see too much: the program
 * waits for work of probes behind them, and probes and the recorder take caches and units of the core from it.  The
 * program's time for an event lies between the two: the middle is taken, and half their distance is its uncertainty.
 * The cost of sampling is removed from both (light_samples.h).  Where nothing is known outside, slices alone count. The
 * estimate is at most the time that the thread ran.
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
