/*
 * tools/record/clock/beat.c - see beat.h.
 */
#include "record/clock/beat.h"

#include <math.h>
#include <signal.h>
#include <time.h>

#include "record/clock/short_slice.h"
#include "record/clock/ticks.h"

static void *begin(void *context) {
  struct prof_beat *beat = context;
  (void)prof_short_slice();
  return beat->run(beat->context);
}

bool prof_beat_start(struct prof_beat *beat, void *(*run)(void *context), void *context) {
  *beat = (struct prof_beat){.run = run, .context = context, .random = prof_steady_ns() | 1};
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_cond_init(&beat->wake, &attributes);
  pthread_condattr_destroy(&attributes);
  pthread_mutex_init(&beat->lock, NULL);
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  beat->runs = pthread_create(&beat->thread, NULL, begin, beat) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return beat->runs;
}

void prof_beat_stop(struct prof_beat *beat) {
  if (!beat->runs)
    return;
  pthread_mutex_lock(&beat->lock);
  beat->ends = true;
  pthread_cond_signal(&beat->wake);
  pthread_mutex_unlock(&beat->lock);
  pthread_join(beat->thread, NULL);
  beat->runs = false;
}

void prof_beat_fini(struct prof_beat *beat) {
  prof_beat_stop(beat);
  pthread_cond_destroy(&beat->wake);
  pthread_mutex_destroy(&beat->lock);
}

bool prof_beat_rest(struct prof_beat *beat, uint64_t ns) {
  uint64_t until_ns = prof_steady_ns() + ns;
  const struct timespec until = {(time_t)(until_ns / 1000000000u), (long)(until_ns % 1000000000u)};
  while (!beat->ends && !beat->hurries && prof_steady_ns() < until_ns)
    pthread_cond_timedwait(&beat->wake, &beat->lock, &until);
  beat->hurries = false;
  return !beat->ends;
}

/* xorshift64: G. Marsaglia, "Xorshift RNGs", Journal of Statistical Software 8(14), 2003. */
uint64_t prof_beat_random(struct prof_beat *beat) {
  beat->random ^= beat->random << 13;
  beat->random ^= beat->random >> 7;
  beat->random ^= beat->random << 17;
  return beat->random;
}

uint64_t prof_beat_gap_ns(struct prof_beat *beat, double mean_ns) {
  double uniform = ((double)(prof_beat_random(beat) >> 11) + 1) / 9007199254740993.0;
  double gap = -log(uniform) * mean_ns;
  return (uint64_t)(gap < 10 * mean_ns ? gap : 10 * mean_ns);
}

void prof_beat_hurry(struct prof_beat *beat) {
  beat->hurries = true;
  pthread_cond_signal(&beat->wake);
}
