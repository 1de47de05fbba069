/*
 * dense_threads.c - eight threads of tiny calls; for what a recording with a budget adds to them.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 8 };

__attribute__((noinline)) static unsigned mix(unsigned x) {
  return (x ^ x >> 15) * 2246822519u;
}

__attribute__((noinline)) static unsigned both(unsigned x) {
  return mix(x) + mix(x ^ 77);
}

static void *work(void *argument) {
  unsigned long count = *(const unsigned long *)argument;
  unsigned sum = 1;
  for (unsigned long i = 0; i < count; i++)
    sum += both(sum + (unsigned)i);
  return (void *)(size_t)sum;
}

int main(int argc, char **argv) {
  unsigned long count = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000000;
  pthread_t threads[THREADS];
  size_t sum = 0;
  for (int i = 0; i < THREADS; i++)
    if (pthread_create(&threads[i], NULL, work, &count))
      return 1;
  for (int i = 0; i < THREADS; i++) {
    void *result;
    pthread_join(threads[i], &result);
    sum += (size_t)result;
  }
  printf("%zu\n", sum);
  return 0;
}
