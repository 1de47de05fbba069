/*
 * test/bench/dense_zones.c - zones of some nanoseconds: around a small function, and around each round of a loop.
 *
 *   dense_zones ROUNDS    so many of each
 *
 * Out: a number, so that the work isn't left out.
 */
#include <prof.h>

#include <stdio.h>
#include <stdlib.h>

enum { IN_A_CALL = 1000 };

static unsigned step(unsigned x) {
  return (x ^ x >> 13) * 1664525u + 1013904223u;
}

__attribute__((noinline)) static unsigned small(unsigned x) {
  PROF_ZONE("small");
  return step(step(step(x)));
}

__attribute__((noinline)) static unsigned rounds(unsigned x) {
  PROF_ZONE("rounds");
  for (int i = 0; i < IN_A_CALL; i++)
    x = small(x);
  for (int i = 0; i < IN_A_CALL; i++) {
    PROF_ZONE("each");
    x = step(step(step(step(x))));
  }
  return x;
}

int main(int argc, char **argv) {
  unsigned x = 1;
  for (long left = argc > 1 ? atol(argv[1]) : 1000000; left > 0; left -= IN_A_CALL)
    x = rounds(x);
  printf("%u\n", x);
  return 0;
}
