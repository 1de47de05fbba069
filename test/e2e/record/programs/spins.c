/* spins.c - OpenMP: a thread waits at a barrier until it has used 0.3 s of processor time there (or 10 s have passed).
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <time.h>

static clockid_t waiters_clock;
static _Atomic int waits;

static double seconds(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

__attribute__((noinline)) static void outlast(void) {
  while (!waits)
    ;
  double begin = seconds(waiters_clock), until = seconds(CLOCK_MONOTONIC) + 10;
  while (seconds(waiters_clock) < begin + 0.3 && seconds(CLOCK_MONOTONIC) < until)
    ;
}

__attribute__((noinline)) static void unbalanced(void) {
#pragma omp parallel num_threads(2)
  {
#pragma omp sections
    {
#pragma omp section
      outlast();
#pragma omp section
      {
        pthread_getcpuclockid(pthread_self(), &waiters_clock);
        waits = 1;
      }
    }
    __asm__ volatile(""); /* the region goes on after the barrier */
  }
}

int main(void) {
  unbalanced();
  return 0;
}
