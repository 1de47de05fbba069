/* calls.c - every line says how often it calls a function with probes; see README.md. */
#include <stdio.h>
#include <stdlib.h>

#include "inlined.h"

#define ROUNDS 20

static volatile long sink;

NOINLINE long spin(long turns) {
  long sum = 0;
  for (long i = 0; i < turns; i++)
    sum += i ^ sink;
  return sum;
}

NOINLINE long once(long n) {
  return 1 + spin(n); /* calls: 1 */
}

NOINLINE long several(long n) {
  long sum = 0;
  for (int i = 0; i < 7; i++)
    sum += 1 + spin(n + i); /* calls: 7 */
  return sum;
}

NOINLINE long two_on_a_line(long n) {
  return spin(n) + 3 * spin(n + 1); /* calls: 2 */
}

/* 15 calls for a depth of 3: of those 14 from these lines */
NOINLINE long tree(int depth) {
  long sum = spin(5); /* calls: 15 */
  if (depth > 0) {
    sum += 3 * tree(depth - 1) + 1; /* calls: 7 */
    sum += 5 * tree(depth - 1) + 1; /* calls: 7 */
  }
  return sum + depth;
}

NOINLINE int compare(const void *a, const void *b) {
  long left = *(const long *)a, right = *(const long *)b;
  spin(2);
  return left < right ? -1 : left > right;
}

NOINLINE long sorted(void) {
  long values[] = {5, 3, 1, 4};
  qsort(values, 4, sizeof *values, compare);
  return values[0];
}

NOINLINE long holds_one(volatile long *n) {
  return in_two_places(*n); /* into */
}

NOINLINE long holds_another(volatile long *n) {
  return 3 + in_two_places(*n); /* into */
}

NOINLINE long inlined(long n) {
  return in_header(n) + 1; /* inlined: 3 */
}

int main(void) {
  long sum = 0;
  for (int round = 0; round < ROUNDS; round++) {
    sum += once(2000);        /* calls: 1 */
    sum += several(300);      /* calls: 1 */
    sum += two_on_a_line(20); /* calls: 1 */
    sum += tree(3);           /* calls: 1 */
    sum += sorted();          /* calls: 1 */
    sum += inlined(50);       /* calls: 1 */
  }
  sum += holds_one(&sink);     /* once */
  sum += holds_another(&sink); /* once */
  printf("%ld\n", sum);
  return 0;
}
