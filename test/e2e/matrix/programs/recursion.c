/* Recursion: one call each time, and two. */
#define FUNCTIONS(F) F(main, "main") F(factorial, "factorial") F(fibonacci, "fibonacci")
#include "matrix.h"

NOINLINE static long factorial(long n) {
  COUNT(factorial);
  if (n < 2)
    return 1;
  long inner = factorial(n - 1);
  BARRIER();
  return n * inner;
}

NOINLINE static long fibonacci(long n) {
  COUNT(fibonacci);
  if (n < 2)
    return n;
  long one = fibonacci(n - 1);
  BARRIER();
  long two = fibonacci(n - 2);
  BARRIER();
  return one + two;
}

int main(int argc, char **argv) {
  COUNT(main);
  printf("%ld %ld\n", factorial(5), fibonacci(4));
  return 3;
}
