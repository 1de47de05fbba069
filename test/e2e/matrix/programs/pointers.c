/* Calls through pointers: a table, an argument, and a callback from a library that has no probes. */
#define FUNCTIONS(F)                                                                                                   \
  F(main, "main")                                                                                                      \
  F(twice, "twice")                                                                                                    \
  F(square, "square")                                                                                                  \
  F(negate, "negate")                                                                                                  \
  F(apply, "apply")                                                                                                    \
  F(compare, "compare")
#include "matrix.h"

typedef int operation(int);

NOINLINE static int twice(int x) {
  COUNT(twice);
  return 2 * x;
}
NOINLINE static int square(int x) {
  COUNT(square);
  return x * x;
}
NOINLINE static int negate(int x) {
  COUNT(negate);
  return -x;
}

static operation *const volatile table[] = {twice, square, negate, square};

NOINLINE static int apply(operation *one, int x) {
  COUNT(apply);
  int got = one(x);
  BARRIER();
  return got + 1;
}

static int compare(const void *a, const void *b) {
  COUNT(compare);
  return *(const int *)a - *(const int *)b;
}

int main(int argc, char **argv) {
  int sum = 0, pair[2] = {argc + 5, argc};
  COUNT(main);
  for (int i = 0; i < 4; i++)
    sum += table[i](i + 3);
  for (int i = 0; i < 3; i++)
    sum += apply(table[i], i);
  qsort(pair, 2, sizeof *pair, compare);
  printf("%d %d\n", sum, pair[0]);
  return 0;
}
