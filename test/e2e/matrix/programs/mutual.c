/* Functions that call each other, none in tail position. */
#define FUNCTIONS(F)                                                                                                   \
  F(main, "main")                                                                                                      \
  F(hop, "hop")                                                                                                        \
  F(skip, "skip")                                                                                                      \
  F(jump, "jump")
#include "matrix.h"

static long jump(long n);

NOINLINE static long skip(long n) {
  COUNT(skip);
  long rest = n > 0 ? jump(n - 1) : 1;
  BARRIER();
  return rest + 1;
}

NOINLINE static long hop(long n) {
  COUNT(hop);
  long rest = n > 0 ? skip(n - 1) : 1;
  BARRIER();
  return rest + 2;
}

NOINLINE static long jump(long n) {
  COUNT(jump);
  long rest = n > 0 ? hop(n - 1) : 1;
  BARRIER();
  return rest + 3;
}

int main(int argc, char **argv) {
  COUNT(main);
  printf("%ld %ld\n", hop(4), jump(2));
  return 0;
}
