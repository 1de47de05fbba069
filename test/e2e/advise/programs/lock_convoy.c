/* Threads add numbers.  Planted: each number takes one lock that all share.  CLEAN: each thread sums by itself. */
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 4 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned long sum, shadow[64];

__attribute__((noinline)) static unsigned long value_of(unsigned i) {
  unsigned long x = i;
  for (int round = 0; round < 40; round++)
    x ^= x * 6364136223846793005ul >> 17;
  return x & 15;
}

#ifdef CLEAN
static void *work(void *unused) {
  unsigned long own = 0;
  for (unsigned i = 0; i < 1500000; i++)
    own += value_of(i);
  pthread_mutex_lock(&lock);
  sum += own;
  pthread_mutex_unlock(&lock);
  return unused;
}
#else
__attribute__((noinline)) static void add(unsigned i) {
  pthread_mutex_lock(&lock);
  sum += value_of(i);
  for (int k = 0; k < 64; k++)
    shadow[k] += sum;
  pthread_mutex_unlock(&lock);
}

static void *work(void *unused) {
  for (unsigned i = 0; i < 400000; i++)
    add(i);
  return unused;
}
#endif

int main(void) {
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++)
    pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  printf("%lu %lu\n", sum, shadow[1]);
  return 0;
}
