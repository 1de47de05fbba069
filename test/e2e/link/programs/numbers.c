/* numbers.c - plain C: recursion, tail calls, function pointers, a static and a weak function of a name that more.c has
 * too. */
#include "units.h"

APART long factorial(long n) {
  COUNT(FACTORIAL);
  return n < 2 ? 1 : n * factorial(n - 1) % 1000003; /* the remainder keeps it from being made a loop */
}

APART int is_odd(int n) {
  COUNT(ODD);
  return n == 0 ? 0 : is_even(n - 1);
}

APART int is_even(int n) {
  COUNT(EVEN);
  return n == 0 ? 1 : is_odd(n - 1);
}

APART static int static_in_two(int x) {
  COUNT(STATIC);
  return x * 3;
}

APART int apply(int (*function)(int), int x) {
  COUNT(APPLY);
  return function(x) + static_in_two(x);
}

APART int same_one(int x) {
  COUNT(SAME);
  return x * 3 + 1;
}

__attribute__((weak)) APART int weak_and_strong(int x) {
  COUNT(WEAK);
  return x - 1000;
}

APART int aliased(int x) {
  COUNT(ALIASED);
  return x + 100;
}

extern int alias(int x) __attribute__((alias("aliased")));
