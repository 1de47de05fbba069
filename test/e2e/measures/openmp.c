/*
 * openmp.c - regions whose waits are known; prints "least FUNCTION KEY NS".
 *
 * Thread 0 sleeps while the others wait for it, which it knows by their announcements; at least SURE_NS of that they
 * wait.  Without omp.h: compilers don't all have it.
 */
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>

#define APART __attribute__((noinline, noclone))
#define THREADS 3
#define PAUSE_NS 120000000L
#define SURE_NS 40000000L

int omp_get_thread_num(void);
static atomic_int waiting;

static void nap(long ns) {
  struct timespec span = {0, ns};
  nanosleep(&span, NULL);
}
/* Thread 0 comes last. */
static void come(int thread) {
  if (thread)
    atomic_fetch_add(&waiting, 1);
  while (thread == 0 && atomic_load(&waiting) < THREADS - 1)
    nap(1000000);
  if (thread == 0) {
    nap(PAUSE_NS);
    atomic_store(&waiting, 0);
  }
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
