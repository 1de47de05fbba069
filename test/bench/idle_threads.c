/*
 * idle_threads.c [THREADS] - so many threads that call a few functions each and then wait; for the memory of the rings.
 *
 * Prints "ready" when all wait, and ends when its standard input does.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_barrier_t all_called, may_end;

__attribute__((noinline)) static int call(int depth) {
  __asm__ volatile("" : "+r"(depth));
  return depth > 0 ? call(depth - 1) + 1 : 0;
}

static void *idle(void *arg) {
  if (call(20) != 20)
    abort();
  pthread_barrier_wait(&all_called);
  pthread_barrier_wait(&may_end);
  return arg;
}

int main(int argc, char **argv) {
  unsigned threads = argc > 1 ? (unsigned)atoi(argv[1]) : 1000;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 64 * 1024);
  pthread_barrier_init(&all_called, NULL, threads + 1);
  pthread_barrier_init(&may_end, NULL, threads + 1);
  for (unsigned i = 0; i < threads; i++) {
    pthread_t thread;
    if (pthread_create(&thread, &attributes, idle, NULL) != 0)
      abort();
  }
  pthread_barrier_wait(&all_called);
  puts("ready");
  fflush(stdout);
  char byte;
  while (read(0, &byte, 1) > 0)
    ;
  pthread_barrier_wait(&may_end);
  return 0;
}
