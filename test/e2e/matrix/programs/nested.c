/* GCC's nested functions: called directly, through a trampoline, and left by a jump into the function around them. */
#define FUNCTIONS(F)                                                                                                   \
  F(main, "main")                                                                                                      \
  F(outer, "outer")                                                                                                    \
  F(add, "add")                                                                                                        \
  F(call, "call")                                                                                                      \
  F(search, "search")                                                                                                  \
  F(visit, "visit")                                                                                                    \
  F(deep, "deep")
#include "matrix.h"

NOINLINE static int call(int (*function)(int), int x) {
  COUNT(call);
  int got = function(x);
  BARRIER();
  return got + 1;
}

NOINLINE static int outer(int base) {
  int calls = 0;
  COUNT(outer);
  NOINLINE int add(int x) {
    COUNT(add);
    calls++;
    return base + x;
  }
  int sum = add(1);
  sum += call(add, 2) + call(add, 3);
  return sum * 10 + calls;
}

NOINLINE static int search(int limit) {
  __label__ found;
  volatile int at = 0;
  COUNT(search);
  NOINLINE int visit(int x) {
    COUNT(visit);
    at = x;
    if (x == limit)
      goto found;
    return 0;
  }
  NOINLINE int deep(int x) {
    COUNT(deep);
    int got = call(visit, x);
    BARRIER();
    return got;
  }
  for (int i = 0; i < 100; i++)
    deep(i);
  return -1;
found:
  return at + call(visit, -1);
}

int main(int argc, char **argv) {
  COUNT(main);
  printf("%d %d\n", outer(argc + 4), search(3));
  return 0;
}
