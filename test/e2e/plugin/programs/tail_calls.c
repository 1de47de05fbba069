/* tail_calls.c - calls in tail position, as deep as the argument says: with optimisation the stack stays flat. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOINLINE __attribute__((noinline, noclone))

static volatile long sink;

NOINLINE int is_odd(long n);
NOINLINE int is_even(long n) {
  return n == 0 ? 1 : is_odd(n - 1);
}
NOINLINE int is_odd(long n) {
  return n == 0 ? 0 : is_even(n - 1);
}

/* The block that returns is shared: one way comes from a tail call, the others don't. */
NOINLINE long shared_second(long n, long sum);
NOINLINE long shared_return(long n, long sum) {
  long result = sum;
  if (n > 0) {
    if (n == 77)
      sink = n;
    result = shared_second(n - 1, sum + 1);
  } else if (n < -5) {
    sink = n;
    result = -1;
  }
  return result;
}
NOINLINE long shared_second(long n, long sum) {
  return n % 3 ? shared_return(n, sum) : n > 0 ? shared_return(n - 1, sum + 2) : sum;
}

/* Nothing is returned; the callee is known only at run time. */
typedef void step(long n, void *next);
NOINLINE void step_two(long n, void *next);
NOINLINE void step_one(long n, void *next) {
  sink = n;
  if (n)
    ((step *)next)(n - 1, (void *)step_two);
}
NOINLINE void step_two(long n, void *next) {
  (void)next;
  if (!n)
    return;
  step_one(n - 1, (void *)step_two);
}

/* In tail position, but the callee needs more stack for its arguments: no compiler makes this a jump. */
NOINLINE long many(long a, long b, long c, long d, long e, long f, long g, long h) {
  return a + b * c + d * e + f * g + h;
}
NOINLINE long few(long a) {
  return many(a, 2, 3, 4, 5, 6, 7, 8);
}

/* The value is converted on its way, or is an argument that the callee is known to return. */
NOINLINE signed char narrow(int n) {
  return (signed char)(n * 3);
}
NOINLINE signed char converts(int n) {
  return narrow(n + 6);
}
NOINLINE char *fills(char *room, int byte) {
  memset(room, byte, 4);
  return room;
}

/* A local's address is alive: no tail call either. */
NOINLINE long reads(const long *value) {
  return *value + 1;
}
NOINLINE long keeps(long value) {
  return reads(&value);
}

int main(int count, char **arguments) {
  long depth = count > 1 ? atol(arguments[1]) : 1000;
  printf("%d %d\n", is_even(depth), is_even(depth + 1));
  printf("%ld %ld %ld\n", shared_return(depth, 0), shared_return(-3, 4), shared_return(-9, 4));
  step_one(depth, (void *)step_two);
  printf("%ld %ld %ld\n", sink, few(1), keeps(41));
  char room[5] = "";
  printf("%d %s\n", converts(90), fills(room, 'x'));
  return is_odd(3) + 5;
}
