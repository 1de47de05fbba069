/*
 * fills.c - fills a trace: FUNCTIONS functions, called in an order that packs badly.
 *
 *    fills START_MS THREADS PROCESSES CALLS [DEPTH]   one call, START_MS asleep, then CALLS calls by each thread of
 * each process, below DEPTH open ones
 */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef FUNCTIONS
#define FUNCTIONS 500
#endif
#define ONE(n)                                                                                                         \
  __attribute__((noipa)) static void f##n(void) {                                                                      \
    sink++;                                                                                                            \
  }
static volatile int sink;
#include "fills.h" /* made by the test: ONE(0) ... and ALL, their list */

static void (*const all[])(void) = {ALL};
static long calls;

static void *work(void *number) {
  uint64_t state = (uintptr_t)number * 7919 + 1;
  for (long i = 0; i < calls; i++) { /* xorshift64, Marsaglia 2003 */
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    all[state % FUNCTIONS]();
  }
  return NULL;
}

__attribute__((noipa)) static void *below(long levels, void *number) {
  void *result = levels > 0 ? below(levels - 1, number) : work(number);
  sink++;
  return result;
}

int main(int count, char **words) {
  long threads = count > 4 ? atol(words[2]) : 1, processes = count > 4 ? atol(words[3]) : 1;
  calls = count > 4 ? atol(words[4]) : 0;
  f0();
  if (count > 1)
    usleep((useconds_t)atol(words[1]) * 1000);
  for (long i = 1; i < processes; i++)
    if (fork() == 0)
      break;
  pthread_t *handles = calloc((size_t)threads, sizeof *handles);
  for (long i = 1; i < threads; i++)
    pthread_create(&handles[i], NULL, work, (void *)(intptr_t)i);
  below(count > 5 ? atol(words[5]) : 0, (void *)(intptr_t)getpid());
  for (long i = 1; i < threads; i++)
    pthread_join(handles[i], NULL);
  while (wait(NULL) > 0)
    ;
  return 0;
}
