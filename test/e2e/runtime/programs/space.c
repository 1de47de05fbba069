/*
 * space.c - a program that limits its own address space, and then makes threads: prints how many it could make.
 *
 *   space MIB THREADS CALLS   MIB: what it may map beside what it has mapped already
 *
 * All threads are there at a time, each after CALLS calls.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

static pthread_barrier_t all;
static int calls;

int counted(int n);

int __attribute__((noinline)) counted(int n) {
  static _Thread_local volatile int sum;
  sum += n;
  return sum;
}

static void *thread(void *unused) {
  for (int i = 0; i < calls; i++)
    counted(i);
  pthread_barrier_wait(&all);
  return unused;
}

/* Pages that are mapped now. */
static long mapped(void) {
  long pages = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (file == NULL || fscanf(file, "%ld", &pages) != 1)
    exit(2);
  fclose(file);
  return pages;
}

int main(int count, char **words) {
  if (count != 4)
    return 2;
  int threads = atoi(words[2]);
  calls = atoi(words[3]);
  pthread_t *all_threads = calloc((size_t)threads, sizeof *all_threads);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 32768);
  pthread_barrier_init(&all, NULL, (unsigned)threads);
  rlim_t bytes = (rlim_t)mapped() * (rlim_t)sysconf(_SC_PAGESIZE) + ((rlim_t)atol(words[1]) << 20);
  const struct rlimit limit = {bytes, bytes};
  if (setrlimit(RLIMIT_AS, &limit) != 0)
    return 1;
  for (int i = 0; i < threads; i++)
    if (pthread_create(&all_threads[i], &attributes, thread, NULL) != 0) {
      printf("thread %d could not be made\n", i);
      return 1;
    }
  for (int i = 0; i < threads; i++)
    pthread_join(all_threads[i], NULL);
  printf("%d threads below %d MiB\n", threads, (int)(bytes >> 20));
  return 0;
}
