/*
 * ring_pause.c - the longest gap between two calls of two threads, in turns of a given length.
 *
 * Usage: ring_pause TURNS MS.  Out: a line for each turn, at its end, with the longest gap in it in microseconds.  A
 * reader asks for a snapshot in every other one.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { THREADS = 2 };
static uint64_t gaps[THREADS];
static int ends;

__attribute__((no_instrument_function, always_inline)) static inline uint64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

__attribute__((noinline)) static void call(unsigned x) {
  __asm__ volatile("" : "+r"(x));
}

__attribute__((no_instrument_function)) static void *work(void *argument) {
  uint64_t *most = argument, last = now_ns();
  while (!__atomic_load_n(&ends, __ATOMIC_RELAXED)) {
    call(1);
    uint64_t now = now_ns();
    if (now - last > __atomic_load_n(most, __ATOMIC_RELAXED))
      __atomic_store_n(most, now - last, __ATOMIC_RELAXED);
    last = now;
  }
  return NULL;
}

__attribute__((no_instrument_function)) int main(int argc, char **argv) {
  pthread_t threads[THREADS];
  int turns = argc > 1 ? atoi(argv[1]) : 10;
  long ms = argc > 2 ? atol(argv[2]) : 500;
  for (int i = 0; i < THREADS; i++)
    pthread_create(&threads[i], NULL, work, &gaps[i]);
  for (int turn = 0; turn <= turns; turn++) {
    uint64_t most = 0;
    nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000}, NULL);
    for (int i = 0; i < THREADS; i++) {
      uint64_t gap = __atomic_exchange_n(&gaps[i], 0, __ATOMIC_RELAXED);
      most = gap > most ? gap : most;
    }
    if (turn > 0) { /* the first one has the start */
      printf("%.1f\n", (double)most / 1000);
      fflush(stdout);
    }
  }
  __atomic_store_n(&ends, 1, __ATOMIC_RELAXED);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  return 0;
}
