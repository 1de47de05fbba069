/* Weak symbols: one that is defined, one that isn't there, an alias, a weak alias, and a common name of two functions.
 */
#define FUNCTIONS(F)                                                                                                   \
  F(main, "main")                                                                                                      \
  F(weak_one, "weak_one")                                                                                              \
  F(target, "target")                                                                                                  \
  F(leaf, "leaf")                                                                                                      \
  F(asks, "asks")
#include "matrix.h"

NOINLINE static void leaf(void) {
  COUNT(leaf);
  BARRIER();
}

int weak_one(int x);
int target(int x);
int same(int x) __attribute__((alias("target")));
int weak_same(int x) __attribute__((weak, alias("target")));
int not_there(int x) __attribute__((weak));

__attribute__((weak, noinline)) int weak_one(int x) {
  COUNT(weak_one);
  leaf();
  BARRIER();
  return x + 1;
}

NOINLINE int target(int x) {
  COUNT(target);
  BARRIER();
  return x * 2;
}

NOINLINE static int asks(int x) {
  COUNT(asks);
  int got = not_there ? not_there(x) : weak_one(x);
  BARRIER();
  return got;
}

int main(int argc, char **argv) {
  COUNT(main);
  int sum = asks(1) + weak_one(2) + target(3) + same(4);
  sum += weak_same(5);
  printf("%d\n", sum);
  return 0;
}
