/*
 * Threads that are cancelled: at a cancellation point below other frames, with cleanup handlers, and at any
 * instruction.
 */
#define _GNU_SOURCE
#define FUNCTIONS(F)                                                                                                   \
  F(main, "main")                                                                                                      \
  F(waits, "waits")                                                                                                    \
  F(deep, "deep")                                                                                                      \
  F(cleanup, "cleanup")                                                                                                \
  F(leaf, "leaf")                                                                                                      \
  F(spins, "spins")                                                                                                    \
  F(spin, "spin")
#include "matrix.h"
#include <pthread.h>

static int ready;
static pthread_key_t key;

NOINLINE static void leaf(void) {
  COUNT(leaf);
  BARRIER();
}

NOINLINE static void cleanup(void *unused) {
  COUNT(cleanup);
  leaf();
  BARRIER();
}

NOINLINE static void deep(int level) {
  COUNT(deep);
  if (level > 0) {
    deep(level - 1);
  } else {
    __atomic_store_n(&ready, 1, __ATOMIC_RELEASE);
    pause();
  }
  BARRIER();
}

static void *waits(void *unused) {
  COUNT(waits);
  pthread_cleanup_push(cleanup, NULL);
  deep(2);
  BARRIER();
  pthread_cleanup_pop(0);
  return NULL;
}

NOINLINE static void spin(void) {
  COUNT(spin);
  __atomic_store_n(&ready, 1, __ATOMIC_RELEASE);
  for (;;)
    BARRIER();
}

static void *spins(void *unused) {
  COUNT(spins);
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
  pthread_setspecific(key, &ready);
  spin();
  BARRIER();
  return NULL;
}

UNPROBED static int cancelled(void *(*start)(void *)) {
  pthread_t thread;
  void *result = NULL;
  __atomic_store_n(&ready, 0, __ATOMIC_RELEASE);
  pthread_create(&thread, NULL, start, NULL);
  while (!__atomic_load_n(&ready, __ATOMIC_ACQUIRE))
    usleep(100);
  pthread_cancel(thread);
  pthread_join(thread, &result);
  return result == PTHREAD_CANCELED;
}

int main(int argc, char **argv) {
  COUNT(main);
  pthread_key_create(&key, cleanup);
  int count = cancelled(waits) + cancelled(spins);
  leaf();
  printf("%d\n", count);
  return 0;
}
