/*
 * tools/record/clock/beat.h - a thread that acts now and then, and rests in between.
 *
 * In: what it runs, and how long to rest.  Out: rests that end early when the recording does, or when something hurries
 * it.  `lock` is held while it acts, and released while it rests.  The thread has a short slice (short_slice.h): else,
 * among more busy threads than processors, it would wake milliseconds late.
 */
#ifndef PROF_RECORD_BEAT_H
#define PROF_RECORD_BEAT_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct prof_beat {
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t wake;
  void *(*run)(void *context);
  void *context;
  bool runs, ends;
  bool hurries; /* the next rest ends at once */
  uint64_t random;
};

/* Starts a thread that takes no signals.  false: no thread. */
bool prof_beat_start(struct prof_beat *, void *(*run)(void *context), void *context);
/* Waits for its end.  May be called again. */
void prof_beat_stop(struct prof_beat *);
/* After prof_beat_start, whatever it returned; stops it first. */
void prof_beat_fini(struct prof_beat *);

/* By the thread, with the lock.  false: it has to end. */
bool prof_beat_rest(struct prof_beat *, uint64_t ns);
uint64_t prof_beat_random(struct prof_beat *);
/* Exponential, at most ten times the mean: no period of a program meets what happens behind such gaps. */
uint64_t prof_beat_gap_ns(struct prof_beat *, double mean_ns);

/* With the lock: it rests no longer. */
void prof_beat_hurry(struct prof_beat *);

#endif
