/*
 * fib.c - recursion and nothing else; for what a recording with a budget adds to it.
 */
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) static unsigned long fib(unsigned n) {
  if (n < 2)
    return n;
  unsigned long one = fib(n - 1);
  __asm__ volatile("" : "+r"(one)); /* no tail call, no loop */
  return one + fib(n - 2);
}

int main(int argc, char **argv) {
  printf("%lu\n", fib(argc > 1 ? (unsigned)atoi(argv[1]) : 32));
  return 0;
}
