/* Threads: several at once, one that makes another, one that leaves by pthread_exit below other frames, a bare one. */
#define _GNU_SOURCE
#define FUNCTIONS(F)                                                                                                   \
  F(main, "main")                                                                                                      \
  F(body, "body")                                                                                                      \
  F(leaf, "leaf")                                                                                                      \
  F(parent, "parent")                                                                                                  \
  F(leaver, "leaver")                                                                                                  \
  F(deep, "deep")                                                                                                      \
  F(key_end, "key_end")                                                                                                \
  F(keyed, "keyed")
#include "matrix.h"
#include <pthread.h>

static pthread_key_t key;

NOINLINE static void leaf(void) {
  COUNT(leaf);
  BARRIER();
}

static void *body(void *count) {
  COUNT(body);
  for (long i = 0; i < (long)count; i++)
    leaf();
  return count;
}

static void *parent(void *count) {
  pthread_t thread;
  COUNT(parent);
  pthread_create(&thread, NULL, body, count);
  leaf();
  pthread_join(thread, NULL);
  return NULL;
}

NOINLINE static void deep(int level) {
  COUNT(deep);
  if (level == 0)
    pthread_exit((void *)5);
  deep(level - 1);
  leaf(); /* never */
  BARRIER();
}

static void *leaver(void *unused) {
  COUNT(leaver);
  deep(2);
  BARRIER();
  return NULL;
}

static void key_end(void *value) {
  COUNT(key_end);
  leaf();
  BARRIER();
}

static void *keyed(void *value) {
  COUNT(keyed);
  pthread_setspecific(key, value);
  leaf();
  BARRIER();
  return NULL;
}

UNPROBED static long joined(void *(*start)(void *), void *argument) {
  pthread_t thread;
  void *result = NULL;
  pthread_create(&thread, NULL, start, argument);
  pthread_join(thread, &result);
  return (long)result;
}

int main(int argc, char **argv) {
  pthread_t threads[4];
  long sum = 0;
  COUNT(main);
  for (long i = 0; i < 4; i++)
    pthread_create(&threads[i], NULL, body, (void *)i);
  for (int i = 0; i < 4; i++)
    pthread_join(threads[i], NULL);
  sum += joined(parent, (void *)2);
  sum += joined(leaver, NULL);
  pthread_key_create(&key, key_end);
  sum += joined(keyed, &sum);
  printf("%ld\n", sum);
  return 0;
}
