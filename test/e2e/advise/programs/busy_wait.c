/* A thread waits for results.  Planted: it reads a flag over and over.  CLEAN: a semaphore. */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static volatile int ready;
static sem_t filled;
static double result;

__attribute__((noinline)) static double compute(int seed) {
  double sum = seed;
  for (int i = 0; i < 40000000; i++)
    sum = sum * 0.9999 + (double)i;
  return sum;
}

static void *produce(void *unused) {
  for (int i = 0; i < 3; i++)
    result += compute(i);
  ready = 1;
  sem_post(&filled);
  return unused;
}

__attribute__((noinline)) static void wait_for_result(void) {
#ifdef CLEAN
  sem_wait(&filled);
#else
  while (!ready)
    ;
#endif
}

int main(void) {
  pthread_t thread;
  sem_init(&filled, 0, 0);
  pthread_create(&thread, NULL, produce, NULL);
  wait_for_result();
  printf("%f\n", result);
  pthread_join(thread, NULL);
  return 0;
}
