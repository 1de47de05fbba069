/* regions.c - OpenMP: a region that is forked from two paths, in turns, and one within another, each by a team of two.
 */
#include <stdio.h>

void omp_set_max_active_levels(int levels);

static volatile double sink;

__attribute__((noinline)) static double work(int n) {
  double sum = 0;
  for (int i = 1; i < n; i++)
    sum += 1.0 / i;
  return sum;
}

__attribute__((noinline)) static double solve(void) {
  double sum = 0;
#pragma omp parallel num_threads(2) reduction(+ : sum)
  sum += work(100);
  return sum;
}

__attribute__((noinline)) static void first(void) {
  sink += solve();
}

__attribute__((noinline)) static void second(void) {
  sink += solve();
  sink += solve();
}

__attribute__((noinline)) static double inner(void) {
  double sum = 0;
#pragma omp parallel num_threads(2) reduction(+ : sum)
  sum += work(1000);
  return sum;
}

__attribute__((noinline)) static void outer(void) {
#pragma omp parallel num_threads(2)
  {
    double sum = inner();
#pragma omp critical
    sink += sum;
  }
}

int main(void) {
  omp_set_max_active_levels(2);
  for (int i = 0; i < 10; i++) {
    first();
    second();
  }
  outer();
  return sink < 0;
}
