/*
 * tally.c - four threads price orders and sum them up.
 *
 * They wait for each other: the lock is held while an order is priced.  -DOWN_SUMS mends it: each thread sums by itself
 * and takes the lock once.
 */
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 4, ORDERS = 60000 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned long total;

__attribute__((noinline)) static unsigned long price(unsigned long order) {
  for (int i = 0; i < 300; i++)
    order ^= order * 6364136223846793005ul >> 17;
  return order & 1023;
}

__attribute__((noinline)) static void add(unsigned long order) {
  pthread_mutex_lock(&lock);
  total += price(order);
  pthread_mutex_unlock(&lock);
}

static void *work(void *argument) {
  unsigned long first = (unsigned long)argument, own = 0;
  for (unsigned long i = first; i < first + ORDERS; i++) {
#ifdef OWN_SUMS
    own += price(i);
#else
    add(i);
#endif
  }
  pthread_mutex_lock(&lock);
  total += own;
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  for (unsigned long i = 0; i < THREADS; i++)
    pthread_create(&threads[i], NULL, work, (void *)(i * ORDERS));
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  printf("total %lu\n", total);
#ifdef OWN_SUMS
  (void)add;
#endif
  return 0;
}
