/*
 * tools/base/hands.c - see hands.h.
 */
#include "base/hands.h"

#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

unsigned prof_hands_most(void) {
  cpu_set_t set;
  int count = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
  return count < 1 ? 1 : (unsigned)count;
}

void prof_hands_run(void *hands, unsigned count, size_t hand_bytes, void *(*work)(void *hand)) {
  uint8_t *first = hands;
  pthread_t *threads = calloc(count + 1, sizeof *threads);
  unsigned started = 1;
  while (threads && started < count && pthread_create(&threads[started], NULL, work, first + started * hand_bytes) == 0)
    started++;
  work(first);
  for (unsigned i = 1; threads && i < started; i++)
    pthread_join(threads[i], NULL);
  free(threads);
}
