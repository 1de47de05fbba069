/*
 * phases.c - a program of two phases whose dense function has another caller in each.
 *
 * Its last line is a sum that recording must not change.  Calls are known.
 */
#include <stdio.h>

enum { ROUNDS = 500, HEAVY = 20000, TREES = 100, LEVELS = 8, STATUS = 3 };

__attribute__((noinline)) unsigned leaf(unsigned x) {
  for (int i = 0; i < 12; i++) {
    x = x * 1664525u + 1013904223u;
    __asm__("" : "+r"(x));
  }
  return x;
}

__attribute__((noinline)) unsigned heavy(unsigned x) {
  for (int i = 0; i < 40; i++) {
    x = x * 22695477u + 1u;
    __asm__("" : "+r"(x));
  }
  return leaf(x) + leaf(x + 1);
}

__attribute__((noinline)) unsigned tree(unsigned x, int level) {
  return level == 0 ? leaf(x) : tree(x, level - 1) + tree(x + 1, level - 1);
}

__attribute__((noinline)) unsigned first_phase(unsigned x) {
  for (int i = 0; i < HEAVY; i++)
    x += heavy(x);
  return x;
}

__attribute__((noinline)) unsigned second_phase(unsigned x) {
  for (int i = 0; i < TREES; i++)
    x += tree(x, LEVELS);
  return x;
}

int main(void) {
  unsigned x = 1;
  for (int i = 0; i < ROUNDS; i++)
    x ^= first_phase(x);
  for (int i = 0; i < ROUNDS; i++)
    x ^= second_phase(x);
  printf("%u\n", x);
  return STATUS;
}
