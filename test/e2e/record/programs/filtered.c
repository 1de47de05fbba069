/* A known number of calls on known paths, some of them slow.  Usage: filtered [ROUNDS] */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

__attribute__((noinline)) static unsigned leaf(unsigned x) {
  __asm__ volatile("" : "+r"(x));
  return x + 1;
}

__attribute__((noinline)) static unsigned middle(unsigned x) {
  for (int i = 0; i < 3; i++)
    x += leaf(x);
  return x;
}

__attribute__((noinline)) static unsigned handle(unsigned x, int is_slow) {
  x += middle(x);
  if (is_slow)
    nanosleep(&(struct timespec){0, 60000000}, NULL);
  return x + leaf(x);
}

__attribute__((noinline)) static unsigned between(unsigned x) {
  return middle(x) + leaf(x);
}

int main(int argc, char **argv) {
  unsigned x = 0;
  int rounds = argc > 1 ? atoi(argv[1]) : 200;
  for (int i = 0; i < rounds; i++) {
    x += between(x);
    x += handle(x, i % 100 == 0);
  }
  printf("%d\n", x != 0);
  return 0;
}
