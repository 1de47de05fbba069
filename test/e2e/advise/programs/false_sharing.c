/* Threads count.  Planted: their counters lie in one cache line.  CLEAN: each has its own. */
#include <pthread.h>
#include <stdio.h>

#ifdef CLEAN
#define ALIGNED __attribute__((aligned(128)))
enum { ROUNDS = 120000000 };
#else
#define ALIGNED
enum { ROUNDS = 60000000 };
#endif

static struct counter { volatile unsigned long value ALIGNED; } counters[2] __attribute__((aligned(128)));
static unsigned char data[4096] = {1};

__attribute__((noinline)) static void count_bytes(struct counter *counter) {
  for (int i = 0; i < ROUNDS; i++)
    counter->value += data[i & 4095];
}

static void *work(void *counter) {
  count_bytes(counter);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&threads[i], NULL, work, &counters[i]);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
  printf("%lu %lu\n", counters[0].value, counters[1].value);
  return 0;
}
