/* A function that compilers split into a hot and a cold part, one of which they make clones, and dead code. */
#include "here.h"
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline, cold)) void complain(const char *what) {
  HERE(cold);
  fprintf(stderr, "%s\n", what);
}

static __attribute__((noinline)) int cloned(int x, int mode) {
  if (mode == 3)
    return x * x + 1;
  return x - mode;
}

int dead_table[4];
int dead_work(int x) {
  for (int i = 0; i < 4; i++)
    dead_table[i] += x * i;
  return dead_table[x & 3];
}

__attribute__((noinline)) int part_work(int x, const char *name) {
  int sum = cloned(x, 3);
  if (__builtin_expect(x > 1000, 0)) {
    complain(name); /* in the cold part */
    for (int i = 0; i < x; i++)
      if (fputc('a' + i % 26, stderr) < 0)
        exit(1);
    sum -= 5;
  }
  HERE(part);
  return sum;
}
