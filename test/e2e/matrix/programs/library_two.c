/* Opened by libraries.c in the place of library_one: has more functions, elsewhere. */
#define FUNCTIONS(F) F(two, "two") F(two_a, "two_a") F(two_b, "two_b")
#include "matrix.h"

NOINLINE static int two_a(int x) {
  COUNT(two_a);
  BARRIER();
  return x * 3;
}

NOINLINE static int two_b(int x) {
  COUNT(two_b);
  int got = two_a(x) + two_a(x + 1);
  BARRIER();
  return got;
}

int two(int x);
NOINLINE int two(int x) {
  COUNT(two);
  int got = two_b(x) - two_a(x);
  BARRIER();
  return got;
}
