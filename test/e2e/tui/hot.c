/* A function that calls another in a loop: lines with figures for `prof tui`. */
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) static unsigned mix(unsigned value) {
  return value * 2654435761u ^ value >> 7;
}

__attribute__((noinline)) static unsigned work(unsigned rounds) {
  unsigned sum = 0;
  for (unsigned i = 0; i < rounds; i++)
    sum += mix(i); /* the hot line */
  return sum;
}

int main(int argc, char **argv) {
  printf("%u\n", work(argc > 1 ? (unsigned)atoi(argv[1]) : 200000));
  return 0;
}
