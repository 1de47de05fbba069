/* Four short loops over arrays, each in a function: counted in lines, they are still loops with iterations. */
#include <stdio.h>

enum { N = 4000, ROUNDS = 10 };

static double a[N], b[N], c[N];

__attribute__((noinline)) static void fill(int n) {
  for (int i = 0; i < n; i++) {
    a[i] = i;
    b[i] = n - i;
  }
}

__attribute__((noinline)) static void add(int n) {
  for (int i = 0; i < n; i++)
    c[i] = a[i] + b[i];
}

__attribute__((noinline)) static double dot(int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += a[i] * b[i];
  return sum;
}

__attribute__((noinline)) static int above(int n) {
  int found = 0;
  for (int i = 0; i < n; i++)
    if (c[i] > 10)
      found++;
  return found;
}

int main(int argc, char **argv) {
  int n = argc + N - 1;
  (void)argv;
  for (int round = 0; round < ROUNDS; round++) {
    fill(n);
    add(n);
    printf("%g %d\n", dot(n), above(n));
  }
  return 0;
}
