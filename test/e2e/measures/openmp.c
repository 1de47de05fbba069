/*
 * openmp.c - regions whose waits are known; prints "least KEY NS LINE" with the line of the region.
 *
 * Thread 0 sleeps while the others wait for it, which it knows by their announcements; at least SURE_NS of that they
 * wait.  Without omp.h: compilers don't all have it.
 */
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>

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
__attribute__((noinline, noclone)) static void regions(int *sum) {
#pragma omp parallel num_threads(THREADS)
  {
    come(omp_get_thread_num());
#pragma omp barrier
#pragma omp critical(adding)
    *sum += 1;
  }
  printf("least barrier_ns %ld %d\n", 2 * SURE_NS, __LINE__ - 7);
#pragma omp parallel num_threads(THREADS)
  come(omp_get_thread_num());
  printf("least end_ns %ld %d\n", 2 * SURE_NS, __LINE__ - 2);
  int more = 0;
  for (int run = 0; run < 5; run++)
#pragma omp parallel for num_threads(THREADS) reduction(+ : more)
    for (int i = 0; i < 30; i++)
      more += i;
  printf("least time_ns 0 %d\n", __LINE__ - 3);
  *sum += more;
}

int main(void) {
  int sum = 0;
  regions(&sum);
  printf("sum %d\n", sum);
  return 5;
}
