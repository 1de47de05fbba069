/* Loops that the source asks for, and others next to them; one may be counted along.  C and C++. */
#include <stdio.h>

static volatile int sum;

static __attribute__((noinline)) void touch(int i) {
  sum += i;
}

static __attribute__((noinline)) void some(int n) {
  for (int i = 0; i < n; i++)
    touch(i);
#pragma prof loop
  for (int i = 0; i < n; i++)   /* asked 9 */
    for (int j = 0; j < 2; j++) /* along */
      touch(2 * i);
  for (int i = 0; i < n; i++)
    touch(3 * i);
}

static __attribute__((noinline, prof_loops)) void every(int n) {
  for (int i = 0; i < n; i++)    /* asked 9 */
    for (int j = 0; j <= i; j++) /* asked 45 */
      touch(i * j);
}

int main(void) {
  volatile int n = 9;
  some(n);
  every(n);
  printf("%d\n", sum);
  return 0;
}
