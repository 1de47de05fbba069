/* ifunc: the resolver runs before anything else and is never probed; what it chose is. */
#define FUNCTIONS(F)                                                                                                   \
  F(main, "main")                                                                                                      \
  F(fast, "fast")                                                                                                      \
  F(slow, "slow")                                                                                                      \
  F(leaf, "leaf")                                                                                                      \
  F(use, "use")
#include "matrix.h"

NOINLINE static void leaf(void) {
  COUNT(leaf);
  BARRIER();
}

NOINLINE static int fast(int x) {
  COUNT(fast);
  leaf();
  BARRIER();
  return x * 2;
}

NOINLINE static int slow(int x) {
  COUNT(slow);
  leaf();
  BARRIER();
  return x + x;
}

typedef int chosen(int);
static chosen *choose_fast(void) {
  return fast;
}
static chosen *choose_slow(void) {
  return slow;
}
int double_fast(int x) __attribute__((ifunc("choose_fast")));
int double_slow(int x) __attribute__((ifunc("choose_slow")));

NOINLINE static int use(int (*function)(int), int x) {
  COUNT(use);
  int got = function(x);
  BARRIER();
  return got;
}

int main(int argc, char **argv) {
  COUNT(main);
  int sum = double_fast(2) + double_fast(3) + double_slow(4);
  sum += use(double_fast, 5) + use(double_slow, 6);
  printf("%d\n", sum);
  return 0;
}
