/*
 * full_rings.c - many threads that make so many calls of a tiny function each, each time that a line comes; for how
 * fast the recorder empties their rings.
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 256 };

static pthread_barrier_t barrier;
static unsigned long count;
static bool ends;
static volatile unsigned sink;

__attribute__((noinline)) static unsigned tiny(unsigned x) {
  return (x ^ x >> 15) * 2246822519u;
}

static void *work(void *argument) {
  unsigned sum = 1;
  (void)argument;
  for (;;) {
    pthread_barrier_wait(&barrier);
    if (ends)
      return NULL;
    for (unsigned long i = 0; i < count; i++)
      sum += tiny(sum + (unsigned)i);
    sink = sum;
    pthread_barrier_wait(&barrier);
  }
}

int main(int argc, char **argv) {
  pthread_t threads[THREADS];
  count = argc > 1 ? strtoul(argv[1], NULL, 10) : 100000;
  if (pthread_barrier_init(&barrier, NULL, THREADS + 1))
    return 1;
  for (int i = 0; i < THREADS; i++)
    if (pthread_create(&threads[i], NULL, work, NULL))
      return 1;
  while (puts("ready") >= 0 && fflush(stdout) == 0 && getchar() != EOF) {
    pthread_barrier_wait(&barrier);
    pthread_barrier_wait(&barrier);
  }
  ends = true;
  pthread_barrier_wait(&barrier);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  return 0;
}
