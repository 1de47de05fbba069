/*
 * dense.c - functions so short that their probes take most of the time, in two threads at once and in a forked process.
 *
 *   dense COUNT     each thread calls `outer` COUNT times, which calls `inner` twice; prints what came out
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static long count;

__attribute__((noinline)) static unsigned inner(unsigned x) {
  for (int i = 0; i < 10; i++)
    x = (x ^ x >> 15) * 2654435761u + 1;
  return x;
}

__attribute__((noinline)) static unsigned outer(unsigned x) {
  return inner(x) ^ inner(x + 1);
}

__attribute__((noinline)) static unsigned idle(unsigned x) {
  usleep(1000);
  return x + 1;
}

static void *busy(void *result) {
  unsigned x = 1;
  for (long i = 0; i < count; i++)
    x = outer(x);
  *(unsigned *)result = x;
  return NULL;
}

static void *lazy(void *result) {
  for (int i = 0; i < 50; i++)
    *(unsigned *)result = idle(*(unsigned *)result);
  return NULL;
}

int main(int argument_count, char **arguments) {
  count = argument_count > 1 ? atol(arguments[1]) : 1000;
  pthread_t threads[2];
  unsigned results[3] = {0};
  pthread_create(&threads[0], NULL, busy, &results[0]);
  pthread_create(&threads[1], NULL, lazy, &results[1]);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
  pid_t child = fork();
  if (child == 0) {
    busy(&results[2]);
    _exit(results[2] == results[0] ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  printf("%u %u %d\n", results[0], results[1], WEXITSTATUS(status));
  return 0;
}
