/*
 * ring_pump_thread.c - see ring_pump_thread.h.
 */
#define _GNU_SOURCE
#include "ring_pump_thread.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static struct {
  struct ring_double *ring;
  struct ring_reader readers[2048];
  ring_event_fn *event;
  void *context;
  unsigned pause_us;
  int over;
  uint64_t ended;
  pthread_t thread;
} pump;

static void round_of(bool last) {
  __atomic_fetch_add(&pump.ring->control->heartbeat, 1, __ATOMIC_RELAXED);
  for (uint32_t i = 0; i < __atomic_load_n(&pump.ring->control->threads_used, __ATOMIC_ACQUIRE); i++) {
    bool ended = ring_double_drain(pump.ring, &pump.readers[i], i, last, pump.event, pump.context);
    __atomic_fetch_add(&pump.ended, ended, __ATOMIC_RELAXED);
  }
}

static void *pump_run(void *unused) {
  while (!__atomic_load_n(&pump.over, __ATOMIC_ACQUIRE)) {
    round_of(false);
    if (pump.pause_us)
      usleep(pump.pause_us);
  }
  round_of(true);
  return unused;
}

void ring_pump_start(struct ring_double *ring, unsigned pause_us, ring_event_fn *event, void *context) {
  sigset_t all, old;
  pump.ring = ring;
  pump.event = event;
  pump.context = context;
  pump.pause_us = pause_us;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &old);
  if (pthread_create(&pump.thread, NULL, pump_run, NULL) != 0)
    abort();
  pthread_sigmask(SIG_SETMASK, &old, NULL);
}

uint64_t ring_pump_stop(void) {
  uint64_t holes = 0;
  __atomic_store_n(&pump.over, 1, __ATOMIC_RELEASE);
  pthread_join(pump.thread, NULL);
  for (size_t i = 0; i < sizeof pump.readers / sizeof *pump.readers; i++)
    holes += pump.readers[i].holes;
  return holes;
}

uint64_t ring_pump_ended(void) {
  return __atomic_load_n(&pump.ended, __ATOMIC_RELAXED);
}
