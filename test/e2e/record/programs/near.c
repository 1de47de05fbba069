/* Calls of this file, through functions of far.h; by longjmp too, and in a child.  Usage: near ROUNDS [wait]: begins
 * when the probes of far_leaf are off. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "far.h"

__attribute__((noinline)) static unsigned near_leaf(unsigned x) {
  __asm__ volatile("" : "+r"(x));
  return x + 2;
}

__attribute__((noinline)) static unsigned near_jumps(unsigned x) {
  if (near_leaf(x) % 2)
    longjmp(far_place, 1);
  return x;
}

__attribute__((noinline)) static unsigned near_round(unsigned x) {
  x = far_many(near_leaf, x);
  x += far_guard(near_jumps, x | 1);
  x += far_guard(near_jumps, x & ~1u);
  return x + near_leaf(x);
}

int main(int argc, char **argv) {
  unsigned x = 0;
  int rounds = argc > 1 ? atoi(argv[1]) : 100;
  for (int turns = 0; argc > 2 && far_is_on() && turns < 100000; turns++)
    nanosleep(&(struct timespec){0, 1000000}, NULL);
  for (int i = 0; i < rounds; i++)
    x += near_round(x);
  if (fork() == 0) {
    for (int i = 0; i < rounds; i++)
      x += near_round(x);
    exit(0);
  }
  wait(NULL);
  printf("%d\n", x != 0);
  return 0;
}
