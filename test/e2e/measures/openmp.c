/*
 * openmp.c - regions whose waits are known; prints "least FUNCTION KEY NS".
 *
 * Thread 0 sleeps for SURE_NS while the others wait for it.  It knows that they do: since their announcement, behind
 * which only the barrier stands, they have gone to sleep or used REACH_NS of a processor.  Without omp.h: compilers
 * don't all have it.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>

#include "../../support/asleep.h"

#define APART __attribute__((noinline, noclone))
#define THREADS 3
#define SURE_NS 100000000L
#define REACH_NS 2000000L

int omp_get_thread_num(void);
static atomic_int waiting;
static struct waiter {
  int tid;
  clockid_t clock;
  long used_ns; /* when it announced that it waits */
} waiters[THREADS];

static void nap(long ns) {
  struct timespec span = {0, ns};
  nanosleep(&span, NULL);
}
static long used_ns(clockid_t clock) {
  struct timespec time = {0, 0};
  clock_gettime(clock, &time);
  return time.tv_sec * 1000000000 + time.tv_nsec;
}
static void announce(struct waiter *waiter) {
  waiter->tid = prof_test_tid();
  pthread_getcpuclockid(pthread_self(), &waiter->clock);
  waiter->used_ns = used_ns(waiter->clock);
  atomic_fetch_add(&waiting, 1);
}
static int waits(const struct waiter *waiter) {
  return prof_test_is_asleep(getpid(), waiter->tid) || used_ns(waiter->clock) > waiter->used_ns + REACH_NS;
}
/* Thread 0 comes last. */
static void come(int thread) {
  if (thread) {
    announce(&waiters[thread]);
    return;
  }
  while (atomic_load(&waiting) < THREADS - 1)
    nap(1000000);
  for (int i = 1; i < THREADS; i++)
    while (!waits(&waiters[i]))
      nap(1000000);
  nap(SURE_NS);
  atomic_store(&waiting, 0);
}
APART static void meet(int *sum) {
#pragma omp parallel num_threads(THREADS)
  {
    come(omp_get_thread_num());
#pragma omp barrier
#pragma omp critical(adding)
    *sum += 1;
  }
}
APART static void end(void) {
#pragma omp parallel num_threads(THREADS)
  come(omp_get_thread_num());
  atomic_store(&waiting, 0); /* no tail call */
}
APART static int loop(void) {
  int sum = 0;
  for (int run = 0; run < 5; run++)
#pragma omp parallel for num_threads(THREADS) reduction(+ : sum)
    for (int i = 0; i < 30; i++)
      sum += i;
  return sum;
}

int main(void) {
  int sum = 0;
  meet(&sum);
  end();
  sum += loop();
  printf("least end end_ns %ld\nleast loop time_ns 0\nleast meet barrier_ns %ld\nsum %d\n", 2 * SURE_NS, 2 * SURE_NS,
         sum);
  return 5;
}
