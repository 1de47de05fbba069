/*
 * test/e2e/export/busy.c - two processes, three threads each: calls, recursion, loops, waits.
 *
 * Prints nothing.  How often each function is called does not depend on time.
 */
#include <pthread.h>
#include <stdint.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define KEEP __attribute__((noinline))

volatile uint64_t sink;

static inline __attribute__((always_inline)) uint64_t mixed(uint64_t value) {
  value ^= value << 13;
  value ^= value >> 7;
  return value ^ value << 17;
}

KEEP void leaf(unsigned rounds) {
  uint64_t value = rounds + 1;
  for (unsigned i = 0; i < rounds; i++)
    value = mixed(value);
  sink += value;
}

KEEP unsigned fib(unsigned n) {
  return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

KEEP void pause_a_while(void) {
  const struct timespec time = {.tv_nsec = 2000000};
  nanosleep(&time, NULL);
}

KEEP void *worker(void *argument) {
  for (unsigned i = 0; i < 50; i++)
    leaf(1000 + (unsigned)(uintptr_t)argument);
  sink += fib(12);
  pause_a_while();
  return NULL;
}

KEEP void work(void) {
  pthread_t threads[2];
  for (uintptr_t i = 0; i < 2; i++)
    pthread_create(&threads[i], NULL, worker, (void *)(i * 1000));
  for (unsigned i = 0; i < 100; i++)
    leaf(2000);
  sink += fib(15);
  for (unsigned i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
}

int main(void) {
  pid_t child = fork();
  if (child == 0) {
    work();
    leaf(50000000); /* long enough for samples */
    return 0;
  }
  work();
  waitpid(child, NULL, 0);
  return 0;
}
