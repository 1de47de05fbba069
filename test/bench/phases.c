/*
 * phases.c SECONDS - dense, coarse, dense, ...: two seconds of CPU time each.  Prints the work done in each tenth of a
 * second, as "phase tenths work"; for whether a recording keeps its budget when the program changes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { TENTHS = 20, CALLS = 2000 };

__attribute__((noinline)) static unsigned mix(unsigned x) {
  return (x ^ x >> 15) * 2246822519u;
}

/* The same work as calls and as a loop. */
__attribute__((noinline)) static unsigned dense(unsigned x) {
  for (int i = 0; i < CALLS; i++)
    x = mix(x) + 1;
  return x;
}

__attribute__((noinline)) static unsigned coarse(unsigned x) {
  for (int i = 0; i < CALLS; i++) {
    x = (x ^ x >> 15) * 2246822519u + 1;
    __asm__ volatile("" : "+r"(x));
  }
  return x;
}

static double cpu_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

int main(int argc, char **argv) {
  int seconds = argc > 1 ? atoi(argv[1]) : 12;
  unsigned x = 1;
  double begin = cpu_seconds();
  for (int tenth = 0; tenth < 10 * seconds; tenth++) {
    int is_dense = tenth / TENTHS % 2 == 0;
    unsigned long work = 0;
    for (; cpu_seconds() < begin + (tenth + 1) * 0.1; work++)
      for (int i = 0; i < 20; i++)
        x = is_dense ? dense(x) : coarse(x);
    printf("%s %d %lu\n", is_dense ? "dense" : "coarse", tenth, work);
  }
  return x == 0;
}
